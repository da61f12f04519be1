internal import ArgumentParser

/// The hidden command `oxbowctl document`: all commands as Markdown, for `docs/oxbowctl.md`, or as
/// a page for `man`, for `docs/oxbowctl.1`.
struct DocumentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "document", abstract: "Writes what all commands do.", shouldDisplay: false)

  @Flag(name: .long, help: "Write a page for man, not Markdown.")
  var man = false

  static let exitCodes = [
    (0, "done, or nothing to do"), (1, "failed"),
    (2, "findings of a check; with --exit-code: steps are pending"), (64, "usage"),
    (65, "a migration file is bad"), (69, "no store, or it cannot be read"),
    (73, "refused because it is not safe"), (75, "the store is in use; try again"),
    (130, "interrupted; run it again to go on"),
  ]

  func run() throws {
    let commands = CommandText.all(RootCommand.self)
    print(man ? ManPage.text(commands) : Self.markdown(commands), terminator: "")
  }

  private static func markdown(_ commands: [CommandText]) -> String {
    let parts = commands.map { command in
      "## oxbowctl\(command.words.isEmpty ? "" : " " + command.words)\n\n```\n\(command.help)\n```\n"
        + (JSONFields.results[command.words].map { "\n" + table("result", $0) } ?? "")
    }
    let codes = exitCodes.map { "| \($0.0) | \($0.1) |\n" }.joined()
    return """
      # oxbowctl

      Written by `oxbowctl document`; `man -l docs/oxbowctl.1` has the same for a terminal. How to
      install completions for bash, zsh and fish is in [the guide](guide/migrations.md#completions).

      | Exit code | Meaning |
      | --- | --- |
      \(codes)
      Results go to the standard output, messages and progress to the standard error. Colours are left
      out when that is not a terminal, with `--no-color`, with `NO_COLOR` and with `TERM=dumb`; messages
      and progress with `-q`. No command asks anything, in a terminal or elsewhere.

      `OXBOW_STORE` and `OXBOW_MIGRATIONS` say which store and which folder the commands of `migrate`
      are for, where `--store` and `--migrations` are left out.

      ## JSON

      Each command has `--json`: one document `{"format": 1, "command": "…", "result": {…}}`, or
      `{"format": 1, "command": "…", "error": {…}}` with the same exit code as without, also where the
      arguments are wrong. Fields may be added in any version; `format` counts up when one changes its meaning or goes. A field without
      a value is left out. Below, `[]` goes through a list and `{}` through the values of names.

      \(table("error", JSONFields.failure))

      """ + parts.joined(separator: "\n")
  }

  private static func table(_ title: String, _ fields: String) -> String {
    "| `\(title)` as JSON | |\n| --- | --- |\n"
      + fields.split(separator: "\n").map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return "| `\(parts[0])` |\(parts.count > 1 ? parts[1] : "") |\n"
      }.joined()
  }
}

/// What a command says of itself.
struct CommandText {
  /// The words behind the program's name: "migrate apply".
  let words: String
  let help: String

  static func all(_ command: any ParsableCommand.Type, _ words: [String] = []) -> [CommandText] {
    let help = RootCommand.helpMessage(for: command, columns: 100)
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    return [CommandText(words: words.joined(separator: " "), help: lines.joined(separator: "\n"))]
      + command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .flatMap { all($0, words + [$0._commandName]) }
  }
}

/// A page for `man`, from the texts of the commands.
enum ManPage {
  static func text(_ commands: [CommandText]) -> String {
    let parts = commands.filter { !$0.words.isEmpty }.map { command in
      ".SS \"\(escaped(command.words))\"\n.nf\n\(lines(command.help))\n.fi\n"
    }
    let codes = DocumentCommand.exitCodes.map { ".TP\n\($0.0)\n\(escaped($0.1))\n" }.joined()
    return """
      .\\" Written by 'oxbowctl document --man'.
      .TH OXBOWCTL 1 "" "Oxbow \(ToolVersion.current)" "Oxbow"
      .SH NAME
      oxbowctl \\- \(escaped(RootCommand.configuration.abstract))
      .SH SYNOPSIS
      .B oxbowctl
      .I COMMAND
      [\\fIOPTION\\fR ...]
      .SH DESCRIPTION
      .nf
      \(lines(commands.first?.help ?? ""))
      .fi
      .SH COMMANDS
      \(parts.joined()).SH "EXIT STATUS"
      \(codes).SH ENVIRONMENT
      .TP
      NO_COLOR, TERM=dumb
      No colours are written.
      .TP
      OXBOW_STORE, OXBOW_MIGRATIONS
      The store and the folder of migrations of the commands of \\fBmigrate\\fR, where \\-\\-store and
      \\-\\-migrations are left out.
      .SH "SEE ALSO"
      .BR sqlite3 (1)

      """
  }

  private static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
      .joined(separator: "\n")
  }

  /// A line begins with no request, and signs are those of the keyboard.
  private static func escaped(_ line: String) -> String {
    var text = ""
    for character in line {
      switch character {
      case "\\": text += "\\e"
      case "-": text += "\\-"
      default: text.append(character)
      }
    }
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
