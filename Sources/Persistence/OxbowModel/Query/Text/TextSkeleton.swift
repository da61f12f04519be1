/// Texts without all that any text options overlook: what an index of substrings has of them.
///
/// Each scalar has a skeleton of its own, whatever is beside it: the letters that it is composed
/// of, without case and without their marks. Folding with any options changes no skeleton, because
/// it only composes, sorts and drops marks, and changes case. So a text that contains a part has a
/// skeleton that contains the part's, in whichever options, and wherever a letter and its mark, or
/// the jamo of a syllable, are cut (decision 0522).
///
/// One mark has two skeletons, the iota below a Greek letter: without case it is a letter, and
/// without marks it is missing. A text that has it has both.
package enum TextSkeleton {
  /// Grows with each change of skeletons and of their tables, and differs where a runtime sorts
  /// other marks: what was kept under another number has to be made anew.
  package static let version = 1 << 16 | SkeletonTable.shared.marks

  /// The bytes of the longest text that has trigrams of its own; a longer one has most of them.
  package static let longest = 1 << 18

  /// So many trigrams of a part are looked for.
  private static let enough = 16

  /// The only trigram of texts that are always asked: too long ones, and what is not UTF-8.
  private static let unknown = "\u{10FFFD}\u{10FFFD}\u{10FFFD}"

  /// What an index of trigrams gets of a text in UTF-8.
  package static func indexed(_ text: UnsafeBufferPointer<UInt8>) -> String {
    guard text.count <= longest, String(decoding: text, as: UTF8.self).utf8.elementsEqual(text)
    else { return unknown }
    let skeleton = SkeletonTable.shared.skeleton(of: text)
    let letters = skeleton.text(withIota: true)
    return skeleton.hasIota ? letters + "\n" + skeleton.text(withIota: false) : letters
  }

  /// Trigrams that an index has for each text of which a comparison with a part holds, unless the
  /// text has the one that means unknown; `nil` where a part is too short to say.
  package static func trigrams(
    _ comparison: TextOperator, _ part: String, _ options: TextOptions
  ) -> (all: [String], unknown: String)? {
    let withIota = !options.contains(.diacriticInsensitive)
    let trigrams = ordinaryTexts(comparison, part).flatMap { text in
      var text = text
      return text.withUTF8 { SkeletonTable.shared.skeleton(of: $0) }
        .text(withIota: withIota).trigrams
    }
    guard !trigrams.isEmpty else { return nil }
    let step = (trigrams.count - 1) / enough + 1
    return (stride(from: 0, to: trigrams.count, by: step).map { trigrams[$0] }, unknown)
  }

  /// The texts that are in each text of which a comparison holds.
  private static func ordinaryTexts(_ comparison: TextOperator, _ part: String) -> [String] {
    switch comparison {
    case .contains, .beginsWith, .endsWith: [part]
    case .like: (try? WildcardPattern(part, []))?.ordinaryTexts ?? []
    case .matches: []
    }
  }
}

extension String {
  fileprivate var trigrams: [String] {
    let scalars = Array(unicodeScalars)
    return scalars.indices.dropLast(2).map { String(UnicodeScalarView(scalars[$0..<$0 + 3])) }
  }
}

/// The skeleton of a text, in UTF-8.
private struct Skeleton {
  /// With iotas below letters as these marks.
  var bytes: [UInt8] = []
  var hasIota = false

  func text(withIota: Bool) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard hasIota else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.value != SkeletonTable.lowIota {
        result.unicodeScalars.append(scalar)
      } else if withIota {
        result += "\u{3B9}"
      }
    }
    return result
  }
}

/// The skeletons of scalars.
private struct SkeletonTable {
  static let shared = SkeletonTable()
  static let lowIota: UInt32 = 0x345

  /// How many marks skeletons are without.
  let marks: Int

  /// Where the skeleton of a scalar is; 0 for a scalar that is its own.
  private var places = [UInt16](repeating: 0, count: 0x1_F000)
  private var skeletons: [[UInt8]] = [[]]

  private init() {
    let classed = (0x300..<UInt32(places.count)).filter { Composition.combiningClass($0) > 0 }
    let dropped = ScalarTables.marks.union(classed).subtracting([Self.lowIota])
    marks = dropped.count
    for scalar in dropped.union(ScalarTables.parts.keys).union(ScalarTables.letters.keys) {
      let parts = Self.parts(of: scalar, without: dropped)
      guard parts != [scalar] || scalar == Self.lowIota else { continue }
      places[Int(scalar)] = UInt16(skeletons.count)
      skeletons.append(Array(String(scalars: parts).utf8))
    }
  }

  private static func parts(of scalar: UInt32, without dropped: Set<UInt32>) -> [UInt32] {
    var parts = [scalar]
    while true {
      let next = Composition.decomposed(parts).filter { !dropped.contains($0) }.flatMap {
        $0 == lowIota ? [$0] : ScalarTables.letters[$0] ?? [$0]
      }
      if next == parts { return parts }
      parts = next
    }
  }

  /// The skeleton of a text in UTF-8.
  func skeleton(of text: UnsafeBufferPointer<UInt8>) -> Skeleton {
    var result = Skeleton()
    result.bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        // A trigram ends at a NUL character.
        result.bytes.append(byte == 0 ? 0x20 : byte &- 0x41 < 26 ? byte | 0x20 : byte)
        index += 1
        continue
      }
      let (scalar, length) = decode(text, at: index)
      append(scalar, text[index..<index + length], to: &result)
      index += length
    }
    return result
  }

  private func append(
    _ scalar: UInt32, _ bytes: Slice<UnsafeBufferPointer<UInt8>>, to result: inout Skeleton
  ) {
    if let jamo = Hangul.jamo(of: scalar) {
      result.bytes += String(scalars: jamo).utf8
    } else if scalar < places.count, places[Int(scalar)] > 0 {
      let skeleton = skeletons[Int(places[Int(scalar)])]
      result.bytes += skeleton
      if skeleton.suffix(2) == [0xCD, 0x85] { result.hasIota = true }
    } else {
      result.bytes += bytes
    }
  }
}
