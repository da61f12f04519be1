internal import OxbowPlatform
internal import OxbowRelational

/// Removes the files that no row refers to any more, once no older snapshot can need them.
///
/// With a rollback journal, a commit waits for all readers, so none sees what was before it. With
/// a write-ahead log, readers may; a checkpoint that makes the log begin again is complete only
/// when there is none. It never waits: what cannot be removed now is tried again later.
final class DiscardedFiles: Sendable {
  private struct State {
    var arePossible = false
    /// From how many files, and how many bytes, the next removal is worth its commit.
    var count: Int64 = firstCount
    var bytes: Int64 = firstBytes
  }

  private static let firstCount: Int64 = 64
  private static let firstBytes: Int64 = 64 << 20

  private let state = Lock(State())

  /// Whether the store has files at all.
  var arePossible: Bool {
    get { state.withLock { $0.arePossible } }
    set { state.withLock { $0.arePossible = newValue } }
  }

  /// Removes files on the connection that writes, when many have gathered.
  func removeIfMany(_ connection: Connection) {
    guard arePossible, let total = try? connection.rows(FilesTable.discardedTotal).first,
      case .integer(let count) = total[0], case .integer(let bytes) = total[1],
      state.withLock({ count >= $0.count || bytes >= $0.bytes })
    else { return }
    let isDone = (try? connection.removeDiscardedFiles()) == true
    // Where a reader is in the way for long, not each save is to try again.
    state.withLock { state in
      state.count = isDone ? Self.firstCount : 2 * max(count, Self.firstCount)
      state.bytes = isDone ? Self.firstBytes : 2 * max(bytes, Self.firstBytes)
    }
  }

  /// Removes files on the connection that writes.
  func removeAll(_ connection: Connection) {
    guard arePossible else { return }
    _ = try? connection.removeDiscardedFiles()
  }
}

extension Connection {
  /// Removes discarded files, unless a reader may need them; outside of transactions, on the
  /// connection that writes.
  ///
  /// The files go first: a row without a file is tried again, and a file without a row would stay.
  ///
  /// - Returns: Whether they were removed.
  @discardableResult
  func removeDiscardedFiles() throws -> Bool {
    guard let folder = externalFolder, !isInTransaction else { return false }
    let names = try texts(FilesTable.discardedNames)
    guard !names.isEmpty else { return true }
    guard try isSeenByAll() else { return false }
    for name in names { folder.remove(name) }
    if synchronous != .off { folder.synchronizeRemovals() }
    try transaction(.write) {
      for name in names { try run(FilesTable.remove, [.text(name)]) }
      try run(MetadataTables.countUpkeep)
    }
    return true
  }

  /// Whether no reader sees the store as it was before the last commit.
  private func isSeenByAll() throws -> Bool {
    guard try text("PRAGMA journal_mode") == "wal" else { return true }
    setBusyTime(milliseconds: 0)
    defer { waitForLocks() }
    return try !checkpoint(.restart).isBlocked
  }
}
