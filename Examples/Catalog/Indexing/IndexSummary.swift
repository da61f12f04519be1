import Foundation

/// What an index run did, in the end.
struct IndexSummary: Sendable, Codable {
  let directory: String
  let files: RowTally
  let folders: RowTally
  let bytes: Int
  let symbolicLinks: Int
  let otherEntries: Int
  let unreadable: [String]
  let workers: Int
  let workerContexts: Int
  let saves: Int
  let seconds: Double
  let isInterrupted: Bool

  init(
    directory: RawName, _ end: IndexProgress.Snapshot, workers: Int, since start: Date,
    isInterrupted: Bool
  ) {
    self.directory = directory.display
    files = end.tally.files
    folders = end.tally.folders
    bytes = end.tally.bytes
    symbolicLinks = end.tally.links
    otherEntries = end.tally.others
    unreadable = end.tally.unreadable.map(\.description).sorted()
    self.workers = workers
    workerContexts = end.contexts.count
    saves = end.saves
    seconds = (Date().timeIntervalSince(start) * 1000).rounded() / 1000
    self.isInterrupted = isInterrupted
  }

  /// The summary as a table.
  var text: String {
    var lines = [
      "directory        \(directory)",
      "files            \(files.text)",
      "folders          \(folders.text)",
      "bytes            \(bytes) (\(ByteCount(bytes)))",
      "not followed     \(symbolicLinks) symbolic links, \(otherEntries) other entries",
      "unreadable       \(unreadable.count)",
    ]
    lines += unreadable.prefix(Self.namedAtMost).map { "  \($0)" }
    if unreadable.count > Self.namedAtMost {
      lines.append("  and \(unreadable.count - Self.namedAtMost) more (--json names all)")
    }
    lines += [
      "worker contexts  \(workerContexts) of \(workers) threads",
      "saves            \(saves)",
      "seconds          \(seconds)",
    ]
    if isInterrupted { lines.append("interrupted: run the command again to go on from here") }
    return lines.joined(separator: "\n")
  }

  private static let namedAtMost = 20
}

extension RowTally {
  fileprivate var text: String {
    "\(present) (\(inserted) inserted, \(updated) updated, \(unchanged) unchanged), "
      + "\(deleted) deleted"
  }
}
