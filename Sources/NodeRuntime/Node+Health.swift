import AlarmEngine
import AlarmStore
import Configuration
import JSON
import LinuxSupport
import NodeProtocol

// The retained documents about the node itself: info and health.
extension Node {
  var infoMessage: NodeMessage {
    let info = InfoDocument(
      node: configuration.node, timeZone: engine.configuration.context.localZone.identifier, sounds: sounds.sorted,
      outputs: configuration.outputDescriptions, buttons: configuration.buttonDescriptions, maximumAlarms: configuration.limits.alarms,
      operations: allowedOperations)
    return NodeMessage(topic: topics.info, payload: info.json.description, isRetained: true)
  }

  /// What is wrong at this moment.
  private var problems: [HealthDocument.Problem] {
    var problems = engine.problems.map { HealthDocument.Problem(code: $0.code, message: $0.message) }
    for (output, error) in outputErrors {
      problems.append(HealthDocument.Problem(code: "output_failed", message: "\(output.rawValue): \(error.message)"))
    }
    for (index, error) in buttonErrors {
      problems.append(HealthDocument.Problem(code: "button_failed", message: "button \(index + 1): \(error.message)"))
    }
    for (sound, error) in soundErrors {
      problems.append(
        HealthDocument.Problem(
          code: "sound_failed",
          message: "the sound \(sound) cannot be played, the built-in tone would sound in its place: \(error.message)"))
    }
    if let name = setAside.damaged.last {
      problems.append(
        HealthDocument.Problem(
          code: "storage_damaged",
          message:
            "the stored alarms were damaged; what could be read is in use, the file is kept as \(name). Look through the alarms, then move it out of \(configuration.stateDirectory)"
        ))
    }
    if let name = setAside.newer.last {
      problems.append(
        HealthDocument.Problem(
          code: "storage_newer",
          message:
            "the stored alarms are of a newer version; what could be understood is in use, the file is kept as \(name). Install the newer version and put it back as reveille.db, or move it out of \(configuration.stateDirectory)"
        ))
    }
    if configuration.outputs.speaker == nil, configuration.outputs.buzzer == nil {
      problems.append(
        HealthDocument.Problem(code: "no_output", message: "neither a speaker nor a buzzer is configured: no alarm will sound"))
    }
    if let configurationProblem {
      problems.append(
        HealthDocument.Problem(
          code: "configuration_wrong", message: "the configuration file has a mistake, and the one before stays: \(configurationProblem)"))
    }
    // Older brokers only close the connection that is taken over.
    if brokerError?.code == .sessionTakenOver || brokerError?.code == .repeatedlyDropped {
      problems.append(
        HealthDocument.Problem(
          code: "name_taken", message: "another client seems to use this node's name; give each node a name of its own"))
    }
    return problems
  }

  func updateHealth() {
    let now = SystemClock.elapsedMilliseconds()
    var document = healthDocument(now: now)
    if now >= healthDueAt {
      lookForFilesSetAside()
      return publishHealth()
    }
    guard var published = publishedHealth else { return }
    if document.waitingEvents != published.waitingEvents {
      // Each event waits for a moment; a number that stands is news.
      healthDueAt = min(healthDueAt, now + Self.waitingEventsDelay)
      document.waitingEvents = published.waitingEvents
    }
    published.uptime = document.uptime
    if document != published { publishHealth() }
  }

  /// Whoever moves such a file away has seen to it.
  private func lookForFilesSetAside() {
    guard !setAside.damaged.isEmpty || !setAside.newer.isEmpty else { return }
    let (directory, mailbox) = (configuration.stateDirectory, mailbox)
    store.run {
      let names = AlarmStore.namesSetAside(in: directory)
      mailbox.post(.setAside(damaged: names.damaged, newer: names.newer))
    }
  }

  /// Says what was wrong with the state at the start.
  func logOpening() {
    guard let problem = store.problem else { return }
    log.write(.error, "state_directory: \(problem.message)")
    if let keptAs = store.keptAs { log.write(.error, "the file is kept as \(keptAs)") }
    let consequence = store.isClosed ? "changes are held in memory until they can be written" : "they are stored again"
    log.write(.error, "\(store.contents.alarms.count) alarms could be read; \(consequence)")
  }

  func publishHealth() {
    let now = SystemClock.elapsedMilliseconds()
    healthDueAt = now + Self.healthInterval
    let document = healthDocument(now: now)
    publishedHealth = document
    publish(NodeMessage(topic: topics.health, payload: document.json.description, isRetained: true))
  }

  private func healthDocument(now: Int64) -> HealthDocument {
    health.update(problems, now: now)
    var states: [String: Bool] = [:]
    if configuration.outputs.speaker != nil { states["speaker"] = outputErrors[.speaker] == nil }
    if configuration.outputs.buzzer != nil { states["buzzer"] = outputErrors[.buzzer] == nil }
    if configuration.outputs.light != nil { states["light"] = outputErrors[.light] == nil }
    return HealthDocument(
      problems: health.standing, clockTrust: engine.trust.rawValue, outputs: states,
      isStorageWritable: engine.storageError == nil, waitingEvents: engine.waitingEvents.count, uptime: (now - startedAt) / 1000)
  }
}
