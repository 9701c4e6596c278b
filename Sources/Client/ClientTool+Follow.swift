import Glibc
import JSON
import MQTTTransport

// The commands that go on until they are ended.
extension ClientTool {
  func events() throws(ClientError) -> Int32 {
    let settings = try ClientSettings(arguments)
    let signals = try Follower.signals()
    let session = try NodeSession(settings, filters: [settings.topics.event])
    defer { session.close() }
    try session.connect()
    try Follower(session, signals: signals).run { arrivals throws(ClientError) in
      for arrival in arrivals {
        guard case .message(let message, _) = arrival, message.topic == settings.topics.event else {
          Self.tellOfConnection(arrival)
          continue
        }
        guard let document = Self.object(message) else { continue }
        guard Terminal.print([isJSON ? document.description : report.event(document)]) else { return false }
      }
      return true
    }
    return ExitStatus.success
  }

  func watch() throws(ClientError) -> Int32 {
    let settings = try ClientSettings(arguments)
    let signals = try Follower.signals()
    let alarms = "\(settings.topics.base)/alarms/"
    let session = try NodeSession(settings, filters: [alarms + "+/state", alarms + "+/activity"])
    defer { session.close() }
    try session.connect()
    let isLive = terminal.isInteractive && !isJSON
    var picture = WatchPicture(node: settings.node, terminal: terminal)
    var model = WatchModel()
    // Retained documents and ticks tell the same: for a pipe only what is new is a line.
    var told: [String: String] = [:]
    if isLive { picture.begin() }
    defer { if isLive { picture.end() } }
    try Follower(session, signals: signals).run { arrivals throws(ClientError) in
      for arrival in arrivals {
        if case .disconnected = arrival { model.isOnline = nil }
        guard case .message(let message, _) = arrival else {
          if !isLive { Self.tellOfConnection(arrival) }
          continue
        }
        if message.topic == settings.topics.availability { model.isOnline = message.payload == Array("online".utf8) }
        guard message.topic.hasPrefix(alarms) else { continue }
        let levels = message.topic.dropFirst(alarms.count).split(separator: "/").map(String.init)
        guard levels.count == 2 else { continue }
        let document = Self.object(message)
        if levels[1] == "state" {
          model.take(document: document, id: levels[0])
        } else if let document {
          model.take(activity: document)
          if isJSON, !Terminal.print([document.description]) { return false }
        }
        if isLive || isJSON { continue }
        let line = model.alarms[levels[0]].map(WatchScreen.plain)
        guard told[levels[0]] != line else { continue }
        told[levels[0]] = line
        guard Terminal.print([line ?? "\(Text.printable(levels[0]))  gone"]) else { return false }
      }
      return isLive ? picture.show(model) : true
    }
    return ExitStatus.success
  }

  private static func object(_ message: MQTTMessage) -> JSONObject? {
    do throws(JSONError) { return try JSONValue(parsing: message.payload).object } catch { return nil }
  }

  private static func tellOfConnection(_ event: MQTTEvent) {
    switch event {
    case .disconnected(_, let reason, let milliseconds):
      Terminal.write("reveille: \(reason.message); next attempt in \((milliseconds + 999) / 1000) s\n", to: STDERR_FILENO)
    case .connected: Terminal.write("reveille: connected again\n", to: STDERR_FILENO)
    default: break
    }
  }
}
