extension ValueConverters {
  mutating func registerNumbers() {
    register(String.self, expected: "text") { $0 }
    register(Character.self, expected: "one character") { $0.count == 1 ? $0.first : nil }
    register(Bool.self, expected: "true, false, yes or no") {
      ["true": true, "yes": true, "false": false, "no": false][$0.lowercased()]
    }
    registerInteger(Int.self)
    registerInteger(Int8.self)
    registerInteger(Int16.self)
    registerInteger(Int32.self)
    registerInteger(Int64.self)
    registerInteger(UInt.self)
    registerInteger(UInt8.self)
    registerInteger(UInt16.self)
    registerInteger(UInt32.self)
    registerInteger(UInt64.self)
    registerFloat(Float.self)
    registerFloat(Double.self)
  }

  private mutating func registerInteger<I: FixedWidthInteger & Sendable>(_ type: I.Type) {
    register(type, expected: "a whole number from \(I.min) to \(I.max)") { I($0) }
  }

  /// Infinity only where it is spelled: a number too large for the type is refused.
  private mutating func registerFloat<
    F: BinaryFloatingPoint & LosslessStringConvertible & Sendable
  >(
    _ type: F.Type
  ) {
    register(type, expected: "a number with a point as decimal separator") { text in
      guard let value = F(text) else { return nil }
      let spelled = text.lowercased().contains("inf")
      return value.isInfinite && !spelled ? nil : value
    }
  }
}
