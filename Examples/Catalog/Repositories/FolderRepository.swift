import Foundation
import Oxbow

/// The rows of volumes and folders, which the walker alone writes.
@Component final class FolderRepository: Sendable {
  private let context: any ObjectContext & Sendable
  private let kinds: KindLedger

  init(context: any ObjectContext & Sendable, kinds: KindLedger) {
    self.context = context
    self.kinds = kinds
  }

  /// The folder at the top of a volume, made with its volume when the store does not have it.
  ///
  /// - Throws: ``CatalogError`` when the store has a volume that contains the directory, or is in
  ///   it.
  func root(at path: RawName, in batch: inout IndexBatch) throws -> ManagedObjectID {
    for volume in try context.fetch(Volume.self) {
      let other = RawName(volume.rawPath)
      if other == path { return try root(of: volume, in: &batch) }
      if path.isInside(other) { throw overlap(path, "is in", other) }
      if other.isInside(path) { throw overlap(path, "contains", other) }
    }
    let volume = try context.insert(Volume.self) {
      $0.path = path.display
      $0.rawPath = path.bytes
    }
    let folder = try insert(path, at: path, into: volume, &batch)
    try context.save()
    return folder.objectID
  }

  /// Brings the rows of the folders in some directories in line with what is there, and saves.
  ///
  /// - Returns: The folders in these directories.
  func update(_ walked: [WalkedFolder], in batch: inout IndexBatch) throws -> [PendingFolder] {
    let folders = try walked.map {
      try context.existingObject(with: $0.folder.id, as: Folder.self)
    }
    try context.load("folders", of: folders)
    var children: [PendingFolder] = []
    for (folder, walked) in zip(folders, walked) {
      children += try update(folder, walked, &batch)
    }
    try kinds.save(batch.kinds)
    batch.kinds = KindChanges()
    try context.reset()
    return children
  }

  /// Forgets what the thread has changed since its last save.
  func forget() throws { try context.reset() }

  /// What the thread's context did.
  func statistics() throws -> ContextStatistics { try context.statistics }
}

/// A folder that was not looked into yet: only values, no objects.
struct PendingFolder: Sendable {
  let id: ManagedObjectID
  let path: RawName
}

/// A folder and what is in its directory.
struct WalkedFolder: Sendable {
  let folder: PendingFolder
  let listing: DirectoryListing
}

extension FolderRepository {
  private func root(of volume: Volume, in batch: inout IndexBatch) throws -> ManagedObjectID {
    let top = try context.fetch(
      Folder.self, where: .isNil("parent") && .equal("volume", volume), limit: 1)
    guard let folder = top.first else {
      throw CatalogError(
        "the volume '\(volume.path)' has no folder at its top; the store was changed by hand")
    }
    batch.tally.folders.unchanged += 1
    return folder.objectID
  }

  private func overlap(_ path: RawName, _ how: String, _ other: RawName) -> CatalogError {
    CatalogError(
      "'\(path.display)' \(how) the directory '\(other.display)', which this store has already; "
        + "index '\(other.display)' again, or choose another store with --store")
  }

  private func update(
    _ folder: Folder, _ walked: WalkedFolder, _ batch: inout IndexBatch
  ) throws -> [PendingFolder] {
    guard let volume = folder.volume else { return [] }
    var rows = Dictionary(
      folder.folders.map { (RawName($0.rawName), $0) }, uniquingKeysWith: { first, _ in first })
    var children: [PendingFolder] = []
    for name in walked.listing.folders {
      let path = walked.folder.path.appending(name)
      if let row = rows.removeValue(forKey: name) {
        batch.tally.folders.unchanged += 1
        children.append(PendingFolder(id: row.objectID, path: path))
      } else {
        let row = try insert(name, at: path, into: volume, &batch)
        row.parent = folder
        children.append(PendingFolder(id: row.objectID, path: path))
      }
    }
    for row in rows.values { try delete(row, &batch) }
    return children
  }

  private func insert(
    _ name: RawName, at path: RawName, into volume: Volume, _ batch: inout IndexBatch
  ) throws -> Folder {
    batch.tally.folders.inserted += 1
    return try context.insert(Folder.self) {
      $0.name = name.display
      $0.rawName = name.bytes
      $0.path = path.display
      $0.volume = volume
    }
  }

  /// Deletes a folder; its folders and files go with it by the rule of their relationships.
  private func delete(_ folder: Folder, _ batch: inout IndexBatch) throws {
    try count(folder, &batch)
    try context.delete(folder)
  }

  /// Takes a folder and all below it out of the totals.
  private func count(_ folder: Folder, _ batch: inout IndexBatch) throws {
    batch.tally.folders.deleted += 1
    for file in folder.files {
      batch.kinds.add(file.kind, files: -1, bytes: -file.size)
      batch.tally.files.deleted += 1
    }
    for child in folder.folders { try count(child, &batch) }
  }
}
