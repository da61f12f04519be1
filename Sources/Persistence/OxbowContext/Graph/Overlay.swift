internal import OxbowModel
internal import OxbowStore

/// Edits and loaded collections of an object, beside its row.
///
/// Isolated to the object's context. Other objects are references here, so that objects never keep
/// each other alive and the context can drop what nothing holds.
///
/// The cells follow the object's header in one allocation, because an insert writes each of them
/// (docs/performance.md, M/insert).
final class Overlay: ManagedBuffer<Int, Overlay.Cell> {
  static func unchanged(count: Int) -> Overlay {
    make(count) { $0.initialize(repeating: .unchanged, count: count) }
  }

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
  var count: Int { header }

  subscript(index: Int) -> Cell {
    get { withUnsafeMutablePointerToElements { $0[index] } }
    set { withUnsafeMutablePointerToElements { $0[index] = newValue } }
  }

  var cells: ContiguousArray<Cell> {
    withUnsafeMutablePointers { count, cells in
      ContiguousArray(UnsafeBufferPointer(start: cells, count: count.pointee))
    }
  }

  func collection(at index: Int) -> CollectionState? {
    withUnsafeMutablePointerToElements { cells in
      if case .collection(let state) = cells[index] { state } else { nil }
    }
  }

  /// Changes the collection of a property in place, without a copy.
  func updateCollection(_ index: Int, _ change: (inout CollectionState) -> Void) {
    var state = CollectionState()
    withUnsafeMutablePointerToElements { cells in
      // The cell gives the state up, so that the change has the only reference to its lists.
      if case .collection(let known) = (cells + index).move() { state = known }
      (cells + index).initialize(to: .unchanged)
    }
    change(&state)
    self[index] = .collection(state)
  }

  func isEdit(at index: Int) -> Bool {
    withUnsafeMutablePointerToElements { $0[index].isEdit }
  }

  /// Whether the cell of a relationship leads to an object, or `nil` if it is as in the row.
  func mayLead(_ index: Int, to reference: ObjectReference) -> Bool? {
    withUnsafeMutablePointerToElements { cells in
      switch cells[index] {
      case .object(let other): other == reference
      case .null: false
      case .collection(let state): state.mayLead(to: reference)
      case .unchanged, .attribute, .increment, .memory: nil
      }
    }
  }

  var isEmpty: Bool {
    withUnsafeMutablePointers { count, cells in
      (0..<count.pointee).allSatisfy { cells[$0].isUnchanged }
    }
  }

  var hasEdits: Bool {
    withUnsafeMutablePointers { count, cells in
      (0..<count.pointee).contains { cells[$0].isEdit }
    }
  }

  var hasOnlyIncrements: Bool {
    withUnsafeMutablePointers { count, cells in
      (0..<count.pointee).allSatisfy { !cells[$0].isEdit || cells[$0].increment != nil }
    }
  }

  /// Whether every cell is an edit that needs no check beyond the rule of its property.
  func passes(_ rules: [ValueRule]) -> Bool {
    withUnsafeMutablePointers { count, cells in
      for index in 0..<count.pointee {
        guard case .attribute(let value) = cells[index], rules[index].passes(value) else {
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
    case attribute(AttributeValue)
    /// Edited: the increment of the attribute's value in the row.
    case increment(AttributeValue)
    /// Edited: the object of a to-one relationship.
    case object(ObjectReference)
    /// The objects of a to-many relationship.
    case collection(CollectionState)
    /// The value of a transient attribute that is not an edit: set by a hook while the row arrived,
    /// or unchanged since the last save.
    case memory(AttributeValue?)

    var isNull: Bool { if case .null = self { true } else { false } }

    var isUnchanged: Bool { if case .unchanged = self { true } else { false } }

    /// Whether an attribute already has this value.
    func hasAttribute(_ value: AttributeValue?) -> Bool {
      switch self {
      case .attribute(let old): AttributeValue.areIdentical(old, value)
      case .memory(let old): AttributeValue.areIdentical(old, value)
      case .null: value == nil
      default: false
      }
    }

    var isEdit: Bool {
      switch self {
      case .unchanged, .memory: false
      case .null, .attribute, .increment, .object: true
      case .collection(let state): state.hasChanges
      }
    }

    /// The value of an edited attribute, or of a transient one.
    var attributeValue: AttributeValue? {
      switch self {
      case .attribute(let value): value
      case .memory(let value): value
      case .unchanged, .null, .increment, .object, .collection: nil
      }
    }

    /// The cell of a transient attribute whose value is no longer an edit.
    func withoutEdit(default value: AttributeValue?) -> Cell {
      switch self {
      case .attribute(let value): .memory(value)
      // A missing value must be noted if there is a default.
      case .null: value == nil ? .unchanged : .memory(nil)
      case .unchanged, .increment, .object, .collection, .memory: self
      }
    }
    var increment: AttributeValue? { if case .increment(let by) = self { by } else { nil } }

    var isMemory: Bool { if case .memory = self { true } else { false } }

    /// The cell of a row that is written; an increment has become a value by then.
    var written: RowWriter.Cell {
      switch self {
      case .unchanged, .memory, .increment: .unchanged
      case .null, .collection: .null
      case .attribute(let value): .attribute(value)
      case .object(let reference): .object(reference)
      }
    }
  }
}
