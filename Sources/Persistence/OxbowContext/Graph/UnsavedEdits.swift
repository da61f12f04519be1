internal import OxbowModel

/// The edits of an object at a moment, to compare with a later one.
struct UnsavedEdits: Equatable {
  private let state: ObjectState
  private let cells: ContiguousArray<Overlay.Cell>

  init(of object: ManagedObject) { self.init(object._state, object.overlay?.cells) }

  init(_ state: ObjectState, _ cells: ContiguousArray<Overlay.Cell>?) {
    self.state = state.intersection(.changed)
    self.cells = cells ?? []
  }

  static func == (a: Self, b: Self) -> Bool {
    guard a.state == b.state else { return false }
    // Without an overlay, no cell is an edit.
    guard a.cells.count == b.cells.count else {
      return !(a.cells + b.cells).contains { $0.isEdit }
    }
    return zip(a.cells, b.cells).allSatisfy { $0.isSameEdit(as: $1) }
  }
}

extension Overlay.Cell {
  /// Whether two cells would save the same; loaded collections do not count.
  func isSameEdit(as other: Self) -> Bool {
    switch (self, other) {
    case (.attribute(let value), .attribute): other.hasAttribute(value)
    case (.object(let a), .object(let b)): a == b
    case (.increment(let a), .increment(let b)): AttributeValue.areIdentical(a, b)
    case (.null, .null): true
    case (.collection(let a), .collection(let b)): a.hasSameChanges(as: b)
    default: !isEdit && !other.isEdit
    }
  }
}

extension CollectionState {
  fileprivate func hasSameChanges(as other: Self) -> Bool {
    added.elementsEqual(other.added) && removed.elementsEqual(other.removed)
      && arrivals.elementsEqual(other.arrivals) && isReordered == other.isReordered
      && (!isReordered || (members ?? added).elementsEqual(other.members ?? other.added))
  }
}
