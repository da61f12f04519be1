enum ScalarTables {
  /// Letters that differ in case only, and what they become.
  static let letters: [UInt32: [UInt32]] = {
    var letters: [UInt32: [UInt32]] = [:]
    FoldingTables.letters.forEachEntry { numbers, signs in
      let count = (signs.firstIndex(of: UInt8(ascii: ">")) ?? 0) + 1
      let new = numbers[count...]
      for scalar in range(numbers[..<count]) {
        letters[scalar] = new.count == 1 ? [new[count] + scalar - numbers[0]] : Array(new)
      }
    }
    return letters
  }()

  /// Marks of the letters before them.
  static let marks: Set<UInt32> = {
    var marks: Set<UInt32> = []
    FoldingTables.marks.forEachEntry { numbers, _ in marks.formUnion(range(numbers[...])) }
    return marks
  }()

  static let parts = compositions.parts

  /// The scalar that two are composed to, by their `pair`.
  static let composites = compositions.composites

  /// Scalars that are not composed again.
  static let excluded = compositions.excluded

  private static let compositions: Compositions = {
    var result = Compositions()
    FoldingTables.compositions.forEachEntry { numbers, signs in
      result.parts[numbers[0]] = Array(numbers[1...])
      if signs[0] == UInt8(ascii: "!") {
        result.excluded.append(numbers[0])
      } else {
        result.composites[pair(numbers[1], numbers[2])] = numbers[0]
      }
    }
    return result
  }()

  private struct Compositions {
    var parts: [UInt32: [UInt32]] = [:]
    var composites: [UInt64: UInt32] = [:]
    var excluded: [UInt32] = []
  }

  /// The key of two scalars in `composites`.
  static func pair(_ first: UInt32, _ second: UInt32) -> UInt64 {
    UInt64(first) << 32 | UInt64(second)
  }

  /// The scalars from the first to the last one, in steps of the third number.
  private static func range(_ numbers: ArraySlice<UInt32>) -> StrideThrough<UInt32> {
    let last = numbers.count > 1 ? numbers[1] : numbers[0]
    return stride(from: numbers[0], through: last, by: numbers.count > 2 ? Int(numbers[2]) : 1)
  }
}

extension StaticString {
  /// Calls `body` with the numbers of each entry, and with the signs between them.
  func forEachEntry(_ body: ([UInt32], [UInt8]) -> Void) {
    var numbers: [UInt32] = [0]
    var signs: [UInt8] = []
    withUTF8Buffer { text in
      for byte in text + [UInt8(ascii: " ")] {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
          numbers[numbers.count - 1] = numbers[numbers.count - 1] << 4 | UInt32(byte & 15)
        case UInt8(ascii: "a")...UInt8(ascii: "f"):
          numbers[numbers.count - 1] = numbers[numbers.count - 1] << 4 | UInt32(byte & 15 + 9)
        case UInt8(ascii: " "), UInt8(ascii: "\n"):
          body(numbers, signs)
          numbers = [0]
          signs = []
        default:
          signs.append(byte)
          numbers.append(0)
        }
      }
    }
  }
}

/// Letters and their marks as one character or as several, by the Unicode Standard's form C; jamo,
/// syllables and ideographs remain as they are.
package enum Composition {
  package static func composed(_ scalars: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(scalars.count)
    var letter: Int?
    var last: UInt8 = 0
    for scalar in decomposed(scalars) {
      let order = combiningClass(scalar)
      // What is between the letter and a mark, and of no lower class, keeps them apart.
      if let letter, letter == result.count - 1 || last < order,
        let composite = ScalarTables.composites[ScalarTables.pair(result[letter], scalar)]
      {
        result[letter] = composite
        continue
      }
      if order == 0 { letter = result.count }
      last = order
      result.append(scalar)
    }
    return result
  }

  /// Letters and marks by themselves, marks in the order of their classes.
  static func decomposed(_ scalars: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(2 * scalars.count)
    for scalar in scalars { appendParts(of: scalar, to: &result) }
    sortMarks(in: &result)
    return result
  }

  /// Puts each run of marks in the order of their classes; those of one class stay as they are.
  private static func sortMarks(in scalars: inout [UInt32]) {
    var start = 0
    while let first = scalars[start...].firstIndex(where: { combiningClass($0) > 0 }) {
      let end = scalars[first...].firstIndex { combiningClass($0) == 0 } ?? scalars.count
      if end - first > 1 {
        let marks = scalars[first..<end].enumerated().map { (combiningClass($1), $0, $1) }
        scalars.replaceSubrange(first..<end, with: marks.sorted(by: <).map(\.2))
      }
      start = end
    }
  }

  private static func appendParts(of scalar: UInt32, to result: inout [UInt32]) {
    if scalar >= 0xC0, let parts = ScalarTables.parts[scalar] {
      return parts.forEach { appendParts(of: $0, to: &result) }
    }
    result.append(scalar)
  }

  static func combiningClass(_ scalar: UInt32) -> UInt8 {
    scalar < 0x300
      ? 0 : Unicode.Scalar(scalar)?.properties.canonicalCombiningClass.rawValue ?? 0
  }
}

extension String {
  init(scalars: [UInt32]) {
    self.init(UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
  }
}
