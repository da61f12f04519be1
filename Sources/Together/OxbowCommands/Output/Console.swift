internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowModel

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
    return try require(Self.write(lines.map { $0.printable + "\n" }.joined(), to: STDOUT_FILENO))
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
    return try require(Self.write(text + "\n", to: STDOUT_FILENO))
  }

  /// Writes text of a form of its own.
  ///
  /// - Returns: Whether the reader is still there.
  func write(_ bytes: [UInt8]) throws -> Bool {
    try require(Self.write(bytes[...], to: STDOUT_FILENO))
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
    _ = Self.write((prefix + text).printable + "\n", to: STDERR_FILENO)
  }

  func report(_ failure: ToolFailure) {
    let label = hasColor ? "\u{1B}[1;31merror:\u{1B}[0m " : "error: "
    _ = Self.write(label + failure.description.printable + "\n", to: STDERR_FILENO)
  }

  /// Returns the number of the error that kept the text from being written, or 0.
  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    write(Array(text.utf8)[...], to: descriptor)
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      // Who gave the tool its output may have made it one that does not wait.
      if count < 0, errno == EAGAIN {
        waitUntilWritable(descriptor)
        continue
      }
      guard count > 0 || errno == EINTR else { return errno }
      rest = rest.dropFirst(max(0, count))
    }
    return 0
  }
}

private func waitUntilWritable(_ descriptor: Int32) {
  var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  _ = systemPoll(&poll)
}

private func systemPoll(_ descriptor: inout pollfd) -> Int32 { poll(&descriptor, 1, -1) }

private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, start, count)
}
