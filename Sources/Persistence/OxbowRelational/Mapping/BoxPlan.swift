internal import OxbowModel

/// The indexes of boxes that a store has, as its entities see them.
package struct BoxPlan: Sendable {
  /// The indexes of each table.
  private let indexes: [String: [BoxIndex]]

  /// Makes the plan of a store; `nil` when no index is of use.
  ///
  /// Only an index that has the table and the triggers that the mapping wants is believed.
  package init?(_ mapping: StoreMapping, _ stored: [BoxIndex]) {
    let wanted = mapping.tables.flatMap(\.boxes).filter(stored.contains)
    guard !wanted.isEmpty else { return nil }
    indexes = Dictionary(grouping: wanted, by: \.table)
  }

  /// The indexes of a table.
  func indexes(of table: String) -> [BoxIndex] { indexes[table] ?? [] }
}

extension TableSchema {
  /// Its indexes of boxes.
  package var boxes: [BoxIndex] { indexes.compactMap { BoxIndex($0, on: name) } }
}
