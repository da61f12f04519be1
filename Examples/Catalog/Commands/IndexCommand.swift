import ArgumentParser
import Foundation
import Oxbow

/// `catalog index`.
struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index", abstract: "Brings a store in line with a directory tree.",
    discussion: """
      Worker threads write the files through one shared repository; each has its own context. Run it
      again at any time: what did not change is not written. Ctrl-C ends it in order.
      """)

  @Argument(help: "The directory at the top of the tree.")
  var directory: String

  @OptionGroup var store: StoreOption

  @Option(help: "The number of worker threads.")
  var workers = 8

  @Flag(help: "Print the summary as JSON.")
  var json = false

  @Flag(help: "Show no progress.")
  var quiet = false

  func validate() throws {
    guard (1...256).contains(workers) else {
      throw ValidationError("--workers takes a number from 1 to 256, not \(workers).")
    }
  }

  func run() throws {
    try store.run {
      let directory = try RawName.directory(at: directory)
      let interruption = Interruption()
      let display = ProgressDisplay(isQuiet: quiet)
      var summary: IndexSummary?
      try store.withCatalog { catalog in
        let indexer = Indexer(
          catalog: catalog, workers: workers, display: display, interruption: interruption,
          excluded: try Self.files(of: store.store))
        summary = try indexer.index(directory)
      }
      guard let summary else { return }
      print(json ? try JSONText.of(summary) : summary.text)
      if summary.isInterrupted { throw ExitCode(130) }
    }
  }

  /// The files that belong to a store that exists.
  private static func files(of store: String) throws -> Set<RawName> {
    if ServerStore.isMeant(by: store) { return [] }
    let url = URL(fileURLWithPath: store)
    let folder = try RawName.directory(at: url.deletingLastPathComponent().path)
    let endings = ["", "-wal", "-shm", "-journal", "-lock"]
    return Set(endings.map { folder.appending(RawName(url.lastPathComponent + $0)) })
  }
}
