internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowPlatform

/// The standard output for results, the standard error for everything else.
struct Console: Sendable {
  private let hasColor: Bool

  /// Whether nothing is said beside results and errors.
  private let isQuiet: Bool

  /// What notes begin with: of which of several things they are.
  var prefix = ""

  init(_ options: OutputOptions) {
    self.init(noColor: options.noColor, isQuiet: options.quiet)
  }

  init(noColor: Bool, isQuiet: Bool = false) {
    self.isQuiet = isQuiet
    let environment = ProcessInfo.processInfo.environment
    hasColor =
      !noColor && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
      && isatty(STDERR_FILENO) == 1
  }

  /// Writes lines of a result.
  ///
  /// - Returns: Whether the reader is still there.
  /// - Throws: Why they could not be written, unless the reader has gone.
  @discardableResult
  func write(lines: [String]) throws -> Bool {
    guard !lines.isEmpty else { return true }
    return try write(Array(lines.map { $0.printable + "\n" }.joined().utf8))
  }

  /// Writes a value as JSON, on one line where it is one of many.
  ///
  /// - Returns: Whether the reader is still there.
  @discardableResult
  func write(json value: some Encodable, onOneLine: Bool = false) throws -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if !onOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    return try write(data: Array((text + "\n").utf8))
  }

  /// Writes text of a form of its own.
  ///
  /// - Returns: Whether the reader is still there.
  func write(_ bytes: [UInt8]) throws -> Bool {
    try require(writeAll(bytes, to: STDOUT_FILENO))
  }

  /// Writes data for programs as it is, and to a terminal what cannot be a command.
  ///
  /// - Returns: Whether the reader is still there.
  func write(data bytes: [UInt8]) throws -> Bool {
    guard isatty(STDOUT_FILENO) == 1 else { return try write(bytes) }
    return try write(Array(String(decoding: bytes, as: UTF8.self).printable.utf8))
  }

  /// Throws when a result was not written, unless the reader has gone: then the exit code still
  /// says how it went.
  private func require(_ number: Int32) throws -> Bool {
    guard number != 0, number != EPIPE else { return number == 0 }
    let failure = ToolFailure(
      PersistenceError(
        .ioFailure,
        "the result could not be written to the standard output: \(String(cString: strerror(number)))"
      ))
    report(failure)
    throw ExitCode(failure.exitCode)
  }

  /// Says something beside the result.
  func note(_ text: String) {
    guard !isQuiet else { return }
    writeToStandardError((prefix + text).printable)
  }

  func report(_ failure: ToolFailure) {
    let label = hasColor ? "\u{1B}[1;31merror:\u{1B}[0m " : "error: "
    writeToStandardError(label + failure.description.printable)
  }
}
