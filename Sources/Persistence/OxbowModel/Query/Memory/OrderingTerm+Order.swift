internal import OxbowFoundation

/// A place in an order: the values of an object for the terms, and the object's key.
package struct SortPlace: Sendable, Hashable {
  /// One value for each term; `nil` for no value.
  package var values: [AttributeValue?]

  /// The object's key.
  package let key: Int64

  package init(values: [AttributeValue?], key: Int64) {
    self.values = values
    self.key = key
  }
}

/// What an object is sorted by: its values for the terms of an order, and its key.
package struct SortPosition: Sendable, Hashable {
  /// One value for each term; `nil` for no value.
  package let values: [AttributeValue?]

  /// The object's key, which decides among equals.
  package let key: Int64

  /// Whether there is a value for the first term; `true` without terms.
  package var hasFirstValue: Bool { values.first.map { $0 != nil } ?? true }
}

extension OrderingTerm {
  fileprivate func value(of target: some PredicateTarget) throws(PersistenceError) -> FetchValue {
    if let ranking { return try ranking.rank(of: target) }
    return try target.value(at: path)
  }

  /// What decides the position of a value: for a text under options its key, unless a language
  /// compares it.
  fileprivate func compared(_ value: AttributeValue) throws(PersistenceError) -> AttributeValue {
    guard !comparison.isEmpty else { return value }
    try comparison.requireLocale()
    guard case .string(let text) = value else { throw .notText(self) }
    guard !comparison.isLocalized else { return value }
    return .data(Data(comparison.key(of: text)))
  }
}

extension PersistenceError {
  package static func notText(_ term: OrderingTerm) -> PersistenceError {
    notText(term.path.joined(separator: "."))
  }

  package static func notText(_ name: String) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "'\(name)' is not text, so a sort key cannot say how its texts compare; leave out "
        + "'comparing'")
  }
}

extension [OrderingTerm] {
  /// The place of an object in this order.
  package func place(of target: some PredicateTarget) throws(PersistenceError) -> SortPlace {
    var values: [AttributeValue?] = []
    for key in self {
      switch try key.value(of: target) {
      case .null: values.append(nil)
      case .attribute(let value): values.append(value)
      case .object:
        throw PersistenceError(
          .invalidPredicate,
          "'\(key.path.joined(separator: "."))' cannot be sorted by: it is not an attribute")
      }
    }
    return SortPlace(values: values, key: target.predicateID.key)
  }

  /// What decides about a place in this order; NaN is what a store has kept.
  package func position(at place: SortPlace) throws(PersistenceError) -> SortPosition {
    var values: [AttributeValue?] = []
    for (term, value) in zip(self, place.values) {
      if let value { values.append(try term.compared(value)) } else { values.append(nil) }
    }
    return SortPosition(values: values, key: place.key)
  }

  /// The position of an object in this order; NaN counts as no value, as it will in a store.
  package func position(of target: some PredicateTarget) throws(PersistenceError) -> SortPosition {
    var place = try place(of: target)
    for index in place.values.indices { place.values[index] = place.values[index]?.storable }
    return try position(at: place)
  }

  /// Whether the first position comes before the second, as a store has it: no value first, then by
  /// size or bytes, reversed for descending keys; equals in the order of object keys, reversed if
  /// `keysDescend`.
  ///
  /// - Precondition: Both positions have one value for each key.
  package func areInOrder(
    _ a: SortPosition, _ b: SortPosition, keysDescend: Bool = false
  ) -> Bool {
    for (index, key) in enumerated() {
      switch order(a.values[index], b.values[index], key.comparison) {
      case .same: continue
      case .ascending: return key.isAscending
      case .descending: return !key.isAscending
      }
    }
    return keysDescend ? b.key < a.key : a.key < b.key
  }

  package func sort<Target: PredicateTarget>(
    _ targets: [Target], keysDescend: Bool = false
  ) throws(PersistenceError) -> [Target] {
    try sort(targets, keysDescend) { (target) throws(PersistenceError) in try position(of: target) }
  }

  package func sort(
    _ places: [SortPlace], keysDescend: Bool
  ) throws(PersistenceError) -> [SortPlace] {
    try sort(places, keysDescend) { (place) throws(PersistenceError) in try position(at: place) }
  }

  private func sort<Item>(
    _ items: [Item], _ keysDescend: Bool,
    by position: (Item) throws(PersistenceError) -> SortPosition
  ) throws(PersistenceError) -> [Item] {
    var positions: [(position: SortPosition, index: Int)] = []
    for (index, item) in items.enumerated() { positions.append((try position(item), index)) }
    return positions.sorted { areInOrder($0.position, $1.position, keysDescend: keysDescend) }
      .map { items[$0.index] }
  }

  private func order(
    _ a: AttributeValue?, _ b: AttributeValue?, _ comparison: TextOrder
  ) -> ValueOrder {
    switch (a, b) {
    case (.string(let a)?, .string(let b)?) where comparison.isLocalized:
      LocalizedComparison(comparison)?.order(a, b) ?? .same
    case (nil, nil): .same
    case (nil, _): .ascending
    case (_, nil): .descending
    // NaN is behind all numbers.
    case (let x?, let y?): x.order(to: y) ?? ValueOrder(x.isNaN ? 1 : 0, y.isNaN ? 1 : 0)
    }
  }
}

extension AttributeValue {
  /// The value as a store would keep it: NaN becomes no value.
  fileprivate var storable: AttributeValue? {
    switch self {
    case .double(let number) where number.isNaN: nil
    case .decimal(let number) where number.isNaN: nil
    default: self
    }
  }
}
