internal import ArgumentParser
internal import OxbowModel

/// A command with a result that people and programs can read.
protocol ToolCommand: ParsableCommand {
  associatedtype Result: ToolResult

  /// The command's words: "model check".
  static var words: String { get }

  var output: OutputOptions { get }

  /// The exit code of a failure; that of its kind unless the command says otherwise.
  static func exitCode(of failure: ToolFailure) -> Int32

  /// Does the work. Progress goes to the console; the result is written afterwards.
  func result(_ console: Console) throws -> Result
}

/// What a command found out or did.
protocol ToolResult: Encodable {
  var lines: [String] { get }

  /// What to do next, for the standard error; `nil` when there is nothing to say.
  var hint: String? { get }

  /// The exit code: 0, or 2 for findings.
  var exitCode: Int32 { get }

  /// Whether it was written piece by piece, while the command ran.
  var isWritten: Bool { get }
}

extension ToolResult {
  var hint: String? { nil }
  var exitCode: Int32 { 0 }
  var isWritten: Bool { false }
}

extension ToolCommand {
  /// What the help says of the command, under the last of its words.
  static func help(abstract: String, discussion: String = "") -> CommandConfiguration {
    CommandConfiguration(
      commandName: words.split(separator: " ").last.map(String.init), abstract: abstract,
      discussion: discussion)
  }

  static func exitCode(of failure: ToolFailure) -> Int32 { failure.exitCode }

  func run() throws {
    let console = Console(output)
    let result: Result
    do {
      result = try self.result(console)
    } catch {
      let failure = ToolFailure(error)
      if output.json {
        try console.write(json: FailureDocument(command: Self.words, error: failure))
      }
      console.report(failure)
      throw ExitCode(Self.exitCode(of: failure))
    }
    if !result.isWritten { try write(result, console) }
    if let hint = result.hint { console.note(hint) }
    if result.exitCode != 0 { throw ExitCode(result.exitCode) }
  }

  private func write(_ result: Result, _ console: Console) throws {
    if output.json {
      try console.write(json: ResultDocument(command: Self.words, result: result))
    } else {
      try console.write(lines: result.lines)
    }
  }
}

private struct ResultDocument<Result: Encodable>: Encodable {
  let format = 1
  let command: String
  let result: Result

  enum CodingKeys: CodingKey {
    case format, command, result
  }
}

struct FailureDocument: Encodable {
  let format = 1
  let command: String
  let error: ToolFailure

  enum CodingKeys: CodingKey {
    case format, command, error
  }
}
