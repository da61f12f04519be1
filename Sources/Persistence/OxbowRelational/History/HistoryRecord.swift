package import OxbowFoundation
package import OxbowModel
package import OxbowStore

/// What the history notes of one save; belongs to one call of one thread.
package final class HistoryRecord {
  package let plan: HistoryPlan

  /// The place before the first save of the store, as it is called now: in the scope of a test it
  /// has another identifier than when the plan was made.
  package let origin: HistoryPlace

  // Unchecked: each row of a save is written through it, by one thread.
  @exclusivity(unchecked) package var blob = HistoryBlobWriter()
  package var author: String?
  package var contextName: String?
  package var kind = HistoryTransaction.Kind.save
  package var (inserted, updated, deleted) = (0, 0, 0)

  /// What has to know the number of the save.
  package var announcement: SaveAnnouncement?

  /// The values that a batch found before it changed them, by key; `nil` where none are kept.
  package var batch: [ObjectReference: [HistoryCell]]?

  /// The links in rows of their own that go with deleted objects, read before they went.
  package var linksOfDeleted: [ChangeSet.Link] = []

  /// The links in rows of their own that the save does not change.
  package var idleLinks = IdleLinks()

  package init(_ plan: HistoryPlan, at origin: HistoryPlace) {
    (self.plan, self.origin) = (plan, origin)
  }

  /// Ends the bytes, unless they are more than a history has room for.
  ///
  /// - Throws: ``PersistenceError``: `validation`.
  package func finish() throws(PersistenceError) {
    blob.finish()
    guard blob.full.count >= HistoryTables.largestPart else { return }
    throw PersistenceError(
      .validation,
      "the history of the save has \(blob.parts.count) parts, and has room for "
        + "\(HistoryTables.largestPart); nothing was saved: save fewer objects at once")
  }

  /// The time now, in milliseconds since 1970.
  package static var now: Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded()) }

  /// What a row has for a kind (file format).
  package static func number(of kind: HistoryTransaction.Kind) -> Int64 {
    switch kind {
    case .save: 1
    case .batch: 2
    case .migration: 3
    case .upkeep: 4
    }
  }

  /// The kind that a row has; one that a later version knows counts as a save.
  package static func kind(of number: Int64) -> HistoryTransaction.Kind {
    HistoryTransaction.Kind.allCases.first { self.number(of: $0) == number } ?? .save
  }

  /// The bytes of a row that has a note only.
  package static func note(_ text: String) -> [UInt8] {
    var blob = HistoryBlobWriter()
    blob.begin(.note)
    blob.row(text)
    blob.finish()
    return blob.last
  }
}

/// Links in rows of their own whose writing changed nothing, by the entities that declare them.
package struct IdleLinks {
  package var begun: Set<ChangeSet.Link> = []
  package var ended: Set<ChangeSet.Link> = []

  /// Those that were there before their objects were deleted, so that they have ended.
  package var goneWithObjects: Set<ChangeSet.Link> = []

  package init() {}

  /// The links whose beginning or end has changed the store: in rows of their own, others may have
  /// made or removed the same.
  func changing(
    _ links: [ChangeSet.Link], without idle: Set<ChangeSet.Link>, _ mapping: StoreMapping
  ) -> [ChangeSet.Link] {
    idle.isEmpty ? links : links.filter { !idle.contains(mapping.declared($0)) }
  }
}

extension StoreMapping {
  /// A link of the entities that declare it.
  package func declared(_ link: ChangeSet.Link) -> ChangeSet.Link {
    declared(link.relationship, link.owner.key, link.member.key)
  }

  package func declared(
    _ id: RelationshipID, _ owner: Int64, _ member: Int64
  ) -> ChangeSet.Link {
    let relationship = model.property(id).relationship
    return ChangeSet.Link(
      relationship: id, owner: ObjectReference(entity: id.entity, key: owner),
      member: ObjectReference(entity: relationship?.destination ?? id.entity, key: member))
  }
}

extension Int64 {
  /// A moment in milliseconds since 1970.
  package init(clampedMilliseconds date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard !milliseconds.isNaN else {
      self = 0
      return
    }
    self = Int64(Swift.max(-9e15, Swift.min(9e15, milliseconds)))
  }
}
