import CLinux
import Glibc
import Testing

@testable import LinuxSupport

// Serialized: some of them set the wall clock, which all wall timers see.
@Suite(.serialized) struct TimerDescriptorTests {
  static func now(_ clock: TimerDescriptor.Clock) -> Int64 {
    clock == .wall ? SystemClock.wallMilliseconds() : SystemClock.elapsedMilliseconds()
  }

  @Test("A timer expires at its time and not before, once", arguments: [TimerDescriptor.Clock.wall, .elapsed])
  func expiry(clock: TimerDescriptor.Clock) throws {
    let timer = try TimerDescriptor(clock: clock)
    let deadline = Self.now(clock) + 120
    try timer.arm(at: deadline)
    #expect(timer.take() == .none || Self.now(clock) >= deadline)
    #expect(isReadable(timer.descriptor, within: patience))
    #expect(Self.now(clock) >= deadline)
    #expect(timer.take() == .expired)
    #expect(timer.take() == .none)
    #expect(!isReadable(timer.descriptor))
  }

  @Test(
    "A time in the past expires at once",
    arguments: [TimerDescriptor.Clock.wall, .elapsed], [Int64.min, -1, 0, 1, 1000])
  func past(clock: TimerDescriptor.Clock, deadline: Int64) throws {
    let timer = try TimerDescriptor(clock: clock)
    try timer.arm(at: deadline)
    #expect(isReadable(timer.descriptor, within: patience))
    #expect(timer.take() == .expired)
  }

  @Test("Never, and times beyond what the kernel counts, do not expire", arguments: [TimerDescriptor.Clock.wall, .elapsed])
  func never(clock: TimerDescriptor.Clock) throws {
    let timer = try TimerDescriptor(clock: clock)
    for deadline in [nil, Int64.max, 8_640_000_000_000] {
      try timer.arm(at: deadline)
      #expect(!isReadable(timer.descriptor))
      #expect(timer.take() == .none)
    }
  }

  @Test(
    "Arming anew replaces the deadline, in both directions, and takes back an expiry", arguments: [TimerDescriptor.Clock.wall, .elapsed])
  func rearm(clock: TimerDescriptor.Clock) throws {
    let timer = try TimerDescriptor(clock: clock)
    try timer.arm(at: Self.now(clock) + 3_600_000)
    #expect(!isReadable(timer.descriptor))
    try timer.arm(at: Self.now(clock) - 1)
    #expect(isReadable(timer.descriptor, within: patience))
    try timer.arm(at: nil)
    #expect(!isReadable(timer.descriptor))
    #expect(timer.take() == .none)
  }

  /// Sets the wall clock forward by a microsecond, which wakes all timers that want to know. Needs CAP_SYS_TIME.
  static func setClock() -> Bool {
    var request = timex()
    request.modes = UInt32(ADJ_SETOFFSET)
    request.time.tv_usec = 1
    return adjtimex(&request) >= 0
  }

  static let maySetClock = setClock()

  @Test("Setting the clock wakes a wall timer, armed or waiting for ever", .enabled(if: maySetClock))
  func clockSet() throws {
    for deadline in [nil, SystemClock.wallMilliseconds() + 3_600_000] {
      let timer = try TimerDescriptor(clock: .wall)
      let elapsed = try TimerDescriptor(clock: .elapsed)
      try timer.arm(at: deadline)
      try elapsed.arm(at: nil)
      #expect(Self.setClock())
      #expect(isReadable(timer.descriptor, within: patience))
      #expect(timer.take() == .clockSet)
      #expect(!isReadable(elapsed.descriptor))
      #expect(elapsed.take() == .none)
    }
  }

  @Test("A clock that is set just before arming is not overlooked", .enabled(if: maySetClock))
  func clockSetBeforeArming() throws {
    let timer = try TimerDescriptor(clock: .wall)
    try timer.arm(at: nil)
    #expect(Self.setClock())
    #expect(isReadable(timer.descriptor, within: patience))
    for _ in 0..<2 {
      try timer.arm(at: SystemClock.wallMilliseconds() + 3_600_000)
      #expect(isReadable(timer.descriptor, within: patience))
    }
    #expect(timer.take() == .clockSet)
    try timer.arm(at: SystemClock.wallMilliseconds() + 3_600_000)
    #expect(!isReadable(timer.descriptor))
    try timer.arm(at: SystemClock.wallMilliseconds() - 1)
    #expect(isReadable(timer.descriptor, within: patience))
    #expect(timer.take() == .expired)
  }
}
