import Glibc
import JSON
import Synchronization

/// The real program `reveille run` with a configuration, a state directory and a sound card of its own.
package final class NodeProcess: Sendable {
  package let broker: BrokerProcess
  package let directory: TemporaryDirectory
  /// Hears all that is published at the broker.
  package let listener: MQTTListener
  /// What its sound card was given.
  package let sound: SoundRecording
  /// `reveille/bedroom`.
  package let base = "reveille/bedroom"
  package let configurationFile: String
  private let process: Mutex<Subprocess?> = Mutex(nil)

  /// The program next to the running test bundle, from the same build.
  package static let program: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let bundle = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/reveille"
  }()

  /// Prepares a node; it does not run yet.
  ///
  /// - Parameters:
  ///   - port: where it connects, if not to the broker directly.
  ///   - mqtt: further members of the section `mqtt`, as YAML.
  ///   - settings: further lines of the configuration.
  package init(_ broker: BrokerProcess, port: UInt16? = nil, mqtt: String = "", settings: [String] = []) throws {
    self.broker = broker
    let directory = try TemporaryDirectory()
    self.directory = directory
    sound = SoundRecording(directory.path(of: "sound.raw"))
    try directory.write(
      "asound.conf",
      """
      </usr/share/alsa/alsa.conf>
      pcm.!default {
        type plug
        slave { format S16_LE rate 48000 channels 2 pcm { type file format raw file "\(sound.path)" slave.pcm "null" } }
      }

      """)
    mkdir(directory.path(of: "sounds"), 0o755)
    var lines = [
      "node: bedroom", "state_directory: \(directory.path(of: "state"))", "sounds_directory: \(directory.path(of: "sounds"))",
      "mqtt: {host: 127.0.0.1, port: \(port ?? broker.port)\(mqtt.isEmpty ? "" : ", " + mqtt)}",
      "outputs: {speaker: {device: default}}",
    ]
    if !settings.contains(where: { $0.hasPrefix("time_zone:") }) { lines.append("time_zone: UTC") }
    lines += settings
    configurationFile = try directory.write("reveille.yaml", lines.joined(separator: "\n") + "\n")
    listener = try MQTTListener(broker)
  }

  /// A broker and a node of its own that is online.
  package static func running(mqtt: String = "", settings: [String] = []) async throws -> NodeProcess {
    let node = try NodeProcess(BrokerProcess(), mqtt: mqtt, settings: settings)
    try await node.start()
    return node
  }

  // MARK: Life

  /// Starts the program and waits until it is online. Answers what was published from the start up to `online`.
  @discardableResult
  package func start() async throws -> [MQTTListener.Message] {
    let mark = listener.mark
    try launch()
    do {
      return try await listener.all(after: mark, until: "online") { [base] in $0.topic == "\(base)/availability" && $0.payload == "online" }
    } catch { throw TestSupportError("\(error)\nThe node says: \(log.joined(separator: "\n"))") }
  }

  /// Starts the program, with more in its environment, and waits for nothing.
  package func launch(environment more: [String] = []) throws {
    var environment = more + ["ALSA_CONFIG_PATH=\(directory.path(of: "asound.conf"))", "PATH=/usr/bin:/bin"]
    for name in ["LD_LIBRARY_PATH", "LLVM_PROFILE_FILE"] {
      if let value = getenv(name) { environment.append("\(name)=\(String(cString: value))") }
    }
    let started = try Subprocess([Self.program, "run", "--config", configurationFile], environment: environment)
    process.withLock { $0 = started }
  }

  /// The lines of its standard error.
  package var log: [String] { process.withLock { $0?.errors.all ?? [] } }

  /// Waits for a line of its standard error; `nil` if none comes.
  package func logLine(containing text: String) -> String? {
    process.withLock { $0 }?.errors.first(within: MQTTListener.patience) { $0.contains(text) }
  }

  package func signal(_ number: Int32) { process.withLock { $0?.signal(number) } }

  /// Holds the program, as if it got no time on the processor.
  package func freeze() { signal(SIGSTOP) }

  package func thaw() { signal(SIGCONT) }

  /// Ends it without a chance to do anything.
  package func kill() {
    signal(SIGKILL)
    _ = exitStatus()
  }

  /// Waits for its end; 128 plus the signal where one ended it.
  package func exitStatus(within milliseconds: Int = 20_000) -> Int32? { process.withLock { $0 }?.wait(within: milliseconds) }

  // MARK: Speaking to it

  /// Publishes below the node's topics.
  package func publish(_ topic: String, _ payload: String, _ options: [String] = []) async throws {
    let content = payload.isEmpty ? ["-n"] : ["-m", payload]
    try await send(topic, content + options)
  }

  /// Runs `mosquitto_pub` with these arguments on one of the node's topics.
  package func send(_ topic: String, _ arguments: [String], input: String? = nil) async throws {
    let target = ["-h", "127.0.0.1", "-p", String(broker.port), "-t", "\(base)/\(topic)"]
    let command = ["mosquitto_pub", "-V", "5", "-q", "1"] + target + broker.clientOptions + arguments
    try await blocking {
      let publisher = try Subprocess(command)
      if let input { publisher.write(input) }
      publisher.closeInput()
      guard publisher.wait() == 0 else { throw TestSupportError("mosquitto_pub \(arguments): \(publisher.errors.all)") }
    }
  }

  /// Publishes a request and waits for the reply on the ordinary topic.
  @discardableResult
  package func request(_ operation: String, _ body: String, _ options: [String] = []) async throws -> JSONValue {
    let mark = listener.mark
    try await publish("request/\(operation)", body, options)
    return try await reply(operation, after: mark)
  }

  /// Publishes a word on an alarm's `set` topic and waits for the reply.
  @discardableResult
  package func word(_ word: String, _ id: String, _ options: [String] = []) async throws -> JSONValue {
    let mark = listener.mark
    try await publish("alarms/\(id)/set", word, options)
    return try await reply(word, after: mark)
  }

  package func reply(_ operation: String, after mark: Int) async throws -> JSONValue {
    let topic = "\(base)/response/\(operation)"
    return try await listener.first(after: mark, "a reply to \(operation)") { $0.topic == topic }.json
  }

  /// Waits until an alarm's document has a state; answers the document.
  @discardableResult
  package func state(_ id: String, _ state: String, after mark: Int = 0) async throws -> JSONValue {
    let topic = "\(base)/alarms/\(id)/state"
    return try await listener.first(after: mark, "\(id) \(state)") { $0.topic == topic && $0.json["state"]?.string == state }.json
  }

  /// Waits for an event about an alarm.
  @discardableResult
  package func event(_ type: String, _ id: String, after mark: Int = 0) async throws -> JSONValue {
    let topic = "\(base)/event"
    return try await listener.first(after: mark, "event \(type) of \(id)") {
      $0.topic == topic && $0.json["event_type"]?.string == type && $0.json["id"]?.string == id
    }.json
  }

  /// The payloads of all events of a type about an alarm after a mark.
  package func events(_ type: String, _ id: String, after mark: Int = 0) -> [JSONValue] {
    listener.messages(after: mark).filter { $0.topic == "\(base)/event" }.map(\.json)
      .filter { $0["event_type"]?.string == type && $0["id"]?.string == id }
  }
}
