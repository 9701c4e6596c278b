import Configuration
import Glibc
import JSON
import LinuxSupport
import MQTTTransport

/// The commands that talk to a node.
package struct ClientTool {
  let command: Command
  let arguments: Arguments
  let terminal = Terminal()
  /// What `check-config` says about a configuration's surroundings.
  private let check: @Sendable (NodeConfiguration) -> String?

  var report: Report { Report(style: terminal.style, width: terminal.size?.columns) }
  var isJSON: Bool { arguments.has("--json") }

  /// Runs a command and answers its exit status.
  ///
  /// - Parameter check: says what is wrong with what a configuration names, such as its zone.
  package static func run(_ command: Command, _ words: some Sequence<String>, check: @escaping @Sendable (NodeConfiguration) -> String?)
    -> Int32
  {
    // Before any output: a reader that has gone away is seen by `write`.
    signal(SIGPIPE, SIG_IGN)
    do throws(ClientError) {
      let arguments = try Arguments(words, of: command)
      if arguments.has("--help") {
        Terminal.write(Help.text(of: command))
        return ExitStatus.success
      }
      return try ClientTool(command: command, arguments: arguments, check: check).run()
    } catch {
      if let refusal = error.refusal, words.contains("--json") {
        Terminal.print([JSONValue.object(["error": .object(refusal)]).description])
      }
      Terminal.write("reveille: \(error.message)\n", to: STDERR_FILENO)
      return error.status
    }
  }

  private init(command: Command, arguments: Arguments, check: @escaping @Sendable (NodeConfiguration) -> String?) {
    self.command = command
    self.arguments = arguments
    self.check = check
  }

  private func run() throws(ClientError) -> Int32 {
    switch command.name {
    case "doctor": return try Doctor(arguments, style: terminal.style, check: check).run(isJSON: isJSON)
    case "watch": return try watch()
    case "events": return try events()
    case "settings": return try settings()
    case "health": return try health()
    case "info": return try info()
    case "nodes": return try nodes()
    default: return try ask()
    }
  }

  // MARK: Requests

  private func ask() throws(ClientError) -> Int32 {
    let (operation, body) = try request()
    let session = try NodeSession(try ClientSettings(arguments))
    defer { session.close() }
    try session.connect()
    let data = try answer(operation, body, session)
    if isJSON {
      Terminal.print([data.description])
    } else {
      Terminal.print(lines(operation, data))
    }
    return ExitStatus.success
  }

  private func request() throws(ClientError) -> (operation: String, body: JSONObject) {
    switch command.name {
    case "schedule": return ("schedule", try RequestBody.alarm(arguments, of: command, isTimer: false, base: try file()))
    case "timer": return ("schedule", try RequestBody.alarm(arguments, of: command, isTimer: true, base: try file()))
    case "preview": return ("preview", try RequestBody.alarm(arguments, of: command, isTimer: false, base: try file()))
    case "update": return ("update", try RequestBody.update(arguments, of: command, base: try file()))
    default:
      guard let request = try RequestBody.simple(arguments, of: command) else { throw .usage(CommandTable.unknown(command.name)) }
      return request
    }
  }

  /// The document that `--file` names.
  private func file() throws(ClientError) -> JSONObject? {
    guard let name = arguments.value("--file") else { return nil }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: name == "-" ? StandardInput.read(limit: 1 << 16) : FileContents(path: name, limit: 1 << 16).bytes)
    } catch let error as FileContents.Failure {
      throw .usage("--file: \(Text.printable(name)) \(error.message)")
    } catch { throw .usage("--file: \(Text.printable(name)): \(error)") }
    guard let object = value.object else { throw .usage("--file: \(Text.printable(name)) must have a JSON object, not \(value.kind)") }
    return object
  }

  /// Asks; where there is no alarm of that id, once more with the id of the only alarm that may have been meant.
  private func answer(_ operation: String, _ body: JSONObject, _ session: NodeSession) throws(ClientError) -> JSONValue {
    do throws(ClientError) { return try session.request(operation, body) } catch {
      guard let typed = body["id"]?.string, !["schedule", "preview", "quick"].contains(operation),
        let code = error.refusal?["code"]?.string,
        code == "not_found" || (code == "invalid_argument" && error.refusal?["field"] == "id")
      else { throw error }
      // A node that allows no list leaves it at its first answer.
      let list: [JSONObject]
      do throws(ClientError) {
        list = try session.request("list", JSONObject()).object?["alarms"]?.array?.compactMap(\.object) ?? []
      } catch { list = [] }
      switch AlarmName.meant(by: typed, in: list) {
      case .one(let id):
        var body = body
        body["id"] = .string(id)
        return try session.request(operation, body)
      case .several(let ids): throw error.adding("'\(Text.printable(typed))' may be \(ids.joined(separator: " or "))")
      case .none(let nearest?): throw error.adding("did you mean '\(nearest)'?")
      case .none(nil): throw error.adding("'reveille list' shows what there is")
      }
    }
  }

  private func lines(_ operation: String, _ data: JSONValue) -> [String] {
    switch command.name {
    case "list": report.table(data.object?["alarms"]?.array?.compactMap(\.object) ?? [])
    case "show": report.document(data)
    case "preview": report.preview(data)
    case "test":
      data.object?["muted"]?.string.map { ["nobody hears it: the node is \(Text.printable($0))"] } ?? ["it sounds"]
    default: report.outcomes(operation, data)
    }
  }

  // MARK: Retained documents

  /// Waits until a retained document is there; answers it and the node's availability.
  private func retained(_ topic: String, _ session: NodeSession) throws(ClientError) -> (JSONObject, availability: String?) {
    try session.connect()
    guard let object = try session.retained(topic).object else { throw .noAnswer("what is on \(topic) is no document") }
    return (object, session.nodes[session.settings.node])
  }

  private func health() throws(ClientError) -> Int32 {
    let settings = try ClientSettings(arguments)
    let session = try NodeSession(settings, filters: [settings.topics.health])
    defer { session.close() }
    let (document, availability) = try retained(settings.topics.health, session)
    Terminal.print(isJSON ? [document.description] : report.health(document, availability: availability))
    return availability == "online" && document["ready"]?.bool == true ? ExitStatus.success : ExitStatus.refused
  }

  private func info() throws(ClientError) -> Int32 {
    let settings = try ClientSettings(arguments)
    let session = try NodeSession(settings, filters: [settings.topics.info])
    defer { session.close() }
    let (document, _) = try retained(settings.topics.info, session)
    Terminal.print(isJSON ? [document.description] : report.document(.object(document)))
    return ExitStatus.success
  }

  private func nodes() throws(ClientError) -> Int32 {
    let session = try NodeSession(try ClientSettings(arguments))
    defer { session.close() }
    try session.connect()
    try session.settle()
    let nodes = session.nodes.filter { Names.isLevel($0.key) }.sorted { $0.key < $1.key }
    if isJSON {
      Terminal.print(nodes.map { JSONValue.object(["node": .string($0.key), "availability": .string($0.value)]).description })
    } else {
      Terminal.print(nodes.isEmpty ? ["no nodes"] : nodes.map { "\($0.key)  \(Text.printable($0.value))" })
    }
    return ExitStatus.success
  }

  private func settings() throws(ClientError) -> Int32 {
    let words = arguments.words
    guard words.isEmpty || (words.count == 3 && words[0] == "set") else {
      throw .usage("settings: nothing, or set SETTING VALUE, such as 'reveille settings set volume 50'")
    }
    let settings = try ClientSettings(arguments)
    let session = try NodeSession(settings, filters: [settings.topics.setting("+")])
    defer { session.close() }
    try session.connect()
    guard words.isEmpty else {
      guard Names.isLevel(words[1]) else { throw .usage("settings: '\(Text.printable(words[1]))' is no setting") }
      let value = try session.set(words[1], to: words[2])
      Terminal.print(isJSON ? [JSONValue.object([words[1]: .string(value)]).description] : ["\(words[1])  \(Text.printable(value))"])
      return ExitStatus.success
    }
    let values = try session.retained(below: settings.topics.setting("")).sorted { $0.key < $1.key }
    if isJSON {
      Terminal.print([JSONValue.object(JSONObject(values.map { ($0.key, .string($0.value)) })).description])
    } else {
      Terminal.print(values.map { "\(Text.column($0.key, 8))  \(Text.printable($0.value))" })
    }
    return ExitStatus.success
  }
}
