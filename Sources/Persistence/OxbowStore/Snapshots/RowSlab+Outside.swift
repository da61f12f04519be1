// Bytes that a slab refers to instead of having them: large values of files that are mapped into
// memory.

package import OxbowFoundation

/// Bytes outside of a slab, in the order in which its words name them.
package final class OutsideBytes {
  private var values: [Data] = []

  package init() {}

  /// Adds bytes.
  ///
  /// - Returns: The word for them.
  package func append(_ data: Data) -> Int64 {
    values.append(data)
    return RowSlab.Layout.word(forOutsideAt: values.count - 1)
  }

  /// The bytes of a word, or `nil` if the slab has them itself.
  fileprivate func data(of word: Int64) -> Data? {
    RowSlab.Layout.outsidePlace(of: word).map { values[$0] }
  }
}

extension RowSlab {
  /// The bytes of a word, copied unless they are outside the slab.
  func data(_ row: Int, _ slot: Int) -> Data {
    outside?.data(of: _word(row, slot)) ?? Data(_span(row, slot))
  }

  /// The word for bytes that another slab refers to, or `nil` if it has them itself.
  func word(outside old: RowSlab, _ row: Int, _ slot: Int) -> Int64? {
    guard let data = old.outside?.data(of: old._word(row, slot)) else { return nil }
    if outside == nil { outside = OutsideBytes() }
    return outside?.append(data)
  }
}
