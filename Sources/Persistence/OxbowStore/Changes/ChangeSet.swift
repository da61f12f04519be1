package import OxbowModel

/// What one save changes, as logical values.
///
/// A change set has objects, attributes and links, never columns: the mapping of a store decides
/// whether a link is a key in a row, a row of its own or an order key. It is a pure value, so a
/// store can apply it again after a failure.
package struct ChangeSet: Sendable {
  package var inserts: [Insert] = []
  package var updates: [Update] = []
  package var deletes: [Delete] = []

  /// Links that end, to be applied before those that begin.
  package var unlinks: [Link] = []
  package var links: [Link] = []

  /// The positions of objects in the order of others, to be applied after links.
  package var placements: [Placement] = []

  /// Values of the program's own that are kept with the store.
  package var metadata: [Metadatum] = []

  /// How far consumers of the store's history have come.
  package var acknowledgments: [HistoryAcknowledgment] = []

  /// Who saves, for the history: the author and the name of the context.
  package var author: String?
  package var contextName: String?

  /// What gives the save its place among those of others.
  package var announcement: SaveAnnouncement?

  private(set) var slabs: [RowSlab] = []

  package init() {}

  /// Inserts the object of a row that the store never had.
  package mutating func insert(_ slab: RowSlab, row: Int) {
    if slabs.last !== slab { slabs.append(slab) }
    inserts.append(Insert(slab, row: row))
  }

  package mutating func insert(_ item: Insert) {
    if case .row(let slab, let row) = item.content {
      insert(slab.takeUnretainedValue(), row: row)
    } else {
      inserts.append(item)
    }
  }

  package var isEmpty: Bool {
    inserts.isEmpty && updates.isEmpty && deletes.isEmpty && unlinks.isEmpty && links.isEmpty
      && placements.isEmpty && metadata.isEmpty && acknowledgments.isEmpty
  }

  /// The number of objects, links, places and values that it changes.
  package var count: Int {
    inserts.count + updates.count + deletes.count + unlinks.count + links.count + placements.count
      + metadata.count + acknowledgments.count
  }

  /// A new object.
  package struct Insert: Sendable {
    /// The dense index of its concrete entity, and its key.
    package let entity: Int
    package let key: Int64

    /// Its attributes' values.
    package let content: Content

    /// The version of the row; not the first one for an object that was in the store before, so
    /// that readers of the former row do not take this one for it.
    package let version: Int64

    package enum Content: Sendable {
      /// A value for each property by property index; `nil` for no value and for relationships.
      case values(ContiguousArray<AttributeValue?>)
      /// In a row that its context leaves alone while the change set is applied.
      ///
      /// The change set holds the slab, so that no reference is counted for each of thousands of
      /// rows (docs/performance.md, M/insert).
      case row(Unmanaged<RowSlab>, Int)
    }

    package init(
      entity: Int, key: Int64, values: ContiguousArray<AttributeValue?>,
      version: Int64 = RowVersion.first
    ) {
      self.entity = entity
      self.key = key
      self.content = .values(values)
      self.version = version
    }

    fileprivate init(_ slab: RowSlab, row: Int) {
      entity = slab._entity(row)
      key = slab._key(row)
      content = .row(.passUnretained(slab), row)
      version = RowVersion.first
    }

    package var reference: ObjectReference { ObjectReference(entity: entity, key: key) }

    /// A value for each property by property index; `nil` for no value and for relationships.
    package var values: ContiguousArray<AttributeValue?> {
      switch content {
      case .values(let values): values
      case .row(let slab, let row): slab.takeUnretainedValue().values(of: row)
      }
    }
  }

  package struct Update: Sendable {
    package let entity: Int
    package let key: Int64

    /// The version that the context read; if `checksVersion`, the store refuses the save if it has
    /// another.
    package let version: Int64
    package var checksVersion = true

    /// The attributes that changed, by property index.
    ///
    /// Empty if only to-one links changed, which also check and raise the version.
    package var values: [(property: Int, value: AttributeValue?)]

    /// The transient attributes that changed, in the save of a child: only a parent gets them.
    package var transients: [(property: Int, value: AttributeValue?)] = []

    /// The increments of attributes of the stored row, by property index.
    package var increments: [(property: Int, by: AttributeValue)] = []

    /// The condition that the stored row must meet before the save.
    package var condition: FetchPredicate?

    package init(
      entity: Int, key: Int64, version: Int64,
      values: [(property: Int, value: AttributeValue?)]
    ) {
      self.entity = entity
      self.key = key
      self.version = version
      self.values = values
    }

    package var reference: ObjectReference { ObjectReference(entity: entity, key: key) }

    /// Whether the store must read its row before it knows what to write.
    package var needsRow: Bool { !checksVersion || !increments.isEmpty || condition != nil }
  }

  package struct Delete: Sendable {
    package let entity: Int
    package let key: Int64

    /// The version that the context read, or `nil` if it never read the row (a fault).
    package let version: Int64?

    package init(entity: Int, key: Int64, version: Int64?) {
      self.entity = entity
      self.key = key
      self.version = version
    }

    package var reference: ObjectReference { ObjectReference(entity: entity, key: key) }
  }

  /// A link between two objects, as the canonical end of the relationship has it.
  package struct Link: Sendable, Hashable {
    /// The canonical relationship (its storage says `isCanonical`).
    package let relationship: RelationshipID

    /// The object that has the relationship, and the one that it leads to.
    package let owner: ObjectReference
    package let member: ObjectReference

    /// The member's position in the owner's order, for an ordered relationship; `nil` for after the
    /// last, or for its present one.
    package var memberPosition: Int64?

    /// The owner's position in the member's order, if the inverse is ordered.
    package var ownerPosition: Int64?

    package init(
      relationship: RelationshipID, owner: ObjectReference, member: ObjectReference,
      memberPosition: Int64? = nil, ownerPosition: Int64? = nil
    ) {
      self.relationship = relationship
      self.owner = owner
      self.member = member
      self.memberPosition = memberPosition
      self.ownerPosition = ownerPosition
    }
  }

  /// The position of one object in the order of another.
  ///
  /// It makes no link: if others have removed the link meanwhile, nothing is written.
  package struct Placement: Sendable, Hashable {
    /// The canonical relationship, and both ends as in a ``Link``.
    package let relationship: RelationshipID
    package let owner: ObjectReference
    package let member: ObjectReference

    /// Whether it is the member's position in the owner's order; otherwise the owner's in the
    /// member's.
    package let isOfOwner: Bool

    /// The position; `nil` for after the last.
    package let position: Int64?

    package init(
      relationship: RelationshipID, owner: ObjectReference, member: ObjectReference,
      isOfOwner: Bool, position: Int64?
    ) {
      self.relationship = relationship
      self.owner = owner
      self.member = member
      self.isOfOwner = isOfOwner
      self.position = position
    }
  }

  /// A value that a program keeps with the store.
  package struct Metadatum: Sendable, Hashable {
    package let key: String

    /// The value; `nil` removes the key.
    package let value: AttributeValue?

    package init(_ key: String, _ value: AttributeValue?) {
      self.key = key
      self.value = value
    }
  }

  /// The first position of an ordered relationship, and the distance between two (file format).
  package static var firstPosition: Int64 { 2048 }
  package static var positionStep: Int64 { 1024 }
}

