extension RowSlab {
  /// The layout of a slab's rows in memory; see the head of `RowSlab.swift`.
  ///
  /// Inlined into the accessors of objects and into the loop that reads rows (docs/performance.md,
  /// M/fetch).
  @usableFromInline package struct Layout: Sendable, Hashable {
    /// The offset of a row's words, and the distance between two rows, in bytes.
    @usableFromInline let firstWord: Int
    @usableFromInline package let stride: Int

    /// The layout for rows with `words` words.
    package init(words: Int) {
      firstWord = Self.nulls + 8 * Self.nullWords(for: words)
      stride = firstWord + 8 * words
    }

    /// The layout of references that were not read: key and entity.
    package static let reference = Layout(stride: version)

    private init(stride: Int) { (firstWord, self.stride) = (stride, stride) }

    /// Whether the rows have versions.
    @inlinable var hasVersions: Bool { stride > Self.version }
  }
}

// MARK: - Offsets

// Every read of an attribute adds offsets within allocated memory: no sum is too large, and none is
// checked (docs/performance.md, G).

extension RowSlab.Layout {
  @inlinable static var key: Int { 0 }
  @inlinable static var entity: Int { 8 }
  @inlinable static var slots: Int { 12 }
  @inlinable static var version: Int { 16 }
  @inlinable static var nulls: Int { 24 }

  /// The number of 64-bit words that have the null bits of `words` words.
  private static func nullWords(for words: Int) -> Int { (words + 63) / 64 }

  /// The offset of a word in its row.
  @inlinable package func wordOffset(_ slot: Int) -> Int { firstWord &+ slot &<< 3 }

  /// The offset of a word's null bit in its row, and its mask.
  @inlinable package static func nullOffset(_ slot: Int) -> Int { nulls &+ (slot &>> 6) &<< 3 }
  @inlinable package static func nullBit(_ slot: Int) -> UInt64 {
    1 &<< UInt64(truncatingIfNeeded: slot)
  }
}

// MARK: - Words of text and bytes

extension RowSlab.Layout {
  /// The word for text or bytes at an offset of the slab's bytes.
  @inlinable package static func word(forBytesAt offset: Int, count: Int) -> Int64 {
    Int64(truncatingIfNeeded: UInt64(offset) << 32 | UInt64(count))
  }

  /// The word for bytes outside the slab: no value in it is as long as this count.
  static func word(forOutsideAt place: Int) -> Int64 {
    word(forBytesAt: place, count: outsideCount)
  }

  /// The place of a word's bytes outside the slab, or `nil` if they are in it.
  static func outsidePlace(of word: Int64) -> Int? {
    let (place, count) = bytes(of: word)
    return count == outsideCount ? place : nil
  }

  private static var outsideCount: Int { Int(UInt32.max) }

  /// The place of a word's text or bytes.
  @inlinable static func bytes(of word: Int64) -> (offset: Int, count: Int) {
    let word = UInt64(bitPattern: word)
    return (Int(word >> 32), Int(word & 0xffff_ffff))
  }
}

// MARK: - Writing

extension RowSlab.Layout {
  /// The slot table offset of a row whose header alone was read.
  package static var noSlots: Int32 { -1 }

  /// Writes a row except for its null bits and words.
  ///
  /// `slots` is the offset of the entity's part in the model's slot table.
  @inlinable package static func writeHeader(
    of row: UnsafeMutableRawPointer, key: Int64, version: Int64, entity: Int32, slots: Int32
  ) {
    writeReference(to: row, key: key, entity: entity, slots: slots)
    row.storeBytes(of: version, toByteOffset: Self.version, as: Int64.self)
  }

  /// Writes the part of a header that a reference has.
  @inlinable package static func writeReference(
    to row: UnsafeMutableRawPointer, key: Int64, entity: Int32, slots: Int32
  ) {
    row.storeBytes(of: key, toByteOffset: Self.key, as: Int64.self)
    row.storeBytes(of: entity, toByteOffset: Self.entity, as: Int32.self)
    row.storeBytes(of: slots, toByteOffset: Self.slots, as: Int32.self)
  }

  /// The null bits of a row that has values in these words only.
  package func nullBits(besides slots: some Sequence<Int>) -> [UInt64] {
    var words = [UInt64](repeating: .max, count: (firstWord - Self.nulls) / 8)
    for slot in slots { words[slot >> 6] &= ~Self.nullBit(slot) }
    return words
  }

  /// Writes the null bits of a row.
  @inlinable package static func writeNullBits(
    _ words: [UInt64], of row: UnsafeMutableRawPointer
  ) {
    var offset = nulls
    for word in words {
      row.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
  }

  /// Makes all words of a row have no value.
  func clearWords(of row: UnsafeMutableRawPointer) {
    for offset in Swift.stride(from: Self.nulls, to: firstWord, by: 8) {
      row.storeBytes(of: UInt64.max, toByteOffset: offset, as: UInt64.self)
    }
  }
}
