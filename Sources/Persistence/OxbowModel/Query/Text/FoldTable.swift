internal import Foundation

/// What each Unicode scalar becomes when text options overlook something, by Foundation's folding.
///
/// Looking a scalar up costs a few nanoseconds, folding a text with Foundation a thousand. The
/// tables are made when they are first used: Latin, Greek, Cyrillic and Armenian in one, all else
/// in another.
final class FoldTable: Sendable {
  /// What becomes of a scalar.
  struct Entry {
    fileprivate let bits: UInt32

    /// The scalar remains as it is.
    var isUnchanged: Bool { bits == 0 }

    /// The scalar is a mark of the letter before it.
    var isMark: Bool { bits & FoldTable.markBit != 0 }

    /// The number of the text that replaces the scalar, or `nil` for one scalar.
    var expansion: Int? {
      bits & FoldTable.expansionBit == 0 ? nil : Int(bits & ~FoldTable.expansionBit)
    }

    /// The scalar that replaces the scalar.
    var scalar: UInt32 { bits & ~FoldTable.markBit }
  }

  private static let expansionBit: UInt32 = 1 << 31
  private static let markBit: UInt32 = 1 << 30

  private let common: Part
  private let rest: @Sendable () -> Part

  private init(_ options: TextOptions, rest: @escaping @Sendable () -> Part) {
    common = Part(options, Self.common)
    self.rest = rest
  }

  /// The table for options, or `nil` when nothing is overlooked.
  static func table(for options: TextOptions) -> FoldTable? {
    switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (false, false): nil
    case (true, false): ofCase
    case (false, true): ofMarks
    case (true, true): ofBoth
    }
  }

  func entry(_ scalar: UInt32) -> Entry {
    if scalar < 0x590 { return common.entry(scalar) }
    if scalar >= 0x1E00, scalar < 0x2000 { return common.entry(scalar - 0x1E00 + 0x590) }
    return rest().entry(scalar)
  }

  /// The bytes of an entry that is a text.
  func expansion(_ scalar: UInt32, _ number: Int) -> [UInt8] {
    let isCommon = scalar < 0x590 || (scalar >= 0x1E00 && scalar < 0x2000)
    return (isCommon ? common : rest()).expansions[number]
  }

  // MARK: Tables

  private static let ofCase = FoldTable(.caseInsensitive) { restOfCase }
  private static let ofMarks = FoldTable(.diacriticInsensitive) { restOfMarks }
  private static let ofBoth = FoldTable([.caseInsensitive, .diacriticInsensitive]) { restOfBoth }
  private static let restOfCase = Part(.caseInsensitive, others)
  private static let restOfMarks = Part(.diacriticInsensitive, others)
  private static let restOfBoth = Part([.caseInsensitive, .diacriticInsensitive], others)

  private static let common: [Range<UInt32>] = [0..<0x590, 0x1E00..<0x2000]

  /// Up to the last script with case; nothing is folded in what is left out (ideographs, syllables,
  /// surrogates, private characters, scripts of antiquity).
  private static let others: [Range<UInt32>] = [
    0x590..<0x1E00, 0x2000..<0x2E80, 0xA640..<0xAC00, 0xFB00..<0x1_2000, 0x1_6E00..<0x1_7000,
    0x1_D000..<0x1_F000,
  ]

  /// The entries of some ranges of scalars.
  private struct Part: Sendable {
    private var entries: [UInt32] = []
    private(set) var expansions: [[UInt8]] = []

    func entry(_ index: UInt32) -> Entry {
      Entry(bits: index < entries.count ? entries[Int(index)] : 0)
    }

    /// Folds all scalars of the ranges at once, each on a line of its own.
    ///
    /// The first range of `common` begins where its entries do, and its second one follows; the
    /// entries of other ranges are found by the scalar itself.
    init(_ options: TextOptions, _ ranges: [Range<UInt32>]) {
      let scalars = ranges.flatMap { $0.compactMap(Unicode.Scalar.init) }
      var text = ""
      for scalar in scalars {
        text.unicodeScalars.append(scalar == "\n" ? " " : scalar)
        text.unicodeScalars.append("\n")
      }
      var result = text.folding(options: options.foundation, locale: nil)
      if options == .caseInsensitive { result = result.precomposedStringWithCanonicalMapping }
      let folded = result.unicodeScalars.split(
        separator: "\n", omittingEmptySubsequences: false)
      let isCommon = ranges.first?.lowerBound == 0
      entries = Array(repeating: 0, count: isCommon ? 0x790 : 0x1_F000)
      for (scalar, replacement) in zip(scalars, folded) {
        let value = scalar.value
        let index = isCommon && value >= 0x1E00 ? value - 0x1E00 + 0x590 : value
        entries[Int(index)] = bits(of: scalar, replacedBy: Array(replacement), options)
      }
    }

    private mutating func bits(
      of scalar: Unicode.Scalar, replacedBy new: [Unicode.Scalar], _ options: TextOptions
    ) -> UInt32 {
      // A mark after the end of a line is dropped like one after a letter.
      let isMark = new.isEmpty || options == .caseInsensitive && scalar.composes
      if isMark { return (new.first ?? scalar).value | FoldTable.markBit }
      if new == [scalar] || scalar == "\n" { return 0 }
      if new.count == 1 { return new[0].value }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: new)
      let bytes = Array(String(view).utf8)
      guard bytes.count <= 3 * UTF8.width(scalar) else { return 0 }
      expansions.append(bytes)
      return UInt32(expansions.count - 1) | FoldTable.expansionBit
    }
  }
}

extension TextOptions {
  /// The options as Foundation has them.
  fileprivate var foundation: String.CompareOptions {
    var result: String.CompareOptions = []
    if contains(.caseInsensitive) { result.insert(.caseInsensitive) }
    if contains(.diacriticInsensitive) { result.insert(.diacriticInsensitive) }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether it may be one character together with what is before it.
  fileprivate var composes: Bool {
    properties.canonicalCombiningClass != .notReordered
  }
}
