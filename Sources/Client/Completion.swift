/// Completions for shells, from the table.
package enum Completion {
  /// - Returns: `nil` for a shell that there is nothing for.
  package static func script(for shell: String) -> String? {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    case "fish": fish
    default: nil
    }
  }

  private static var names: String { CommandTable.all.map(\.name).joined(separator: " ") }

  /// Words that may follow a command, and those that may follow one of its options.
  private static var bash: String {
    var cases = ""
    for command in CommandTable.all {
      let options = command.allOptions.map(\.name).joined(separator: " ")
      let words = command.name == "help" ? names : command.choices.joined(separator: " ")
      cases += "    \(command.name)) options='\(options)' words='\(words)' ;;\n"
    }
    var values = ""
    var known: Set<String> = []
    for option in CommandTable.all.flatMap(\.allOptions) where option.value != nil && known.insert(option.name).inserted {
      let offer =
        ["--file", "--config"].contains(option.name)
        ? #"mapfile -t COMPREPLY < <(compgen -f -- "$current")"#
        : #"mapfile -t COMPREPLY < <(compgen -W '\#(option.choices.joined(separator: " "))' -- "$current")"#
      values += "    \(option.name)) \(offer); return ;;\n"
    }
    return #"""
      # bash completion for reveille
      _reveille() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options='' words=''
        if ((COMP_CWORD == 1)); then
          mapfile -t COMPREPLY < <(compgen -W '\#(names)' -- "$current")
          return
        fi
        case $previous in
      \#(values)  esac
        case ${COMP_WORDS[1]} in
      \#(cases)  esac
        if [[ $current == -* ]]; then
          mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        elif [[ -n $words ]]; then
          mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        else
          mapfile -t COMPREPLY < <(compgen -f -- "$current")
        fi
      }
      complete -F _reveille reveille

      """#
  }

  /// In single quotes, for any of the shells.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  private static var zsh: String {
    /// Characters that `_arguments` and `_describe` would take for their own.
    func plain(_ text: String) -> String { String(text.flatMap { "[]:\\".contains($0) ? ["\\", $0] : [$0] }) }
    let commands = CommandTable.all.map { "    " + quoted("\($0.name):\(plain($0.summary))") }.joined(separator: "\n")
    var cases = ""
    for command in CommandTable.all {
      var specifications = command.allOptions.map { option in
        let action = ["--file", "--config"].contains(option.name) ? "_files" : "(\(option.choices.joined(separator: " ")))"
        let value = option.value.map { ":\(plain($0)):\(action)" } ?? ""
        return quoted("\(option.isRepeatable ? "*" : "")\(option.name)[\(plain(option.summary))]\(value)")
      }
      let words = command.name == "help" ? names : command.choices.joined(separator: " ")
      specifications.append(quoted(words.isEmpty ? "*:argument:_files" : "*:argument:(\(words))"))
      cases += "    \(command.name)) _arguments \(specifications.joined(separator: " ")) ;;\n"
    }
    return """
      #compdef reveille
      _reveille() {
        local -a commands
        commands=(
      \(commands)
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        shift words
        (( CURRENT-- ))
        case $words[1] in
      \(cases)  esac
      }
      compdef _reveille reveille

      """
  }

  private static var fish: String {
    var lines = ["# fish completion for reveille", "complete -c reveille -f"]
    for command in CommandTable.all {
      lines.append("complete -c reveille -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
      let condition = quoted("__fish_seen_subcommand_from \(command.name)")
      let words = command.name == "help" ? names : command.choices.joined(separator: " ")
      if !words.isEmpty { lines.append("complete -c reveille -n \(condition) -a \(quoted(words))") }
      for option in command.allOptions {
        let value = option.value == nil ? "" : option.name == "--file" || option.name == "--config" ? " -r -F" : " -x"
        let choices = option.choices.isEmpty ? "" : " -a \(quoted(option.choices.joined(separator: " ")))"
        lines.append("complete -c reveille -n \(condition) -l \(option.name.dropFirst(2))\(value)\(choices) -d \(quoted(option.summary))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
