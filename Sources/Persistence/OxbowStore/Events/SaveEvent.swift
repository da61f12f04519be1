public import OxbowFoundation
public import OxbowModel

/// A save: the objects that it inserted, updated and deleted.
///
/// An event has IDs and no values, because rows may have been saved again since.
public struct SaveEvent: Sendable {
  /// Where a save was made.
  public enum Origin: Sendable, Hashable {
    /// In this process.
    case here
    /// In another one, or by another opening of the store's file in this one
    /// (``HistoryTransaction/session``).
    case elsewhere(session: UUID)
  }

  /// The name of the context that saved; empty if it had none.
  public let author: String

  /// Where the save was made: saves from elsewhere come from stores that follow other processes.
  public let origin: Origin

  /// The place after the save in the histories of the stores that it changed, where they have one.
  ///
  /// A store on a server gives its saves their places when they are read: a save of this program
  /// has none there.
  public let historyToken: HistoryToken?

  /// The number of the event among those of its coordinator, from 1.
  public let number: Int

  /// The objects, as the store's model numbers them.
  package let inserted: [ObjectReference]
  package let updated: [ObjectReference]
  package let deleted: [ObjectReference]

  /// The objects at both ends of links that are not part of a row, and those whose order changed.
  package let relinked: [ObjectReference]

  /// The objects whose derived values the save changed, or of which it raised the version alone.
  package let derived: Set<ObjectReference>

  /// The common parts of the IDs of each entity's objects.
  private let origins: ContiguousArray<ManagedObjectID.Origin>

  init(
    _ changes: ChangeSet, _ result: SaveResult, by author: String, number: Int,
    at token: HistoryToken?, in model: CompiledModel,
    _ origins: ContiguousArray<ManagedObjectID.Origin>
  ) {
    self.author = author
    (origin, historyToken) = (.here, token)
    self.number = number
    self.origins = origins
    derived = Set(result.affected)
    inserted = changes.inserts.map(\.reference)
    updated = changes.updates.map(\.reference)
    deleted = changes.deletes.map(\.reference)
    let links = (changes.links + changes.unlinks).filter {
      model.entities[$0.relationship.entity].properties[$0.relationship.property]
        .relationship?.storage == .joinRows
    }
    relinked =
      links.flatMap { [$0.owner, $0.member] }
      + changes.placements.flatMap { [$0.owner, $0.member] }
      + result.raised.map(\.object)
  }

  /// The event of a save in the history, with the objects that it changed, where every update may
  /// be one of links or of derived values.
  init(
    of save: HistoryTransaction, _ changed: [HistoryChange.Kind: [ObjectReference]],
    _ origin: Origin, number: Int, _ origins: ContiguousArray<ManagedObjectID.Origin>
  ) {
    author = save.contextName ?? ""
    (self.origin, historyToken) = (origin, save.token)
    self.number = number
    self.origins = origins
    inserted = changed[.insert] ?? []
    updated = changed[.update] ?? []
    deleted = changed[.delete] ?? []
    relinked = updated
    derived = Set(updated)
  }

  /// The objects that the save inserted.
  public var insertedObjectIDs: [ManagedObjectID] { ids(of: inserted) }

  /// The objects whose values or to-one relationships the save changed.
  public var updatedObjectIDs: [ManagedObjectID] { ids(of: updated) }

  /// The objects that the save deleted.
  public var deletedObjectIDs: [ManagedObjectID] { ids(of: deleted) }

  private func ids(of references: [ObjectReference]) -> [ManagedObjectID] {
    references.map { ManagedObjectID(origins[$0.entity], key: $0.key) }
  }

  /// The number of objects in the event.
  var size: Int { inserted.count + updated.count + deleted.count + relinked.count + derived.count }
}

/// The saves that were not read yet.
public struct SaveNews: Sendable {
  /// The saves in the order of their announcement; empty if there were too many.
  public let events: [SaveEvent]

  /// Whether these are all; if not, any object may have been changed.
  public let isComplete: Bool
}
