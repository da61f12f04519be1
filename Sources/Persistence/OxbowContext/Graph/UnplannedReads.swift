internal import OxbowModel
internal import OxbowPlatform

/// Notes the reads that getters cause in a task and its children.
///
/// The trait `.noUnplannedReads` of `OxbowTesting` fails a test on them.
package final class UnplannedReads: Sendable {
  @TaskLocal package static var current: UnplannedReads?

  private let reads = Lock<[Read]>([])
  package struct Read: Sendable {
    /// What was read, and why.
    package let text: String
    /// The location of the calling code, if known.
    package let site: (file: String, line: Int, column: Int, function: String)?
  }

  package init() {}
  package var all: [Read] { reads.withLock { $0 } }

  func note(_ text: String, _ site: CallSite?) {
    let place = site.map { ($0.file, $0.line, $0.column, $0.function) }
    reads.withLock { $0.append(Read(text: text, site: place)) }
  }
}

extension ManagedObjectContext {
  /// The code that asked for a read, if a report names it.
  func callSite() -> CallSite? {
    guard namesCallSites || UnplannedReads.current != nil else { return nil }
    return CallSite.nearest(outside: Self.ownModules)
  }

  private static let ownModules = [
    "OxbowContext", "OxbowContainer", "OxbowRuntime", "OxbowPlatform", "OxbowModel", "OxbowStore",
  ]
}
