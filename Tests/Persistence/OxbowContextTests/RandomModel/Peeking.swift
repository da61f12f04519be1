import OxbowModel
import OxbowStore

@testable import OxbowContext

// What a context holds, looked at without reading anything: a look must not load what it looks at.

extension ManagedObject {
  /// What a to-one end is known to lead to.
  enum PeekedOne: Equatable {
    case unknown
    case known(ObjectReference?)
  }

  func peekOne(_ property: CompiledProperty) -> PeekedOne {
    switch overlay?[property.index] {
    case .object(let reference): .known(reference)
    case .null: .known(nil)
    default:
      isInserted ? .known(nil) : isFault ? .unknown : .known(_slab.reference(Int(_row), property))
    }
  }

  /// The members of a to-many end, or `nil` when they have not been read.
  func peekMany(_ property: CompiledProperty) -> [ObjectReference]? {
    collection(property)?.members.map { Array($0) }
  }

  /// The object's version, or `nil` for a fault and for a new object.
  var peekedVersion: Int64? { isFault || isInserted ? nil : version }

  /// The edits of the object: values, to-one ends, and what came to and went from to-many ends, by
  /// the labels of the objects.
  func peekEdits(_ label: (ObjectReference) -> Int) -> PeekedEdits {
    var edits = PeekedEdits()
    guard let overlay else { return edits }
    for property in entity.properties {
      switch (overlay[property.index], property.relationship) {
      case (.attribute(let value), _): edits.values[property.name] = Value(value)
      case (.null, nil): edits.values[property.name] = Value.none
      case (.null, .some): edits.ones[property.name] = .some(nil)
      case (.object(let reference), _): edits.ones[property.name] = label(reference)
      case (.collection(let state), _):
        if !state.added.isEmpty { edits.added[property.name] = Set(state.added.map(label)) }
        if !state.removed.isEmpty { edits.removed[property.name] = Set(state.removed.map(label)) }
        if state.isReordered { edits.reordered.insert(property.name) }
        if state.hasReturned { edits.arrivals[property.name] = state.arrivals.map(label) }
      case (.increment, _):
        edits.values[property.name] = Value(valueInMemory(of: property) ?? nil)
      case (.unchanged, _), (.memory, _): break
      }
    }
    return edits
  }
}

/// The edits of one object.
struct PeekedEdits: Equatable, Codable {
  var values: [String: Value] = [:]
  var ones: [String: Int?] = [:]
  var added: [String: Set<Int>] = [:]
  var removed: [String: Set<Int>] = [:]
  var reordered: Set<String> = []
  /// What comes last in ordered ends, where something went and came back.
  var arrivals: [String: [Int]] = [:]

  var changesRow: Bool { !values.isEmpty || !ones.isEmpty }

  /// Whether the members of an end, or their order, were changed.
  func changes(_ name: String) -> Bool {
    added[name] != nil || removed[name] != nil || reordered.contains(name)
      || arrivals[name] != nil
  }
}

extension PeekedEdits {
  /// The same, but for orders.
  var unordered: PeekedEdits {
    var edits = self
    (edits.reordered, edits.arrivals) = ([], [:])
    return edits
  }
}

extension Value {
  init(_ value: AttributeValue?) {
    switch value {
    case .string(let text): self = .text(text)
    case .integer(let number): self = .whole(number)
    case .boolean(let truth): self = .truth(truth)
    case .double(let number): self = .real(number)
    default: self = .none
    }
  }
}
