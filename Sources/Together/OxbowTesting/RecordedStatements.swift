internal import OxbowFoundation
internal import OxbowRuntime
internal import Testing

/// A file beside a test, with the statements that the test may run.
struct RecordedStatements: Sendable {
  let name: String
  let sourcePath: String

  /// Whether the file is written, and not compared.
  var writes = ProcessInfo.processInfo.environment["OXBOW_RECORD"] == "1"

  private var path: String {
    let folder = sourcePath.lastIndex(of: "/").map { sourcePath[...$0] } ?? ""
    return "\(folder)\(name).sql"
  }

  /// Compares the statements of a test with the file, or writes it.
  func judge(_ record: StatementRecord, _ test: Test) {
    let text = record.entries.map { $0.line + "\n" }.joined()
    do {
      if writes { return try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
      try compare(text, test)
    } catch {
      test.report("the statements of the test cannot be kept in '\(path)': \(error)", at: nil)
    }
  }

  private func compare(_ text: String, _ test: Test) throws {
    let advice =
      "run OXBOW_RECORD=1 swift test --filter '\(Self.filter(for: test))'"
      + (test.isParameterized
        ? "; all cases of the test have this file, so cases with other statements need a test of "
          + "their own" : "")
    guard FileManager.default.fileExists(atPath: path) else {
      return test.report("the file '\(path)' does not exist; to write it, \(advice)", at: nil)
    }
    let expected = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    guard expected != text else { return }
    test.report(
      "the statements are not those in '\(path)':\n\(Self.difference(expected, text))"
        + "if they are right, \(advice)", at: nil)
  }

  /// The lines that are only in one of two texts.
  private static func difference(_ old: String, _ new: String) -> String {
    let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false) }
    return lines(new).difference(from: lines(old)).map { change in
      switch change {
      case .remove(_, let line, _): "- \(line)\n"
      case .insert(_, let line, _): "+ \(line)\n"
      }
    }.joined()
  }

  /// A regular expression for the name of a test, which may be a sentence.
  private static func filter(for test: Test) -> String {
    let name = test.name.lastIndex(of: "(").map { test.name[..<$0] } ?? test.name[...]
    let signs = name.filter { $0 != "`" }
    return String(signs.map { $0.isLetter || $0.isNumber || $0 == " " ? $0 : "." })
  }
}
