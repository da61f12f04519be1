internal import OxbowFoundation

/// A value that equals another one as in a store: texts by their bytes, numbers by their values.
enum ComparableValue: Hashable {
  case null
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  case decimal(Decimal)
  case bytes([UInt8])
  case uuid(UUID)
  case object(ManagedObjectID)

  init(_ value: FetchValue) {
    switch value {
    case .null: self = .null
    case .object(let id): self = .object(id)
    case .attribute(let value): self.init(value)
    }
  }

  private init(_ value: AttributeValue) {
    switch value {
    case .integer(let number): self = .integer(number)
    // One expression may give whole numbers and others: `copies ?? 0.5`.
    case .double(let number): self = Int64(exactly: number).map(Self.integer) ?? .number(number)
    case .boolean(let truth): self = .boolean(truth)
    case .decimal(let number):
      self = Int64(number.description).map(Self.integer) ?? .decimal(number)
    case .string(let text): self = .bytes(Array(text.utf8))
    case .url(let url): self = .bytes(Array(url.absoluteString.utf8))
    case .data(let data): self = .bytes(Array(data))
    case .date(let date): self = .number(date.timeIntervalSinceReferenceDate)
    case .uuid(let uuid): self = .uuid(uuid)
    }
  }
}

extension FetchValue {
  /// The value as a store would return it as a type: NaN is not a value, zero has no sign, and a
  /// whole number among others becomes one of their kind.
  package func stored(as type: AttributeType) -> FetchValue {
    guard case .attribute(let value) = self else { return self }
    switch (value, type) {
    case (.integer(let number), .double): return .attribute(.double(Double(number)))
    case (.integer(let number), .decimal): return .attribute(.decimal(Decimal(number)))
    case (.double(let number), _):
      if number.isNaN { return .null }
      return .attribute(.double(number == 0 ? 0 : number))
    case (.decimal(let number), _): return number.isNaN ? .null : self
    case (.date(let date), _):
      return date.timeIntervalSinceReferenceDate.isNaN ? .null : self
    case (.url(let url), _): return .attribute(.url(url.absoluteURL))
    default: return self
    }
  }

  /// The order of two values of one column: no value first.
  func order(inColumnWith other: FetchValue) -> ValueOrder {
    switch (self, other) {
    case (.null, .null): .same
    case (.null, _): .ascending
    case (_, .null): .descending
    case (.object(let a), .object(let b)): ValueOrder(a.key, b.key)
    case (.attribute(let a), .attribute(let b)): a.order(to: b) ?? .same
    case (.object, .attribute): .descending
    case (.attribute, .object): .ascending
    }
  }
}
