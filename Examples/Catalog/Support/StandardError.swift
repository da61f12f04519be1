import Foundation

/// Messages and progress go to standard error, results to standard output.
enum StandardError {
  static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  static func line(_ text: String) { write(text + "\n") }

  static let isTerminal = isatty(STDERR_FILENO) == 1
}
