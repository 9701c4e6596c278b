/// One button's contact made into presses and holds: debounced, without a clock of its own.
///
/// All times are milliseconds of the elapsed clock. One that lies before an earlier one counts as that.
struct ButtonState: Sendable {
  /// What follows from an edge or from time. Well formed: `down`, then at most one of `press` and `hold` (neither: it was a spike), then `up`;
  /// `stuck` comes while the button is down and `loose` when it no longer is.
  enum Signal: Sendable, Hashable {
    case down, press, hold, up, stuck, loose
  }

  private enum Phase {
    case released
    /// Down, and neither a press nor a hold yet.
    case pressed
    case held
    /// Down since the beginning: nobody pressed it that we know of, so it tells nothing until it has been released.
    case unheard
  }

  private let debounce: Int64
  private let timing: ButtonTiming
  private var phase: Phase
  private var now: Int64
  /// When it went down; without meaning while it is released.
  private var downSince: Int64
  /// When the level went up after that. It may be a bounce, until it has lasted for the debounce time.
  private var upSince: Int64?
  private var isStuck = false

  /// A button whose level is what it is now.
  init(isDown: Bool, at time: Int64, debounce: Int64, timing: ButtonTiming = ButtonTiming()) {
    self.debounce = debounce
    self.timing = timing
    phase = isDown ? .unheard : .released
    now = time
    downSince = time
  }

  /// Whether `down` was told and `up` not yet.
  var isToldDown: Bool { phase == .pressed || phase == .held }

  /// When `advance` has something to tell if there is no edge; `nil` for never.
  var nextDeadline: Int64? {
    guard phase != .released else { return nil }
    if let upSince { return upSince + debounce }
    let stuck = isStuck ? nil : downSince + timing.stuck
    return phase == .pressed ? min(downSince + timing.hold, stuck ?? .max) : stuck
  }

  /// The level changed.
  mutating func edge(isDown: Bool, at time: Int64) -> [Signal] {
    var signals = advance(to: time)
    if !isDown {
      if phase != .released { upSince = now }
    } else if phase == .released {
      phase = .pressed
      downSince = now
      signals.append(.down)
    } else if upSince != nil {
      upSince = nil
      // What time had brought while the level was up.
      signals += advance(to: now)
    }
    return signals
  }

  /// The level is what it is: an edge if one was lost, else only time that has passed.
  mutating func level(isDown: Bool, at time: Int64) -> [Signal] {
    let isKnownDown = phase != .released && upSince == nil
    return isDown == isKnownDown ? advance(to: time) : edge(isDown: isDown, at: time)
  }

  /// Time has passed, and all edges up to then are told.
  mutating func advance(to time: Int64) -> [Signal] {
    now = max(now, time)
    guard phase != .released else { return [] }
    if let upSince { return now - upSince >= debounce ? release() : [] }
    var signals: [Signal] = []
    if phase == .pressed && now - downSince >= timing.hold {
      phase = .held
      signals.append(.hold)
    }
    if !isStuck && now - downSince >= timing.stuck {
      isStuck = true
      signals.append(.stuck)
    }
    return signals
  }

  private mutating func release() -> [Signal] {
    // Edges come after the time before them, so a hold would have been told.
    let length = (upSince ?? now) - downSince
    var signals: [Signal] =
      switch phase {
      case .pressed: length < timing.shortest ? [.up] : [.press, .up]
      case .held: [.up]
      case .released, .unheard: []
      }
    if isStuck { signals.append(.loose) }
    phase = .released
    upSince = nil
    isStuck = false
    return signals
  }
}
