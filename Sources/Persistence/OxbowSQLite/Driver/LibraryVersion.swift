internal import CSQLite

/// The SQLite library that this process runs with, and what is known of its write-ahead log.
public struct LibraryVersion: Hashable, Sendable, CustomStringConvertible {
  /// The number as SQLite counts: 3040001 for 3.40.1.
  public let number: Int

  /// The check-in that the library was built from.
  public let sourceID: String

  /// The version of the library that is loaded.
  public static var current: LibraryVersion {
    LibraryVersion(
      number: Int(sqlite3_libversion_number()), sourceID: String(cString: sqlite3_sourceid()))
  }

  /// Creates a version; for tests and for stores that other machines wrote.
  public init(number: Int, sourceID: String = "") {
    self.number = number
    self.sourceID = sourceID
  }

  /// The version as people write it: `3.40.1`.
  public var description: String {
    "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
  }

  /// Whether two connections that write and checkpoint at the same instant can corrupt a store.
  ///
  /// SQLite 3.7.0 to 3.51.2 can, but for the back-ports 3.44.6 and 3.50.7; 3.51.3 cannot.
  public var hasWALResetBug: Bool {
    switch number {
    case ..<3_007_000, 3_051_003...: false
    case 3_044_006..<3_045_000, 3_050_007..<3_051_000: false
    default: true
    }
  }

  /// One sentence for people: whether the write-ahead log is safe, and for whom.
  public var verdict: String {
    guard hasWALResetBug else {
      return "SQLite \(self): the write-ahead log is safe with any number of writers"
    }
    return "SQLite \(self) has the WAL-reset bug (3.7.0 to 3.51.2): Oxbow is safe, because one "
      + "connection writes and checkpoints; do not let other programs write or checkpoint the "
      + "store while Oxbow has it open, or update SQLite to 3.51.3, 3.50.7 or 3.44.6"
  }
}
