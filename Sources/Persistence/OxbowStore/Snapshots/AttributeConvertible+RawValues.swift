public import OxbowModel

// Enumerations, and other types with raw values.

extension AttributeConvertible where Self: RawRepresentable, RawValue: AttributeConvertible {
  /// The type of the raw values.
  ///
  /// - Precondition: There is a stand-in; see ``attributePlaceholder``.
  public static var attributeType: AttributeType {
    _ = attributePlaceholder
    return RawValue.attributeType
  }

  /// The value of the raw type's stand-in, or the first case.
  ///
  /// - Precondition: The type is an enumeration that is declared with a raw type or `CaseIterable`,
  ///   or the raw type's stand-in (zero, the empty text) is a raw value of it. Another type must
  ///   declare a stand-in, which is checked when a model with such an attribute is made.
  public static var attributePlaceholder: Self {
    let raw = RawValue.attributePlaceholder
    if let value = Self(rawValue: raw) ?? firstOfAllCases ?? firstOfPlainCases { return value }
    preconditionFailure(
      "'\(Self.self)' has no value for \(raw) and is not a plain enumeration: declare "
        + "`static var attributePlaceholder: Self`, what a getter returns when a value cannot be "
        + "read")
  }

  /// Creates the case of a raw value, or returns `nil` when there is none.
  public init?(attributeValue: AttributeValue) {
    guard let raw = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: raw)
  }

  /// The raw value as the store sees it.
  public var attributeValue: AttributeValue { rawValue.attributeValue }

  /// Reads a word of a row; `nil` for a raw value without a case.
  public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> Self? {
    RawValue._read(slab, row, slot).flatMap { Self(rawValue: $0) }
  }

  private static var firstOfAllCases: Self? {
    func first<Cases: CaseIterable>(_ type: Cases.Type) -> Self? { type.allCases.first as? Self }
    return (Self.self as? any CaseIterable.Type).flatMap { first($0) }
  }

  /// The first case of an enumeration without associated values.
  ///
  /// Its cases are numbered in the order of their declaration, in two bytes at most (Swift's ABI,
  /// "Enum Layout"), so that zero is the first; an enumeration with a raw type always is one.
  private static var firstOfPlainCases: Self? {
    guard isEnumeration, _isPOD(Self.self), MemoryLayout<Self>.size <= 2 else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 2, alignment: 2) { memory in
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      return memory.load(as: Self.self)
    }
  }

  /// Whether the type is an enumeration: the first word of its metadata says so (Swift's ABI, "Type
  /// Metadata").
  private static var isEnumeration: Bool {
    unsafeBitCast(Self.self as any Any.Type, to: UnsafePointer<UInt>.self).pointee == 0x201
  }
}
