internal import OrderedCollections
internal import OxbowModel
internal import OxbowStore

/// What an object has beside its row: edits and loaded collections.
///
/// Isolated to the context of its object. Other objects are held as references, not as objects, so
/// that objects never keep each other alive and the context can drop what nobody holds.
///
/// The cells stand behind the object's header, in one allocation: an insert writes each of them (suite M).
final class Overlay: ManagedBuffer<Int, Overlay.Cell> {
  /// An overlay without edits.
  static func unchanged(count: Int) -> Overlay {
    make(count) { $0.initialize(repeating: .unchanged, count: count) }
  }

  /// An overlay with a copy of `cells`.
  static func copying(_ cells: ContiguousArray<Cell>) -> Overlay {
    make(cells.count) { memory in
      cells.withUnsafeBufferPointer { source in
        if let start = source.baseAddress { memory.initialize(from: start, count: source.count) }
      }
    }
  }

  private static func make(_ count: Int, _ fill: (UnsafeMutablePointer<Cell>) -> Void) -> Overlay {
    let buffer = Overlay.create(minimumCapacity: count) { _ in count }
    buffer.withUnsafeMutablePointerToElements(fill)
    // `create` makes an instance of the class that it is called on.
    return unsafeDowncast(buffer, to: Overlay.self)
  }

  deinit {
    _ = withUnsafeMutablePointers { $1.deinitialize(count: $0.pointee) }
  }

  /// The number of cells: one for each property.
  var count: Int { header }

  /// The cell of a property.
  subscript(index: Int) -> Cell {
    get { withUnsafeMutablePointerToElements { $0[index] } }
    set { withUnsafeMutablePointerToElements { $0[index] = newValue } }
  }

  /// Whether every cell is an edit that needs no check beyond the one of its property.
  func passes(_ checks: [PlainCheck]) -> Bool {
    withUnsafeMutablePointers { count, cells in
      for index in 0..<count.pointee {
        guard case .value(let value) = cells[index], checks[index].passes(value) else {
          return false
        }
      }
      return true
    }
  }

  enum Cell {
    /// As in the row.
    case unchanged
    /// Edited: no value, or no object.
    case null
    /// Edited: an attribute's value.
    case value(AttributeValue)
    /// Edited: the object of a to-one relationship.
    case object(ObjectReference)
    /// The objects of a to-many relationship.
    case collection(CollectionState)

    var isEdit: Bool {
      switch self {
      case .unchanged: false
      case .null, .value, .object: true
      case .collection(let state): state.hasChanges
      }
    }
  }
}

/// The objects of a to-many relationship: what the store has, if loaded, and what was changed since.
struct CollectionState {
  /// The members with changes applied, or `nil` while they have not been read from the store.
  var members: OrderedSet<ObjectReference>?

  /// What came and what went since the last save.
  var added: OrderedSet<ObjectReference> = []
  var removed: OrderedSet<ObjectReference> = []

  /// Whether the order of an ordered relationship was changed.
  var isReordered = false

  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

  /// Takes over what the store has, and applies the changes to it.
  mutating func load(_ stored: some Sequence<ObjectReference>) {
    var members = OrderedSet(stored)
    members.subtract(removed)
    members.append(contentsOf: added)
    self.members = members
  }

  mutating func add(_ member: ObjectReference) {
    members?.append(member)
    if removed.remove(member) == nil { added.append(member) }
  }

  mutating func remove(_ member: ObjectReference) {
    members?.remove(member)
    if added.remove(member) == nil { removed.append(member) }
  }

  /// Forgets the changes after a save: the store has them now.
  mutating func settle() {
    added = []
    removed = []
    isReordered = false
  }
}
