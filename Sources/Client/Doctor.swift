import Configuration
import Glibc
import JSON
import LinuxSupport
import MQTTTransport

/// `reveille doctor`: looks at one thing after another and says of each what is wrong and what to do.
struct Doctor {
  private let arguments: Arguments
  private let style: Style
  private let check: @Sendable (NodeConfiguration) -> String?

  init(_ arguments: Arguments, style: Style, check: @escaping @Sendable (NodeConfiguration) -> String?) {
    self.arguments = arguments
    self.style = style
    self.check = check
  }

  /// Prints a line for each check as it is done; answers the exit status.
  func run(isJSON: Bool) throws(ClientError) -> Int32 {
    var hasFailure = false
    func tell(_ findings: [Finding]) {
      for finding in findings { Terminal.print([isJSON ? finding.json.description : finding.line(style)]) }
      if findings.contains(where: { $0.verdict == .fail }) { hasFailure = true }
    }
    let settings: ClientSettings
    do throws(ClientError) { settings = try ClientSettings(arguments) } catch {
      // A mistake in an option or a variable is no finding, one in the file is.
      guard error.message.contains(": "), let file = arguments.value("--config") ?? Self.defaultFile else { throw error }
      tell([Finding(.fail, "config", "\(error.message.split(separator: "\n").joined(separator: "; ")); correct \(file)")])
      return ExitStatus.refused
    }
    tell([configuration(settings)])
    tell(remote(settings))
    // Another machine's node has its own clock, card and chips, which its health speaks of.
    let local = LocalChecks(configuration: settings.configuration)
    tell([local.clock()])
    if settings.file != nil { tell([local.card()].compactMap(\.self) + local.chips()) }
    return hasFailure ? ExitStatus.refused : ExitStatus.success
  }

  private static var defaultFile: String? { Glibc.access(ClientSettings.defaultFile, R_OK) == 0 ? ClientSettings.defaultFile : nil }

  private func configuration(_ settings: ClientSettings) -> Finding {
    guard let file = settings.file else {
      return Finding(
        .warn, "config", "\(ClientSettings.defaultFile) is missing or not readable for this user: REVEILLE_* variables and defaults count")
    }
    if let problem = check(settings.configuration) { return Finding(.fail, "config", "\(file): \(problem)") }
    return Finding(.ok, "config", "\(file): node \(settings.node), broker \(settings.broker)")
  }

  /// Broker, credentials, access rules and the node.
  private func remote(_ settings: ClientSettings) -> [Finding] {
    let topics = settings.topics
    let session: NodeSession
    do throws(ClientError) {
      session = try NodeSession(settings, filters: [topics.health, topics.info, topics.state])
    } catch { return [Finding(.fail, "broker", error.message)] }
    defer { session.close() }
    if let refusal = session.connectionFailure() {
      switch refusal.code {
      case .badCredentials, .notAuthorized:
        return [
          Finding(.ok, "broker", "\(settings.broker) answers"),
          Finding(
            .fail, "credentials", "\(refusal.message) (mqtt.username and password_file, or REVEILLE_USERNAME and REVEILLE_PASSWORD_FILE)"),
        ]
      default: return [Finding(.fail, "broker", refusal.message)]
      }
    }
    var findings = [
      Finding(.ok, "broker", "\(settings.broker) answers"),
      Finding(.ok, "credentials", settings.mqtt.username.map { "accepted for \($0)" } ?? "none needed"),
    ]
    findings += access(session)
    return findings + node(session)
  }

  /// Whether this user may ask and hear: by doing both.
  private func access(_ session: NodeSession) -> [Finding] {
    let base = session.settings.topics.base
    var findings: [Finding] = []
    for filter in session.refusedFilters {
      findings.append(
        Finding(.fail, "acl", "the broker refuses the subscription to \(filter): its access rules must let this user read it"))
    }
    do throws(ClientError) {
      _ = try session.request("list", JSONObject())
      findings.append(Finding(.ok, "acl", "requests are taken and answered below \(base)"))
    } catch {
      switch error.status {
      // A node that answers "not authorized" has been asked and was heard.
      case ExitStatus.refused: findings.append(Finding(.ok, "acl", "requests are taken and answered below \(base)"))
      default: findings.append(Finding(.fail, "acl", error.message))
      }
    }
    return findings
  }

  /// What the node says of itself.
  private func node(_ session: NodeSession) -> [Finding] {
    let settings = session.settings
    let availability = session.nodes[settings.node]
    guard availability == "online" else {
      let what = availability == nil ? "unknown to the broker" : "offline"
      return [Finding(.fail, "node", "\(settings.node) is \(what): start it ('reveille run', or 'systemctl start reveille')")]
    }
    var findings = [Finding(.ok, "node", "\(settings.node) is online")]
    let health: JSONObject
    do throws(ClientError) {
      health = try session.retained(settings.topics.health).object ?? JSONObject()
    } catch { return findings + [Finding(.fail, "health", error.message)] }
    let problems = (health["problems"]?.array ?? []).compactMap(\.object)
    findings += problems.map { problem in
      Finding(.fail, "health", "\(problem["code"]?.string ?? "?"): \(problem["message"]?.string ?? "")")
    }
    if problems.isEmpty { findings.append(Finding(.ok, "health", "the node is ready")) }
    let trust = health["clock"]?.object?["trust"]?.string ?? "unknown"
    if trust != "synced" {
      let advice = "no time service has set the node's clock: 'timedatectl set-ntp true' there starts one"
      findings.append(Finding(.warn, "node-clock", "\(trust): \(advice)"))
    }
    return findings
  }
}
