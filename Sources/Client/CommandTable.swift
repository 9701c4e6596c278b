import Configuration

/// All commands. Help, parsing, suggestions and shell completions come from here.
package enum CommandTable {
  package static let helpOption = Command.Option(name: "--help", value: nil, summary: "say what the command takes")

  /// What every command takes that talks to a node.
  package static let commonOptions = [
    Command.Option(name: "--node", value: "NAME", summary: "the node; else REVEILLE_NODE, or the configuration's"),
    Command.Option(
      name: "--config", value: "FILE", summary: "take node and connection from this file; REVEILLE_* variables then do not count"),
    Command.Option(name: "--json", value: nil, summary: "print what the node sends, as JSON, one document a line"),
    Command.Option(name: "--timeout", value: "DURATION", summary: "how long to wait for an answer, 10 s if left out"),
  ]

  package static let all = setCommands + controlCommands + lookCommands + nodeCommands + localCommands

  package static func command(named name: String) -> Command? { all.first { $0.name == name } }

  /// What to say about a command that there is not.
  package static func unknown(_ name: String) -> String {
    let hint = name.nearest(of: all.map(\.name)).map { "; did you mean '\($0)'?" } ?? "; 'reveille help' lists them"
    return "'\(Text.printable(name))' is no command\(hint)"
  }

  private static let setCommands = [
    Command(
      name: "schedule", group: .set, arguments: "TIME [TITLE]…", count: 0...99, summary: "set an alarm at a time",
      details:
        "TIME is a time of day (07:00), which means the next time that the clock shows it or, with --weekdays, each of those days; or an instant (2026-12-24T08:00).",
      options: AlarmOptions.scheduled, example: "reveille schedule 07:00 --weekdays mon-fri --title \"Wake up\""),
    Command(
      name: "timer", group: .set, arguments: "DURATION [TITLE]…", count: 0...99, summary: "start a timer",
      details: "DURATION is a number of seconds, 10m, 1h30m, 00:10:00 or PT10M.", options: AlarmOptions.all,
      example: "reveille timer 10m Pasta"),
    Command(
      name: "quick", group: .set, arguments: "WORDS…", count: 1...99, summary: "set what a few words say",
      details: "Such as 07:00 mon-fri Work; tomorrow 6:30; 2026-12-24 08:00 Tree; in 10m Pasta.", options: [AlarmOptions.id],
      example: "reveille quick tomorrow 6:30 Airport"),
    Command(
      name: "update", group: .set, arguments: "ALARM", count: 1...1, summary: "change some of an alarm's values",
      details: "What is not named stays. --file has members of the alarm document, where null removes one.",
      options: AlarmOptions.update, example: "reveille update wake-up --volume 60"),
    Command(
      name: "siren", group: .set, arguments: "on|off", count: 1...1, summary: "sound at once until switched off",
      options: [
        .init(name: "--sound", value: "NAME", summary: "what sounds", key: "tone"),
        .init(name: "--volume", value: "0-1", summary: "how loud, from 0 to 1", key: "volume_level"),
        .init(name: "--duration", value: "DURATION", summary: "how long at most", key: "duration"),
      ], choices: ["on", "off"], example: "reveille siren on --duration 10"),
  ]

  private static let controlCommands = [
    Command(
      name: "stop", group: .control, arguments: "[ALARM]", count: 0...1, summary: "end what rings or counts down",
      details: "Without ALARM: all that ring or, if none does, those that are snoozed.", options: [AlarmOptions.occurrence],
      example: "reveille stop"),
    Command(
      name: "snooze", group: .control, arguments: "[ALARM]", count: 0...1, summary: "let what rings come again later",
      details: "Without ALARM: all that ring.",
      options: [
        .init(name: "--for", value: "DURATION", summary: "how long; else as the alarm says", key: "duration"), AlarmOptions.occurrence,
      ],
      example: "reveille snooze --for 5m"),
    Command(
      name: "pause", group: .control, arguments: "[ALARM]", count: 0...1, summary: "hold a countdown",
      details: "Without ALARM: all timers.", options: [AlarmOptions.occurrence], example: "reveille pause pasta"),
    Command(
      name: "resume", group: .control, arguments: "[ALARM]", count: 0...1, summary: "go on with a paused countdown",
      details: "Without ALARM: all timers.", options: [AlarmOptions.occurrence], example: "reveille resume pasta"),
    Command(
      name: "skip", group: .control, arguments: "ALARM", count: 1...1, summary: "leave out the next occurrence of a repeating alarm",
      example: "reveille skip wake-up"),
    Command(
      name: "unskip", group: .control, arguments: "ALARM", count: 1...1, summary: "restore the skipped occurrence",
      example: "reveille unskip wake-up"),
    Command(
      name: "adjust", group: .control, arguments: "ALARM INSTANT|restore", count: 2...2,
      summary: "move the next occurrence of a repeating alarm", choices: ["restore"],
      example: "reveille adjust wake-up 2026-12-24T06:30"),
    Command(
      name: "enable", group: .control, arguments: "ALARM", count: 1...1, summary: "let a disabled alarm ring again",
      example: "reveille enable wake-up"),
    Command(
      name: "disable", group: .control, arguments: "ALARM", count: 1...1, summary: "keep an alarm but never let it ring",
      example: "reveille disable wake-up"),
    Command(
      name: "cancel", group: .control, arguments: "ALARM", count: 1...1, summary: "remove an alarm", example: "reveille cancel pasta"),
  ]

  private static let lookCommands = [
    Command(
      name: "list", group: .look, summary: "all alarms in a table, the most urgent first", example: "reveille list"),
    Command(
      name: "show", group: .look, arguments: "ALARM", count: 1...1, summary: "one alarm with all its values",
      example: "reveille show wake-up"),
    Command(
      name: "watch", group: .look, summary: "all countdowns, live",
      details:
        "In a terminal it is redrawn in place until Ctrl-C; elsewhere each tick and each change of state is a line. NO_COLOR is heeded.",
      example: "reveille watch"),
    Command(
      name: "events", group: .look, summary: "what happens, as it happens", details: "Until Ctrl-C.", example: "reveille events"),
    Command(
      name: "preview", group: .look, arguments: "TIME [TITLE]…", count: 0...99, summary: "when an alarm would ring, without setting it",
      details: "TIME and options are those of schedule.",
      options: [
        .init(name: "--from", value: "INSTANT", summary: "from when on; now if left out", key: "from"),
        .init(name: "--count", value: "N", summary: "how many, 10 if left out", key: "count"),
      ] + AlarmOptions.scheduled,
      example: "reveille preview 02:30 --weekdays daily --count 3"),
  ]

  private static let nodeCommands = [
    Command(
      name: "test", group: .node, summary: "sound for a moment",
      options: [
        .init(name: "--sound", value: "NAME", summary: "what sounds", key: "sound"),
        .init(name: "--volume", value: "1-100", summary: "how loud", key: "volume"),
        .init(name: "--duration", value: "DURATION", summary: "how long, 3 s if left out, at most 60 s", key: "duration"),
        .init(
          name: "--output", value: "OUTPUT", summary: "on this output only", choices: ["speaker", "buzzer", "light"], isRepeatable: true,
          key: "outputs"),
      ], example: "reveille test --volume 40"),
    Command(
      name: "settings", group: .node, arguments: "[set SETTING VALUE]", count: 0...3, summary: "show the node's settings, or set one",
      details: "SETTING is volume, sound, snooze, muted, silent or focus.",
      choices: ["set", "volume", "sound", "snooze", "muted", "silent", "focus"], example: "reveille settings set volume 50"),
    Command(
      name: "health", group: .node, summary: "whether an alarm would ring",
      details: "The exit status is 1 where the node is offline or not ready.", example: "reveille health"),
    Command(name: "info", group: .node, summary: "what the node is and can do", example: "reveille info"),
    Command(name: "nodes", group: .node, summary: "the nodes that the broker knows", example: "reveille nodes"),
    Command(
      name: "doctor", group: .node, summary: "look for what keeps alarms from ringing, and say what to do",
      details: "Looks at the configuration, the broker, this machine's clock, sound card and GPIO chips, and at the node.",
      example: "reveille doctor"),
  ]

  private static let localCommands = [
    Command(
      name: "run", group: .local, summary: "run the alarm node until it is stopped",
      options: [.init(name: "--config", value: "FILE", summary: "the configuration")], example: "reveille run --config bedroom.yaml"),
    Command(
      name: "check-config", group: .local, arguments: "[FILE]", count: 0...1, summary: "say what is wrong with a configuration, by line",
      example: "reveille check-config bedroom.yaml"),
    Command(
      name: "simulate", group: .local, arguments: "FILE", count: 1...1, summary: "say what the alarms in a JSON file would do",
      details:
        "FILE has one alarm document, a list of them, or the reply to a list request. Takes it that somebody stops each ring at once.",
      options: [
        .init(name: "--zone", value: "ZONE", summary: "the time zone; the system's if left out"),
        .init(name: "--from", value: "INSTANT", summary: "when it begins; now if left out"),
        .init(name: "--days", value: "N", summary: "how many days, 14 if left out"),
        .init(name: "--unanswered", value: nil, summary: "nobody stops anything"),
      ], example: "reveille simulate --days 2 alarms.json"),
    Command(
      name: "completion", group: .local, arguments: "bash|zsh|fish", count: 1...1, summary: "print completions for a shell",
      choices: ["bash", "zsh", "fish"], example: "reveille completion bash"),
    Command(
      name: "version", group: .local, summary: "print the program's version", example: "reveille version"),
    Command(
      name: "help", group: .local, arguments: "[COMMAND]", count: 0...1, summary: "say what there is, or what a command takes",
      example: "reveille help schedule"),
  ]
}
