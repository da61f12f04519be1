internal import ArgumentParser

/// Arguments that no command takes, where somebody wants JSON: the document that every run with
/// `--json` writes.
struct UsageFailure {
  private let command: String
  private let failure: ToolFailure

  /// `nil` for other errors, and without `--json`.
  init?(_ error: any Error, _ arguments: [String]) {
    let code = RootCommand.exitCode(for: error)
    guard code == .validationFailure, arguments.prefix(while: { $0 != "--" }).contains("--json")
    else { return nil }
    command = Self.words(arguments)
    failure = ToolFailure(usage: RootCommand.message(for: error))
  }

  func write() {
    // The error itself is written afterwards and determines the exit code.
    _ = try? Console(noColor: true).write(json: FailureDocument(command: command, error: failure))
  }

  /// The words of the command that the arguments begin with.
  static func words(_ arguments: [String]) -> String {
    var group: any ParsableCommand.Type = RootCommand.self
    var words: [String] = []
    for argument in arguments {
      let next = group.configuration.subcommands.first { $0._commandName == argument }
      guard let next else { break }
      words.append(argument)
      group = next
    }
    return words.joined(separator: " ")
  }
}
