import AlarmEngine
import AlarmModel
import Buttons
import Configuration
import JSON
import NodeProtocol

// What the buttons do.
extension Node {
  func take(_ event: ButtonEvent) {
    switch event {
    case .down: step(.buttonDown)
    case .press(let index):
      tell("press", of: index)
      let button = configuration.buttons[index]
      if !perform(button.press) { perform(button.idle, hasPress: button.press != nil) }
      step(.buttonDecided)
    case .hold(let index):
      tell("hold", of: index)
      _ = perform(configuration.buttons[index].hold)
      step(.buttonDecided)
    case .up: step(.buttonDecided)
    case .failed(let index, let error):
      log.write(.warning, "button \(index + 1): \(error)")
      buttonErrors[index] = error
    case .recovered(let index):
      log.write(.notice, "button \(index + 1) works again")
      buttonErrors[index] = nil
    }
  }

  /// Publishes what a button did, for automations.
  private func tell(_ what: String, of index: Int) {
    log.write(.information, "button \(index + 1): \(what)")
    publish(NodeMessage(topic: topics.button(index + 1), payload: what))
  }

  /// Answers whether there was anything to do.
  private func perform(_ action: NodeConfiguration.Button.Action?) -> Bool {
    switch action {
    case nil: return false
    case .message(let topic, let payload):
      publish(NodeMessage(topic: topic, payload: payload))
      return true
    case .operation(let word):
      let operation: AlarmOperation =
        switch word {
        case .snooze: .snooze(nil)
        case .stop: .stop
        case .pause: .pause
        case .resume: .resume
        }
      guard engine.hasUse(for: operation) else { return false }
      let body = RequestBody.change(operation, id: nil, occurrence: nil)
      step(.request(Request(name: word.rawValue, body: .success(body), origin: .button)))
      return true
    }
  }

  /// What a press does that had nothing to do. One that means nothing in itself must not be taken for idle while an alarm waits for an answer.
  private func perform(_ idle: NodeConfiguration.Button.Idle, hasPress: Bool) {
    guard hasPress || !engine.hasUse(for: .stop) else { return }
    switch idle {
    case .none: break
    case .chime: test(RequestBody.Test(sound: "chime", duration: 1))
    case .light: test(RequestBody.Test(duration: 3, outputs: ["light"]))
    case .message(let topic, let payload): publish(NodeMessage(topic: topic, payload: payload))
    }
  }

  private func test(_ test: RequestBody.Test) {
    step(.request(Request(name: "test", body: .success(.test(test)), origin: .button)))
  }
}

extension ButtonConfiguration {
  init(_ button: NodeConfiguration.Button) {
    let bias: Bias =
      switch button.bias {
      case .pullUp: .pullUp
      case .pullDown: .pullDown
      case .disabled: .disabled
      case .asIs: .asIs
      }
    self.init(
      chip: button.chip, line: UInt32(button.line), activeLow: button.activeLow, bias: bias, debounce: Int64(button.debounce))
  }
}
