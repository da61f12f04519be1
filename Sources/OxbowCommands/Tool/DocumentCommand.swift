internal import ArgumentParser

/// The hidden command `oxbowctl document`: all commands as Markdown, for `docs/oxbowctl.md`.
struct DocumentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "document", abstract: "Writes what all commands do, as Markdown.",
    shouldDisplay: false)

  private static let exitCodes = [
    (0, "done, or nothing to do"), (1, "failed"),
    (2, "findings of a check; with --exit-code: steps are pending"), (64, "usage"),
    (65, "a migration file is bad"), (69, "no store, or it cannot be read"),
    (73, "refused because it is not safe"), (75, "the store is in use; try again"),
  ]

  func run() throws {
    let parts = Self.texts(RootCommand.self, []).map { words, text in
      "## \(words)\n\n```\n\(text)\n```\n"
    }
    let codes = Self.exitCodes.map { "| \($0.0) | \($0.1) |\n" }.joined()
    print(
      """
      # oxbowctl

      Written by `oxbowctl document`. Each command has `--json`: one document
      `{format, command, result}` or `{format, command, error}`; `format` counts up when a field
      changes its meaning. `oxbowctl --generate-completion-script bash` (or zsh, fish) writes
      completions for a shell, `oxbowctl help COMMAND` the text below.

      | Exit code | Meaning |
      | --- | --- |
      \(codes)

      """ + parts.joined(separator: "\n"), terminator: "")
  }

  private static func texts(
    _ command: any ParsableCommand.Type, _ words: [String]
  ) -> [(String, String)] {
    let words = words + [command._commandName]
    let help = RootCommand.helpMessage(for: command, columns: 100)
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    let text = lines.joined(separator: "\n")
    return [(words.joined(separator: " "), text)]
      + command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .flatMap { texts($0, words) }
  }
}
