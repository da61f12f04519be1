public import OxbowFoundation
public import OxbowModel

/// A save, as the history of its store has it.
public struct HistoryTransaction: Sendable, Hashable {
  /// What made the save.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A context, or a value of the program's own.
    case save
    /// A batch update, which changes objects without reading them.
    case batch
    /// A migration, or that a backup was restored; it names no objects.
    case migration
    /// The store itself, which tidied up; nothing of the program's has changed.
    case upkeep
  }

  /// The place after the save in its store, the same whenever it is read; all parts of a large save
  /// have it.
  public let place: HistoryPlace

  /// The place after the save: reading after it goes on with the next.
  ///
  /// Of a save that comes in several parts, each but the last has the place before the save. With
  /// several stores it has the place in each of them.
  public let token: HistoryToken

  /// When it was made, in milliseconds; the order of saves is that of their numbers.
  public let date: Date

  /// What `transactionAuthor` of the context was, or `nil`.
  public let author: String?

  /// The name of the context, or `nil`.
  public let contextName: String?

  /// Which opening of the store made the save; all coordinators of a process that have a file open
  /// are one, and each that has a store on a server open is its own.
  public let session: UUID

  /// What made the save.
  public let kind: Kind

  /// How many objects the save inserted, all parts together.
  public let insertedCount: Int

  /// How many objects had values or to-one relationships changed, all parts together.
  public let updatedCount: Int

  /// How many objects the save deleted, all parts together.
  public let deletedCount: Int

  /// What changed, one element for each object; a large save comes in several parts, and an object
  /// may be in two of them.
  public let changes: [HistoryChange]

  /// The keys of the program's own values that the save set or removed.
  public let metadataKeys: [String]

  /// What a migration says of itself: the names of its steps; or that a backup was restored.
  ///
  /// A save has `partial` if it changed objects of entities that have no history, too.
  public let notes: [String]

  /// Whether the next transaction is another part of the same save.
  public let isContinued: Bool

  /// What the save did to links, in order.
  package let links: [HistoryLink]

  package init(
    place: HistoryPlace, token: HistoryToken, date: Date, author: String?, contextName: String?,
    session: UUID, kind: Kind, counts: (inserted: Int, updated: Int, deleted: Int),
    changes: [HistoryChange], metadataKeys: [String], notes: [String], isContinued: Bool,
    links: [HistoryLink] = []
  ) {
    self.place = place
    self.token = token
    self.date = date
    self.author = author
    self.contextName = contextName
    self.session = session
    self.kind = kind
    (insertedCount, updatedCount, deletedCount) = counts
    self.changes = changes
    self.metadataKeys = metadataKeys
    self.notes = notes
    self.isContinued = isContinued
    self.links = links
  }

  /// The number of the save in its store: it grows in the order of the commits, on a server as far
  /// as they depend on each other.
  public var number: Int64 { place.number }

  /// How many objects the save inserted, updated and deleted.
  public var count: Int { insertedCount + updatedCount + deletedCount }

  /// What a save notes that changed objects of entities without a history, or derived values only.
  package static let (partial, partlyDerived) = ("partial", "partial: derived values")

  /// What a save notes of which some links may have been there, or have been gone, before.
  package static let unverified = "links not compared with the store"

  /// What the row of a store that was restored from a backup notes.
  package static let restored = "restored from a backup"

  /// Whether it says that the store was restored from a backup, which has changed nothing since the
  /// save before.
  package var isRestoring: Bool { kind == .migration && notes == [Self.restored] }

  /// Whether it changed anything that the history does not name; said in one of its parts.
  package var isPartial: Bool { notes.contains(Self.partial) }

  /// Whether it changed derived values that the history does not name.
  package var isPartlyDerived: Bool { notes.contains(Self.partlyDerived) }

  /// A copy with some of the changes, and perhaps other notes.
  package func with(_ changes: [HistoryChange], notes: [String]? = nil) -> Self {
    with(changes, notes ?? self.notes, token, isContinued)
  }

  /// A copy with the place after it in several stores.
  package func with(_ token: HistoryToken) -> Self { with(changes, notes, token, isContinued) }

  /// A copy of a part that is the last one, with the place after the save.
  func ending(at token: HistoryToken) -> Self { with(changes, notes, token, false) }

  private func with(
    _ changes: [HistoryChange], _ notes: [String], _ token: HistoryToken, _ isContinued: Bool
  ) -> Self {
    Self(
      place: place, token: token, date: date, author: author, contextName: contextName,
      session: session, kind: kind, counts: (insertedCount, updatedCount, deletedCount),
      changes: changes, metadataKeys: metadataKeys, notes: notes,
      isContinued: isContinued, links: links)
  }
}

