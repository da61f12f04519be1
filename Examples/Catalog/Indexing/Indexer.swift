import Foundation
import Oxbow

/// Brings a store in line with a directory tree.
///
/// The walker, on the calling thread, writes the folders and hands out their IDs; the workers write
/// the files. No two threads write the same folder, and no object changes threads.
struct Indexer {
  let catalog: Catalog
  let workers: Int
  let display: ProgressDisplay
  let interruption: Interruption
  /// The store's own files, which change while it is written.
  let excluded: Set<RawName>

  private static let foldersAtOnce = 64

  /// Runs to the end, or to the first failure, or until it is interrupted.
  func index(_ directory: RawName) throws -> IndexSummary {
    let start = Date()
    let progress = IndexProgress()
    let queue = WorkQueue(capacity: 64 * workers)
    startWorkers(queue, progress)
    do {
      try walk(directory, queue, progress)
      progress.add(try catalog.folders.statistics())
    } catch {
      try? catalog.folders.forget()
      queue.stop()
      wait(queue, progress)
      display.clear()
      throw error
    }
    queue.close()
    wait(queue, progress)
    display.clear()
    if let failure = progress.snapshot.failure { throw failure }
    return IndexSummary(
      directory: directory, progress.snapshot, workers: workers, since: start,
      isInterrupted: interruption.isRaised)
  }

  private func startWorkers(_ queue: WorkQueue, _ progress: IndexProgress) {
    for number in 1...workers {
      progress.begin()
      let files = catalog.files
      let thread = Thread {
        do {
          try IndexWorker(files: files, queue: queue, progress: progress).run()
          progress.end(nil)
        } catch {
          queue.stop()
          progress.end(error)
        }
      }
      thread.name = "worker \(number)"
      thread.start()
    }
  }

  private func wait(_ queue: WorkQueue, _ progress: IndexProgress) {
    while !progress.waitForEnd(until: display.nextUpdate) {
      if interruption.isRaised { queue.stop() }
      display.show(progress.snapshot, isWalking: false)
    }
  }
}

// MARK: - Walking

extension Indexer {
  private func walk(_ directory: RawName, _ queue: WorkQueue, _ progress: IndexProgress) throws {
    var batch = IndexBatch()
    let root = try Racing.perform(forgetting: catalog.folders.forget) {
      batch = IndexBatch()
      return try catalog.folders.root(at: directory, in: &batch)
    }
    progress.add(batch.tally)
    progress.addFound(1)
    var pending = [PendingFolder(id: root, path: directory)]
    while !pending.isEmpty, progress.snapshot.failure == nil, !interruption.isRaised {
      let next = Array(pending.suffix(Self.foldersAtOnce))
      pending.removeLast(next.count)
      let children = try visit(next, queue, progress)
      progress.addFound(children.count)
      pending += children
    }
    if interruption.isRaised { queue.stop() }
  }

  /// Writes the folders in some directories, and hands their files out once that is saved.
  private func visit(
    _ folders: [PendingFolder], _ queue: WorkQueue, _ progress: IndexProgress
  ) throws -> [PendingFolder] {
    var listed = IndexBatch()
    var walked: [WalkedFolder] = []
    for folder in folders {
      do throws(FileSystemError) {
        walked.append(WalkedFolder(folder: folder, listing: try listing(of: folder, &listed)))
      } catch {
        if !error.isGone { listed.tally.unreadable.append(error) }
        progress.add(IndexTally(), folders: 1)
      }
    }
    var batch = listed
    let children = try Racing.perform(forgetting: catalog.folders.forget) {
      batch = listed
      return try catalog.folders.update(walked, in: &batch)
    }
    progress.add(batch.tally)
    for folder in walked { hand(folder, to: queue, progress) }
    return children
  }

  private func listing(
    of folder: PendingFolder, _ batch: inout IndexBatch
  ) throws(FileSystemError) -> DirectoryListing {
    var listing = try OpenDirectory(folder.path).listing()
    batch.tally.links += listing.links
    batch.tally.others += listing.others
    let count = listing.files.count
    listing.files.removeAll { excluded.contains(folder.path.appending($0)) }
    batch.tally.others += count - listing.files.count
    return listing
  }

  private func hand(_ walked: WalkedFolder, to queue: WorkQueue, _ progress: IndexProgress) {
    let work = FolderWork(
      folder: walked.folder.id, path: walked.folder.path, files: walked.listing.files)
    while !queue.add(work, until: display.nextUpdate) {
      if interruption.isRaised { queue.stop() }
      display.show(progress.snapshot, isWalking: true)
    }
    display.show(progress.snapshot, isWalking: true)
  }
}
