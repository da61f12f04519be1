internal import OxbowModel
package import OxbowPlatform
internal import OxbowStore

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
    package let site: CallSite?
  }

  package init() {}
  package var all: [Read] { reads.withLock { $0 } }

  func note(_ text: String, _ site: CallSite?) {
    reads.withLock { $0.append(Read(text: text, site: site)) }
  }
}

extension ManagedObjectContext {
  /// The code that asked for a read, if a report names it.
  func callSite() -> CallSite? {
    guard namesCallSites || UnplannedReads.current != nil else { return nil }
    return CallSite.nearest(outside: StatementRecord.ownModules)
  }
}