/// What a save did to an object.
public struct HistoryChange: Sendable, Hashable {
  /// What happened to the object.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// It was new.
    case insert
    /// Properties changed, or who is related to it.
    case update
    /// It was deleted.
    case delete
  }

  /// The object; `nil` if the model no longer has its entity.
  public let objectID: ManagedObjectID?

  /// The name that its entity had then, and its key.
  public let entityName: String
  package let key: Int64

  /// What happened to it.
  public let kind: Kind

  /// The properties that changed, by the names that they had then, in order; none of a new or
  /// deleted object.
  ///
  /// A relationship is named at both ends, but for the object to which a to-one relationship led
  /// before: its end is named where it has an end of one object as well. Derived attributes are
  /// named too.
  public let changedProperties: [String]

  /// The values that changed attributes and to-one relationships had before.
  ///
  /// Of a deleted object it has those of all attributes. `nil` where the store keeps keys only.
  public let before: [String: PropertyValue]?

  /// The values that a deleted object had of the attributes that are kept after deletion.
  public let tombstone: [String: PropertyValue]

  /// The attributes whose value before was not kept: it was in a file, or larger than 64 KiB.
  public let omittedProperties: [String]

  /// The version of the row before; 0 where it is unknown, and of a new object.
  package let version: Int64

  /// What the model calls properties that it no longer calls as the change does; `nil` for those
  /// that it no longer has.
  package let renamed: [String: String?]

  package init(
    objectID: ManagedObjectID?, entityName: String, key: Int64, kind: Kind,
    changedProperties: [String] = [], before: [String: PropertyValue]? = nil,
    tombstone: [String: PropertyValue] = [:], omittedProperties: [String] = [],
    version: Int64 = 0, renamed: [String: String?] = [:]
  ) {
    self.objectID = objectID
    self.entityName = entityName
    self.key = key
    self.kind = kind
    self.changedProperties = changedProperties
    self.before = before
    self.tombstone = tombstone
    self.omittedProperties = omittedProperties
    self.version = version
    self.renamed = renamed
  }
}

/// What a save did to a link.
package struct HistoryLink: Sendable, Hashable {
  package enum Kind: Sendable {
    case begun, ended
    /// The member has another place in the order of the owner.
    case placed
  }

  package let kind: Kind

  /// The name that the relationship had then.
  package let name: String

  /// The link in the model of now; `nil` if that no longer has it.
  package let link: ChangeSet.Link?

  package init(_ kind: Kind, _ name: String, _ link: ChangeSet.Link?) {
    (self.kind, self.name, self.link) = (kind, name, link)
  }
}

/// Saves that the history of a store does not have.
///
/// They were removed (`deleteHistory(before:)`, a limit), or made while the store did not record
/// them. Every save counts, so their number is exact.
public struct HistoryGap: Sendable, Hashable {
  /// The identifier of the store whose saves they are.
  public let store: UUID

  /// The number of the first save that is missing.
  public let first: Int64

  /// The number of the last one.
  public let last: Int64

  /// The place after the last of them, from which reading goes on.
  public private(set) var token: HistoryToken

  package init(first: Int64, last: HistoryPlace, token: HistoryToken) {
    store = last.store
    self.first = first
    self.last = last.number
    self.token = token
  }

  /// A copy with the place after it in several stores.
  package func with(_ token: HistoryToken) -> Self {
    var copy = self
    copy.token = token
    return copy
  }

  /// How many saves are missing.
  public var count: Int { Int(clamping: last - first + 1) }
}

/// What comes next in a history.
public enum HistoryElement: Sendable, Hashable {
  /// Saves, in order.
  case saves([HistoryTransaction])
  /// Saves that the history does not have: a mirror of the store reads it as a whole (`snapshot`).
  case missed(HistoryGap)
  /// The store's model was changed by a migration, or a backup was restored: a mirror reads the
  /// store as a whole, likewise.
  case migrated(HistoryTransaction)

  /// The place after it.
  public var token: HistoryToken? {
    switch self {
    case .saves(let saves): saves.last?.token
    case .missed(let gap): gap.token
    case .migrated(let migration): migration.token
    }
  }
}
