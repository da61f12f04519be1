// Bytes that a slab refers to instead of having them: large values of files that are mapped into
// memory, and values that could not be read, whose rows could.

package import OxbowFoundation
package import OxbowModel

/// Bytes outside of a slab, in the order in which its words name them.
package final class OutsideBytes {
  private var values: [Result<Data, PersistenceError>] = []

  package init() {}

  /// Adds bytes, or why they could not be read.
  ///
  /// - Returns: The word for them.
  package func append(_ value: Result<Data, PersistenceError>) -> Int64 {
    values.append(value)
    return RowSlab.Layout.word(forOutsideAt: values.count - 1)
  }

  /// The bytes of a word, or `nil` if the slab has them itself.
  fileprivate func value(of word: Int64) -> Result<Data, PersistenceError>? {
    RowSlab.Layout.outsidePlace(of: word).map { values[$0] }
  }
}

extension RowSlab {
  /// The bytes of a word, copied unless they are outside the slab; `nil` where they could not be
  /// read.
  func data(_ row: Int, _ slot: Int) -> Data? {
    guard let outside = outside?.value(of: _word(row, slot)) else { return Data(_span(row, slot)) }
    return try? outside.get()
  }

  /// Whether a word refers to bytes outside of the slab.
  func isOutside(_ row: Int, _ slot: Int) -> Bool { outside?.value(of: _word(row, slot)) != nil }

  /// Why a value of a row could not be read; `nil` for one that was.
  package func failure(_ row: Int, _ property: CompiledProperty) -> PersistenceError? {
    guard property.slot >= 0, !isFault, !_isNull(row, property.slot),
      case .failure(let error) = outside?.value(of: _word(row, property.slot))
    else { return nil }
    return error
  }

  /// The word for bytes that another slab refers to, or `nil` if it has them itself.
  func word(outside old: RowSlab, _ row: Int, _ slot: Int) -> Int64? {
    guard let value = old.outside?.value(of: old._word(row, slot)) else { return nil }
    if outside == nil { outside = OutsideBytes() }
    return outside?.append(value)
  }
}
