public import OxbowModel
public import OxbowStore

/// An object of an entity, owned by one context.
///
/// An object is a view of a row: it points into the slab that its fetch brought, and an edit goes
/// into an overlay until it is saved. There is one object for each row in a context, so two
/// references to the same object are `==` and `===` alike.
///
/// Declare a class for an entity with `@Entity`; an entity without a class has plain managed
/// objects whose properties are read by name (``value(_:as:)``).
///
/// ## Isolation
/// An object belongs to its context and is used where the context is (see
/// ``ManagedObjectContext``). It is never `Sendable`: send its ``objectID`` instead.
///
/// ## Failing reads
/// A getter cannot throw. What a row brought was checked when it was fetched; when a getter has to
/// read the store and that fails, it returns a placeholder (zero, the empty text, no object), keeps
/// the error in ``faultError``, and the context throws it from the next call that can. Use
/// ``ManagedObjectContext/load(_:)`` to read ahead where an error can be handled.
///
/// The same holds off the owner, and for an object that no longer belongs to a context, because its
/// context was reset or is gone, its deletion was saved or its insert rolled back: such an object
/// keeps its attribute values in memory, and everything else is refused.
open class ManagedObject {
  // These variables are the audited fast path of `_value`: `@exclusivity(unchecked)` saves 7 % of a
  // fetch (docs/performance.md, M/fetch). It is sound because they are read and written whole, with
  // no `inout`, no `_modify`, and nothing called while an access is open. Getters in the caller's
  // module read them after `sign` has said that the caller may.

  /// Who may use the object: the only field that a visitor may read, because it never changes.
  ///
  /// Every slab of the object holds the sign's token.
  @usableFromInline final let sign: UnsafePointer<OwnerSign>

  @exclusivity(unchecked) @usableFromInline private(set) final var _slab: RowSlab

  @exclusivity(unchecked) @usableFromInline private(set) final var _row: Int32

  /// The object's special states; empty for a clean object whose row was read.
  @exclusivity(unchecked) @usableFromInline final var _state: ObjectState

  /// Creates the object of a row.
  ///
  /// Contexts call it; use `insert` to make a new object.
  public required init(_slab: RowSlab, row: Int, state: ObjectState) {
    // A context gives every slab its token before it makes objects of the slab's rows.
    sign = unsafeDowncast(_slab._givenOwner.unsafelyUnwrapped, to: ContextToken.self).sign
    self._slab = _slab
    _row = Int32(truncatingIfNeeded: row)
    _state = state
  }

  deinit {
    if _state.contains(.overlaid) { _slab.keep(nil, with: Int(_row)) }
  }
}

@available(
  *, unavailable,
  message: "a managed object belongs to its context; send its objectID and fetch it there"
)
extension ManagedObject: @unchecked Sendable {}

extension ManagedObject: Hashable {
  /// Whether both are the same object.
  @inlinable public static func == (a: ManagedObject, b: ManagedObject) -> Bool { a === b }

  /// Hashes the object's identity.
  @inlinable public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }

  /// Hashes the object's identity for a set or a dictionary.
  ///
  /// The requirement that the standard library's collections ask (decision 0135).
  @inlinable public func _rawHashValue(seed: Int) -> Int {
    _hashOfWord(UInt(bitPattern: ObjectIdentifier(self)), seed: seed)
  }
}

extension ManagedObject: CustomStringConvertible {
  /// The entity and the key: `Book/p12`.
  public var description: String { "\(entityName)/p\(identity.key)" }
}

extension ManagedObject: CustomReflectable {
  /// The object's ID; properties are left out, because reading them may read the store.
  public var customMirror: Mirror {
    Mirror(self, children: ["objectID": objectID], ancestorRepresentation: .suppressed)
  }
}

/// The special states of an object, as bits.
public struct ObjectState: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt16

  /// Creates a state from bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Has an overlay: edits, or loaded collections.
  package static let overlaid = ObjectState(rawValue: 1)
  /// Its row has not been read.
  package static let fault = ObjectState(rawValue: 2)
  /// Is new and was not saved yet.
  package static let inserted = ObjectState(rawValue: 4)
  /// Has unsaved changes.
  package static let updated = ObjectState(rawValue: 8)
  /// Will be deleted by the next save.
  package static let deleted = ObjectState(rawValue: 16)
  /// Its row could not be read, or no longer exists.
  package static let inaccessible = ObjectState(rawValue: 32)
  /// Is no longer one of its context's objects: its deletion was saved, or its insert was undone.
  package static let detached = ObjectState(rawValue: 128)

  /// Is in its context's list of changed objects, changed or not.
  package static let listed = ObjectState(rawValue: 64)

  /// Reads and changes of its properties are noted (`ManagedObjectContext.isObservable`).
  package static let observed = ObjectState(rawValue: 256)

  /// Is new, and writes its attributes to its row.
  package static let draft = ObjectState(rawValue: 512)

  /// Is about to be deleted by the running deletion.
  package static let deleting = ObjectState(rawValue: 1024)

  /// Was new, and a save has merged it into the object with its unique values (``Successor``).
  package static let merged = ObjectState(rawValue: 2048)

  /// The states of an object that the next save writes.
  package static let changed: ObjectState = [.inserted, .updated, .deleted]
  var isUpdated: Bool { contains(.updated) && isDisjoint(with: [.inserted, .deleted]) }
}

