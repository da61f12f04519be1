/// What each Unicode scalar becomes when text options overlook something, as Foundation folds it.
///
/// Looking a scalar up costs a few nanoseconds. The tables are made when they are first used.
final class FoldTable: Sendable {
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

  private let entries: [UInt32]
  private let expansions: [[UInt8]]

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
    Entry(bits: scalar < entries.count ? entries[Int(scalar)] : 0)
  }

  func expansion(_ number: Int) -> [UInt8] { expansions[number] }

  // MARK: Tables

  private static let ofCase = FoldTable(replaced: smallLetters, marks: composingMarks)
  private static let ofMarks = FoldTable(replaced: bareLetters, marks: ScalarTables.marks)
  private static let ofBoth = FoldTable(replaced: smallBareLetters, marks: ScalarTables.marks)

  /// Marks that letters may be composed with, or whose order matters.
  private static var composingMarks: Set<UInt32> {
    ScalarTables.marks.union(ScalarTables.parts.values.compactMap { $0.dropFirst().last })
      .filter { Composition.combiningClass($0) > 0 }
  }

  /// Letters without case; a scalar that is not composed again becomes what it is composed of.
  private static var smallLetters: [UInt32: [UInt32]] {
    ScalarTables.excluded.reduce(into: ScalarTables.letters) { letters, scalar in
      if letters[scalar] == nil { letters[scalar] = Composition.composed([scalar]) }
    }
  }

  /// Letters without their marks; those of other scripts keep them.
  private static var bareLetters: [UInt32: [UInt32]] {
    ScalarTables.parts.keys.reduce(into: [:]) { letters, scalar in
      let parts = Composition.decomposed([scalar])
      guard parts[0] < 0x590 else { return }
      letters[scalar] = parts.filter { !ScalarTables.marks.contains($0) }
    }
  }

  private static var smallBareLetters: [UInt32: [UInt32]] {
    let letters = ScalarTables.letters
    let bare = bareLetters.mapValues { $0.flatMap { letters[$0] ?? [$0] } }
    return letters.filter { !ScalarTables.marks.contains($0.key) }.merging(bare) { _, bare in bare }
  }

  private init(replaced: [UInt32: [UInt32]], marks: Set<UInt32>) {
    var entries = [UInt32](repeating: 0, count: 0x1_F000)
    var expansions: [[UInt8]] = []
    for (scalar, new) in replaced where new != [scalar] {
      if new.count == 1 {
        entries[Int(scalar)] = new[0]
      } else {
        entries[Int(scalar)] = UInt32(expansions.count) | Self.expansionBit
        expansions.append(Array(String(scalars: new).utf8))
      }
    }
    for mark in marks { entries[Int(mark)] = (replaced[mark]?.first ?? mark) | Self.markBit }
    self.entries = entries
    self.expansions = expansions
  }
}
