public import OxbowModel
public import OxbowStore

/// An object of an entity, owned by one context.
///
/// An object is a view of a row: it points into the slab that its fetch brought, and an edit goes into
/// an overlay until it is saved. There is one object for each row in a context, so two references to
/// the same object are `==` and `===` alike.
///
/// Declare a class for an entity with `@Entity`; an entity without a class has plain managed objects
/// whose properties are read by name (``value(_:as:)``).
///
/// ## Isolation
/// An object belongs to its context and is used where the context is (see ``ManagedObjectContext``).
/// It is never `Sendable`: send its ``objectID`` instead.
///
/// ## Failing reads
/// A getter cannot throw. What a row brought was checked when it was fetched; when a getter has to
/// read the store and that fails, it returns a stand-in (zero, the empty text, no object), keeps the
/// error in ``faultError``, and the context throws it from the next call that can. Use
/// ``ManagedObjectContext/load(_:)`` to read ahead where an error can be handled.
open class ManagedObject {
  // These four are the audited fast path of `_value`: `@exclusivity(unchecked)` spares 7 % of a
  // fetch (suite M). It is sound because they are read and written whole, with no `inout`, no
  // `_modify`, and nothing called while an access is open.

  /// The slab in which the object's row stands.
  @exclusivity(unchecked) public final var _slab: RowSlab

  /// The row in the slab.
  @exclusivity(unchecked) public final var _row: Int32

  /// What is special about the object; empty for a clean object whose row is there.
  @exclusivity(unchecked) public final var _state: ObjectState

  /// Edits and loaded collections.
  @exclusivity(unchecked) final var overlay: Overlay?

  /// Creates the object of a row.
  ///
  /// Contexts call it; use `insert` to make a new object.
  public required init(_slab: RowSlab, row: Int, state: ObjectState) {
    self._slab = _slab
    _row = Int32(truncatingIfNeeded: row)
    _state = state
  }
}

@available(
  *, unavailable,
  message: "a managed object belongs to its context; send its objectID and fetch it there"
)
extension ManagedObject: @unchecked Sendable {}

extension ManagedObject: Hashable {
  /// Whether both are the same object.
  public static func == (a: ManagedObject, b: ManagedObject) -> Bool { a === b }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ManagedObject: CustomStringConvertible {
  /// The entity and the key: `Book/p12`.
  public var description: String { "\(entity.name)/p\(key)" }
}

/// What is special about an object, as bits.
public struct ObjectState: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates a state from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It has an overlay: edits, or collections that were loaded.
  package static let overlaid = ObjectState(rawValue: 1)
  /// Its row has not been read.
  package static let fault = ObjectState(rawValue: 2)
  /// It is new and was not saved yet.
  package static let inserted = ObjectState(rawValue: 4)
  /// It has unsaved changes.
  package static let updated = ObjectState(rawValue: 8)
  /// It is to be deleted by the next save.
  package static let deleted = ObjectState(rawValue: 16)
  /// Its row could not be read, or it no longer exists.
  package static let inaccessible = ObjectState(rawValue: 32)

  /// It is in its context's list of changed objects, changed or not.
  package static let listed = ObjectState(rawValue: 64)

  /// The bits of an object that the next save writes.
  package static let changed: ObjectState = [.inserted, .updated, .deleted]
}

extension ManagedObject {
  /// The object's ID: final from the moment that the object is made.
  public final var objectID: ManagedObjectID {
    token.coordinator.id(of: reference)
  }

  /// The context, or `nil` once it was reset or is gone, and for an object that was deleted by a save or
  /// that is new and was deleted or rolled back.
  public final var context: ManagedObjectContext? { token.context }

  /// Whether the object's row has still to be read from the store.
  public final var isFault: Bool { _state.contains(.fault) }

  /// Whether the object is new and was not saved yet.
  public final var isInserted: Bool { _state.contains(.inserted) }

  /// Whether the object has unsaved changes; a new or deleted object is neither.
  public final var isUpdated: Bool { _state.contains(.updated) && !isInserted && !isDeleted }

  /// Whether the next save deletes the object.
  public final var isDeleted: Bool { _state.contains(.deleted) }

  /// Whether the object is new, changed or deleted.
  public final var hasChanges: Bool { !_state.isDisjoint(with: .changed) }

  /// Why the object's row could not be read, or `nil`.
  public final var faultError: PersistenceError? { token.context?.faultErrors[reference] }

  /// The name of the object's entity.
  public final var entityName: String { entity.name }

  final var entityIndex: Int { _slab._entity(Int(_row)) }
  final var entity: EntitySchema { _slab.schema.entities[entityIndex] }
  final var key: Int64 { _slab._key(Int(_row)) }
  final var version: Int64 { _slab._version(Int(_row)) }
  final var reference: ObjectReference { ObjectReference(entity: entityIndex, key: key) }

  final var token: ContextToken {
    // A context gives every slab its token before it makes objects of the slab's rows.
    unsafeDowncast(_slab._owner.unsafelyUnwrapped, to: ContextToken.self)
  }

  /// The property that the `accessor`-th accessor of the object's class stands for.
  final func property(_ accessor: Int) -> PropertySchema {
    let table = _slab.schema.slotTable
    let entity = self.entity
    return entity.properties[
      Int(table.properties[Int(table.starts[entity.index]) + accessor])]
  }
}