extension ManagedObject {
  /// The object's ID: final from the moment that the object is made.
  ///
  /// It may be read on any thread, as may the name of the entity and the description; nothing else
  /// may.
  public final var objectID: ManagedObjectID { token.coordinator.id(of: identity) }

  /// The context; `nil` once it was reset or is gone, the object's deletion was saved or its insert
  /// undone, and off the owner.
  public final var context: ManagedObjectContext? {
    isOwned("reading its context") && !isOrphan ? token.context : nil
  }

  /// Whether the object's row has not been read yet.
  public final var isFault: Bool { hasState(.fault) }

  /// Whether the object is new and was not saved yet.
  public final var isInserted: Bool { isPending(.inserted) }

  /// Whether the object has unsaved changes; a new or deleted object is neither.
  public final var isUpdated: Bool { isPending(.updated) && _state.isUpdated }

  /// Whether the next save deletes the object.
  public final var isDeleted: Bool { isPending(.deleted) }

  /// Whether the object is new, changed or deleted.
  public final var hasChanges: Bool { isPending(.changed) }

  /// Why the last read or edit of the object failed, or `nil`.
  ///
  /// Either the object's row could not be read, or a value in it does not have its property's type,
  /// or the object no longer belongs to a context.
  public final var faultError: PersistenceError? {
    guard isOwned("reading its fault error") else { return nil }
    return token.context?.faults.errors[reference] ?? token.refusal(of: reference)
  }

  /// The name of the object's entity.
  public final var entityName: String { token.coordinator.model.entities[identity.entity].name }

  /// Whether the object has one of these states, which end with its context.
  private final func isPending(_ states: ObjectState) -> Bool {
    hasState(states) && sign.pointee.hasContext
  }

  /// Whether the object has one of these states; false off the owner, where the use is reported.
  private final func hasState(_ states: ObjectState) -> Bool {
    isOwned("reading its state") && !_state.isDisjoint(with: states)
  }
}

extension ManagedObject {
  /// The object's token, readable on any thread.
  final var token: ContextToken { sign.pointee.token.takeUnretainedValue() }
  final var isCurrent: Bool { sign.pointee.isCurrent }

  /// Entity and key, readable on any thread.
  final var identity: ObjectReference {
    isCurrent ? reference : token.whileRowsStay { reference }
  }
}

// For the owner: a row may be exchanged at any moment.
extension ManagedObject {
  final var entityIndex: Int { _slab._entity(Int(_row)) }
  final var entity: CompiledEntity { _slab.model.entities[entityIndex] }
  final var key: Int64 { _slab._key(Int(_row)) }
  final var version: Int64 { _slab._version(Int(_row)) }
  final var reference: ObjectReference { ObjectReference(entity: entityIndex, key: key) }

  /// The property of the `accessor`-th accessor of the object's class.
  final func property(_ accessor: Int) -> CompiledProperty {
    entity.properties[propertyIndex(accessor)]
  }

  final func propertyIndex(_ accessor: Int) -> Int {
    let table = _slab.model.slotTable
    return Int(table.properties[Int(table.starts[entityIndex]) + accessor])
  }

  /// Whether the caller may use the object; otherwise the use was reported.
  final func isOwned(_ action: @autoclosure () -> String) -> Bool {
    isCurrent || token.check(action(), "the object '\(self)'")
  }

  /// Whether the caller may use the object through an accessor; otherwise the use was reported.
  final func isOwned(_ action: String, _ accessor: Int) -> Bool {
    if isCurrent { return true }
    let model = token.coordinator.model
    let table = model.slotTable
    let entity = identity.entity
    let property = Int(table.properties[Int(table.starts[entity]) + accessor])
    let name = model.entities[entity].properties[property].name
    return isOwned("\(action) '\(name)'")
  }

  /// Points the object to another row of its entity.
  ///
  /// The row has the same token, so the object's stays alive. Visitors read the row behind the
  /// token's lock; it is not taken where the compiler proves that there are none.
  ///
  /// `isSame` says that the object shows the same values as before.
  final func point(to slab: RowSlab, _ row: Int, isSame: Bool = false) {
    if !isSame {
      token.rowChanges &+= 1
      if _state.contains(.observed) { noteObservableChanges(in: slab, row) }
    }
    // The object's sign lives as long as its slab's token.
    precondition(slab._owner === token, "an object was pointed to a row of another token")
    if let overlay {
      _slab.keep(nil, with: Int(_row))
      slab.keep(overlay, with: row)
    }
    guard !token.isProved else {
      _slab = slab
      _row = Int32(truncatingIfNeeded: row)
      return
    }
    // Released after the lock.
    let old = _slab
    token.whileRowsStay {
      _slab = slab
      _row = Int32(truncatingIfNeeded: row)
    }
    withExtendedLifetime(old) {}
  }
}
