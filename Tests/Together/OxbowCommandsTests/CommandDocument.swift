import ArgumentParser
import Foundation
import OxbowTestSupport

@testable import OxbowCommands

/// `docs/oxbowctl.md`: what each command says of itself, and what the fields of its JSON mean.
///
/// The help in it and the page for `man` are those of the tool;
/// `OXBOW_WRITE_GOLDEN=1 swift test --filter DocumentTests` writes them anew. The rest of the
/// document is written by hand.
struct CommandDocument {
  static let path = "docs/oxbowctl.md"
  static let manPath = "docs/oxbowctl.1"

  let text: String

  /// What is before the first command.
  private let beginning: String

  /// What follows the help of a command, by its words: the table of its fields.
  private let rests: [String: String]

  init() throws {
    text = try PackageFolder.text(Self.path)
    let parts = text.components(separatedBy: Self.title)
    beginning = parts[0]
    rests = Dictionary(
      parts.dropFirst().map { part in
        let words = part.prefix { $0 != "\n" }.trimmingPrefix(" ")
        return (String(words), part.components(separatedBy: "\n```\n").dropFirst(2).joined())
      }, uniquingKeysWith: +)
  }

  private static let title = "\n## oxbowctl"

  // MARK: - Help

  /// What a command says of itself.
  struct Command {
    /// The words behind the program's name: "migrate apply".
    let words: String
    let help: String
    let isGroup: Bool
  }

  static let commands = all(RootCommand.self, [])

  private static func all(_ type: any ParsableCommand.Type, _ words: [String]) -> [Command] {
    let help = RootCommand.helpMessage(for: type, columns: 100)
      .replacing(#/ +$/#.anchorsMatchLineEndings(), with: "")
    let below = type.configuration.subcommands
    return [Command(words: words.joined(separator: " "), help: help, isGroup: !below.isEmpty)]
      + below.flatMap { all($0, words + [$0._commandName]) }
  }

  /// The document with the help that the tool has now.
  var current: String {
    ([beginning]
      + Self.commands.map { command in
        (command.words.isEmpty ? "" : " " + command.words)
          + "\n\n```\n\(command.help)\n```\n\(rests[command.words] ?? "")"
      }).joined(separator: Self.title)
  }

  // MARK: - Fields

  /// The paths of the fields of a command's result; `nil` for a command without a table.
  func fields(of words: String) -> Set<String>? { rests[words].flatMap(Self.fields) }

  /// The paths of the fields of an error.
  var failureFields: Set<String>? { Self.fields(beginning) }

  private static func fields(_ text: String) -> Set<String>? {
    let paths = text.matches(of: #/(?m)^\| `([^`]+)` \| /#).map { String($0.output.1) }
    return paths.isEmpty ? nil : Set(paths)
  }

  // MARK: - The page for man

  var manPage: String {
    let parts = Self.commands.dropFirst().map { command in
      ".SS \"\(Self.escaped(command.words))\"\n.nf\n\(Self.lines(command.help))\n.fi\n"
    }
    let codes = beginning.matches(of: #/(?m)^\| (\d+) \| (.*) \|$/#).map { match in
      ".TP\n\(match.output.1)\n\(Self.escaped(String(match.output.2)))\n"
    }
    return """
      .\\" Written by the tests of OxbowCommands.
      .TH OXBOWCTL 1 "" "Oxbow \(OxbowTool.version)" "Oxbow"
      .SH NAME
      oxbowctl \\- \(Self.escaped(RootCommand.configuration.abstract))
      .SH SYNOPSIS
      .B oxbowctl
      .I COMMAND
      [\\fIOPTION\\fR ...]
      .SH DESCRIPTION
      .nf
      \(Self.lines(Self.commands[0].help))
      .fi
      .SH COMMANDS
      \(parts.joined()).SH "EXIT STATUS"
      \(codes.joined()).SH ENVIRONMENT
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
    text.components(separatedBy: "\n").map(escaped).joined(separator: "\n")
  }

  /// No line begins with a request, and signs are those of the keyboard.
  private static func escaped(_ line: String) -> String {
    let text = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
