/// How many rows an index run found, wrote and left alone.
struct RowTally: Sendable, Hashable, Codable {
  var inserted = 0
  var updated = 0
  var unchanged = 0
  var deleted = 0

  /// The number of rows of something that is there.
  var present: Int { inserted + updated + unchanged }

  /// The number of rows that were or will be written.
  var changes: Int { inserted + updated + deleted }

  static func += (a: inout RowTally, b: RowTally) {
    a.inserted += b.inserted
    a.updated += b.updated
    a.unchanged += b.unchanged
    a.deleted += b.deleted
  }
}

/// What an index run did so far.
struct IndexTally: Sendable {
  var files = RowTally()
  var folders = RowTally()
  var bytes = 0
  var links = 0
  var others = 0
  /// What could not be read; its rows, if it has any, stay as they are.
  var unreadable: [FileSystemError] = []

  static func += (a: inout IndexTally, b: IndexTally) {
    a.files += b.files
    a.folders += b.folders
    a.bytes += b.bytes
    a.links += b.links
    a.others += b.others
    a.unreadable += b.unreadable
  }
}

/// By how much the files of a kind became more or fewer.
struct KindChange: Sendable, Hashable {
  var files = 0
  var bytes = 0
}

/// The changes of kinds that a unit of work makes.
struct KindChanges: Sendable, Hashable {
  private(set) var byName: [String: KindChange] = [:]

  var isEmpty: Bool { byName.isEmpty }

  mutating func add(_ name: String, files: Int, bytes: Int) {
    var change = byName[name] ?? KindChange()
    change.files += files
    change.bytes += bytes
    // What cancels out is not a change: a file touched, or moved within the batch.
    byName[name] = change == KindChange() ? nil : change
  }
}

/// A unit of work of one thread: changes that are saved together.
struct IndexBatch: Sendable {
  var tally = IndexTally()
  var kinds = KindChanges()
}