/// A value that a store computed in a save.
package struct DerivedValue: Sendable, Hashable {
  /// The object, with its own entity: the attribute may be declared above.
  package let object: ObjectReference

  /// The property index of the derived attribute, and its value now.
  package let property: Int
  package let value: AttributeValue?

  package init(object: ObjectReference, property: Int, value: AttributeValue?) {
    self.object = object
    self.property = property
    self.value = value
  }
}

/// The version of an object that a store has raised without an update of it, because a link that is
/// kept elsewhere is a change of both ends.
package struct RaisedVersion: Sendable, Hashable {
  /// The object, with its own entity, and its version now.
  package let object: ObjectReference
  package let version: Int64

  package init(object: ObjectReference, version: Int64) {
    self.object = object
    self.version = version
  }
}

/// The result of a save for its context.
package struct SaveResult: Sendable {
  /// The derived values that the save changed, of any object.
  package var derived: [DerivedValue]

  /// The rows that updates without a version check have found, as they were before the save, if
  /// their version is not the one that the context read: the updates are changes of these rows.
  package var found: [RowSlab]

  /// The objects whose version the save has raised without an update of them.
  package var raised: [RaisedVersion]

  /// The place after the save in the history of the store, where it has one.
  package var historyToken: HistoryToken?

  package init(
    derived: [DerivedValue] = [], found: [RowSlab] = [], raised: [RaisedVersion] = []
  ) {
    self.derived = derived
    self.found = found
    self.raised = raised
  }

  /// The objects of which a reader would find other rows though the change set does not name them.
  package var affected: [ObjectReference] { derived.map(\.object) + raised.map(\.object) }
}

/// Versions of rows.
///
/// Each save of a row's values or keys raises its version by one; derived values do not. A save is
/// refused if the store has another version than the context read, because another context has
/// saved the row meanwhile.
package enum RowVersion {
  /// The version of an inserted row.
  package static var first: Int64 { 1 }

  /// How much an update raises the version; SQL writes it as a sum.
  package static var step: Int64 { 1 }

  /// The version of a row that is written again after its deletion: it is unknown how far others
  /// had raised it before.
  ///
  /// A version that another program wrote may be the largest number, which a store does not raise.
  package static func again(after version: Int64) -> Int64 { version &+ (1 << 32) }

  /// The version of a row that was updated.
  package static func next(after version: Int64) -> Int64 { version &+ step }
}
