public import Logging
internal import OxbowPlatform

/// Keeps what a logger was given, as "level message", and the metadata of each entry.
public final class LogRecorder: Sendable {
  /// One entry.
  public struct Entry: Sendable {
    public let level: Logger.Level
    public let message: String
    public let metadata: [String: String]
  }

  private let entries = Lock<[Entry]>([])
  private let watch: @Sendable (Entry) -> Void

  /// Keeps entries, and shows `watch` each one when it comes, on the thread that it comes from.
  public init(_ watch: @escaping @Sendable (Entry) -> Void = { _ in }) { self.watch = watch }

  /// All entries in the order in which they came.
  public var all: [Entry] { entries.withLock { $0 } }

  /// The messages of one level.
  public func messages(_ level: Logger.Level) -> [String] {
    all.filter { $0.level == level }.map(\.message)
  }

  /// A logger that writes here what has at least `level`.
  public func logger(_ level: Logger.Level) -> Logger {
    var logger = Logger(label: "test") { _ in Handler(recorder: self) }
    logger.logLevel = level
    return logger
  }

  /// The statements that ran, for tests that count them.
  public var statements: [String] { messages(.debug) }

  /// A logger that writes statements here.
  public var statementLogger: Logger { logger(.debug) }

  private func add(_ entry: Entry) {
    entries.withLock { $0.append(entry) }
    watch(entry)
  }

  private struct Handler: LogHandler {
    let recorder: LogRecorder
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let all = metadata.merging(event.metadata ?? [:]) { $1 }
      recorder.add(
        Entry(
          level: event.level, message: event.message.description,
          metadata: all.mapValues(\.description)))
    }
  }
}
