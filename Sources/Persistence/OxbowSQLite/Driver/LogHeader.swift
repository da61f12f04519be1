internal import OxbowDocuments
internal import OxbowModel

/// The first 32 bytes of a write-ahead log, as SQLite's file format has them.
struct LogHeader {
  let pageSize: Int

  /// `nil` for bytes that SQLite does not take for a log: it reads the file alone then.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    let words = stride(from: 0, to: 32, by: 4).map { Self.number(bytes[$0..<$0 + 4]) }
    guard words[0] & ~1 == 0x377F_0682, words[1] == 3_007_000 else { return nil }
    // The last bit of the mark says in which order of bytes the checksum is computed.
    let isBig = words[0] & 1 == 1
    var (a, b): (UInt32, UInt32) = (0, 0)
    for place in stride(from: 0, to: 6, by: 2) {
      a = a &+ (isBig ? words[place] : words[place].byteSwapped) &+ b
      b = b &+ (isBig ? words[place + 1] : words[place + 1].byteSwapped) &+ a
    }
    guard a == words[6], b == words[7] else { return nil }
    pageSize = Int(words[2])
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Refuses a log that was not written for a file, as far as the two say it.
  ///
  /// SQLite connects them by their names only. The sizes of their pages, and the identifiers that
  /// the store has with and without the log, give most foreign logs away.
  static func check(log: String, of file: String, named path: String) throws {
    let bytes = DocumentFile.beginning(of: log, count: 32)
    guard !bytes.isEmpty else { return }
    guard let header = LogHeader(bytes) else {
      throw foreign(path, "its beginning is not one of a log")
    }
    let first = DocumentFile.beginning(of: file, count: 18)
    guard first.count == 18 else { return }
    let size = Int(first[16]) << 8 | Int(first[17])
    let pageSize = size == 1 ? 65_536 : size
    guard header.pageSize == pageSize else {
      throw foreign(path, "its pages have \(header.pageSize) bytes, those of the file \(pageSize)")
    }
    try compare(file, .sole, named: path)
  }

  /// Likewise for a log with an index, so that a program may have the file open.
  static func checkShared(_ path: String) throws {
    guard System.size(path + "-wal") ?? 0 > 0 else { return }
    try compare(path, .reader, named: path)
  }

  private static func compare(_ file: String, _ role: Connection.Role, named path: String) throws {
    // What one of the two cannot say is found by reading.
    guard let alone = try? identifier(file, .reader, immutably: true) else { return }
    let together: String?
    do { together = try identifier(file, role, immutably: false) } catch let error as SQLiteError
      where [.corrupt, .notADatabase, .error].contains(error.code.primary)
    { throw foreign(path, "with it the file cannot be read, and without it it can") }
    guard alone == together else {
      throw foreign(
        path, "with it the file is the store \(together ?? "without a name"), without it \(alone)")
    }
  }

  private static func identifier(
    _ file: String, _ role: Connection.Role, immutably: Bool
  ) throws -> String? {
    try UntouchedFile.read(file, immutably: immutably, role) { connection in
      try connection.text("SELECT Z_UUID FROM Z_METADATA")
    }
  }

  private static func foreign(_ path: String, _ reason: String) -> PersistenceError {
    PersistenceError(
      .storeCorrupt,
      "the log '\(path)-wal' does not belong to the store '\(path)': \(reason); put the log beside it "
        + "that was copied with it, or give a copy of the file without a log, which lacks the last "
        + "saves")
  }
}
