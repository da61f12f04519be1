import Foundation
import Oxbow

/// One of the threads that bring files up to date.
///
/// All workers have the same repository; what makes them independent is that the repository's
/// context is another one on each thread.
final class IndexWorker {
  private let files: FileRepository
  private let queue: WorkQueue
  private let progress: IndexProgress
  private var batch = IndexBatch()
  private var works: [FolderWork] = []
  private var identity: ObjectIdentifier?

  /// How many changes, and how many folders, a save may cover.
  private static let changesPerSave = 1000
  private static let foldersPerSave = 64

  init(files: FileRepository, queue: WorkQueue, progress: IndexProgress) {
    self.files = files
    self.queue = queue
    self.progress = progress
  }

  /// Works until there is nothing left to do.
  func run() throws {
    do {
      try work()
    } catch {
      // The error says what happened; what was not saved is given up on purpose.
      try? files.forget()
      throw error
    }
  }

  private func work() throws {
    while let work = queue.next() {
      works.append(work)
      identity = try files.update(work, in: &batch) ?? identity
      if batch.tally.files.changes >= Self.changesPerSave || works.count >= Self.foldersPerSave {
        try save()
      }
    }
    if !works.isEmpty { try save() }
    if let identity { progress.add(identity, try files.statistics()) }
  }

  /// Saves the batch; does it again first when another process was in the way.
  private func save() throws {
    var isFirst = true
    try Racing.perform(forgetting: files.forget) {
      if !isFirst {
        batch = IndexBatch()
        for work in works { _ = try files.update(work, in: &batch) }
      }
      isFirst = false
      try files.save(batch)
    }
    progress.add(batch.tally, folders: works.count)
    batch = IndexBatch()
    works = []
  }
}
