#if PostgreSQL
  /// A decimal number in plain digits as it travels in a row that is copied: in groups of four
  /// digits.
  ///
  /// Elsewhere decimal numbers travel as texts, which the server reads itself.
  struct NumericForm {
    private var groups: [Int16] = []

    /// The power of ten thousand that the first group counts.
    private var weight: Int16 = 0
    private let isNegative: Bool

    /// How many digits are behind the point.
    private let scale: Int

    init(_ text: String) {
      isNegative = text.utf8.first == UInt8(ascii: "-")
      let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        .map { $0.filter { (48...57).contains($0) }.map { Int16($0) - 48 } }
      let (whole, fraction) = (parts.first ?? [], parts.count > 1 ? parts[1] : [])
      scale = fraction.count
      let digits = Self.zeros(before: whole) + whole + fraction + Self.zeros(before: fraction)
      groups = stride(from: 0, to: digits.count, by: 4).map { start in
        digits[start..<start + 4].reduce(0) { 10 * $0 + $1 }
      }
      weight = Int16(truncatingIfNeeded: (whole.count + 3) / 4 - 1)
      trim()
    }

    /// The zeros that make digits whole groups.
    private static func zeros(before digits: [Int16]) -> [Int16] {
      Array(repeating: 0, count: (4 - digits.count % 4) % 4)
    }

    private mutating func trim() {
      while groups.first == 0 {
        groups.removeFirst()
        weight -= 1
      }
      while groups.last == 0 { groups.removeLast() }
      if groups.isEmpty { weight = 0 }
    }

    func append(to bytes: inout [UInt8]) {
      Parameter.append(Int16(truncatingIfNeeded: groups.count), to: &bytes)
      Parameter.append(weight, to: &bytes)
      Parameter.append(UInt16(isNegative && !groups.isEmpty ? 0x4000 : 0), to: &bytes)
      Parameter.append(UInt16(truncatingIfNeeded: scale), to: &bytes)
      for group in groups { Parameter.append(group, to: &bytes) }
    }
  }
#endif
