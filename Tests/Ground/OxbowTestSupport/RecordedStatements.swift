internal import CSQLite
internal import OxbowPlatform

/// The texts of the statements that a thread runs, as SQLite gets them.
public enum RecordedStatements {
  /// For each thread that records, what it ran.
  private static let texts = Lock<[UInt: Set<String>]>([:])

  private typealias Entry =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32

  /// SQLite calls it for each connection that is opened; one that is opened meanwhile by another
  /// thread has no trace.
  private static let isHooked: Bool = {
    let entry: Entry = { connection, _, _ in
      let isRecording = RecordedStatements.texts.withLock { $0[currentThreadNumber()] != nil }
      if isRecording { RecordedStatements.trace(connection) }
      return SQLITE_OK
    }
    return sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
      == SQLITE_OK
  }()

  private static func trace(_ connection: OpaquePointer?) {
    sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_STMT),
      { _, _, _, text in
        guard let text = text?.assumingMemoryBound(to: CChar.self) else { return 0 }
        RecordedStatements.add(String(cString: text))
        return 0
      }, nil)
  }

  private static func add(_ text: String) {
    // What begins like this is the name of a trigger.
    guard !text.hasPrefix("--") else { return }
    texts.withLock { _ = $0[currentThreadNumber()]?.insert(text) }
  }

  /// Each text once, in alphabetical order, of the connections that `body` opens.
  public static func of(_ body: () throws -> Void) throws -> [String] {
    let thread = currentThreadNumber()
    precondition(isHooked, "SQLite calls no entry point")
    texts.withLock { $0[thread] = [] }
    defer { texts.withLock { $0[thread] = nil } }
    try body()
    return texts.withLock { $0[thread] ?? [] }.sorted()
  }

  /// Runs what is not to be recorded.
  public static func pausing<R>(_ body: () throws -> R) rethrows -> R {
    let thread = currentThreadNumber()
    let kept = texts.withLock { $0.removeValue(forKey: thread) }
    defer { if let kept { texts.withLock { $0[thread] = kept } } }
    return try body()
  }

  /// The texts as the lines of a file; of a long one, its beginning and a number that another text
  /// would not have.
  public static func lines(_ texts: [String], limit: Int = 1500) -> String {
    texts.map { text in
      guard text.utf8.count > limit else { return text + ";\n" }
      let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
      }
      return "\(text.prefix(120)) … \(text.utf8.count) bytes, \(String(hash, radix: 16));\n"
    }.joined()
  }
}
