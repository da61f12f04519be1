import Foundation
import Oxbow

/// The rows of files, shared by all workers: the context is a proxy, and each thread has its own.
@Component final class FileRepository: Sendable {
  private let context: any ObjectContext & Sendable
  private let kinds: KindLedger

  init(context: any ObjectContext & Sendable, kinds: KindLedger) {
    self.context = context
    self.kinds = kinds
  }

  /// Brings the rows of a folder's files in line with what is in its directory.
  ///
  /// - Returns: What tells the thread's context from those of other threads.
  func update(_ work: FolderWork, in batch: inout IndexBatch) throws -> ObjectIdentifier? {
    let folder = try context.existingObject(with: work.folder, as: Folder.self)
    let identity = folder.context.map { ObjectIdentifier($0) }
    let found = work.readFiles()
    batch.tally.unreadable += found.unreadable.values
    if found.isComplete { try update(folder, found, in: &batch) }
    return identity
  }

  /// Saves what the thread has changed, and lets go of its objects.
  func save(_ batch: IndexBatch) throws {
    try kinds.save(batch.kinds)
    try context.reset()
  }

  /// Forgets what the thread has changed since its last save.
  func forget() throws { try context.reset() }

  /// What the thread's context did.
  func statistics() throws -> ContextStatistics { try context.statistics }
}

extension FileRepository {
  private func update(_ folder: Folder, _ found: FoundFiles, in batch: inout IndexBatch) throws {
    try context.load("files", of: [folder])
    var rows = Dictionary(
      folder.files.map { (RawName($0.rawName), $0) }, uniquingKeysWith: { first, _ in first })
    var bytes = 0
    for (name, facts) in found.files {
      bytes += facts.size
      if let row = rows.removeValue(forKey: name) {
        update(row, facts, &batch)
      } else {
        try insert(name, facts, into: folder, &batch)
      }
    }
    // What cannot be read keeps its row: it is there, and labels hang on it.
    for name in found.unreadable.keys { bytes += rows.removeValue(forKey: name)?.size ?? 0 }
    for row in rows.values { try delete(row, &batch) }
    folder.byteCount = bytes
    batch.tally.bytes += bytes
  }

  private func insert(
    _ name: RawName, _ facts: FileFacts, into folder: Folder, _ batch: inout IndexBatch
  ) throws {
    let file = try context.insert(File.self)
    file.name = name.display
    file.rawName = name.bytes
    file.kind = name.kind
    file.size = facts.size
    file.modified = facts.modified
    file.folder = folder
    batch.kinds.add(file.kind, files: 1, bytes: facts.size)
    batch.tally.files.inserted += 1
  }

  private func update(_ file: File, _ facts: FileFacts, _ batch: inout IndexBatch) {
    guard file.size != facts.size || file.modified != facts.modified else {
      batch.tally.files.unchanged += 1
      return
    }
    batch.kinds.add(file.kind, files: 0, bytes: facts.size - file.size)
    file.size = facts.size
    file.modified = facts.modified
    batch.tally.files.updated += 1
  }

  private func delete(_ file: File, _ batch: inout IndexBatch) throws {
    batch.kinds.add(file.kind, files: -1, bytes: -file.size)
    batch.tally.files.deleted += 1
    try context.delete(file)
  }
}
