package import OxbowModel
package import OxbowRelational

extension Connection {
  /// The indexes of boxes that have a table and all their triggers as Oxbow writes them.
  func boxIndexes() throws -> [BoxIndex] {
    let tables = try rows(BoxIndex.readTables).compactMap(\.allTexts)
    guard !tables.isEmpty else { return [] }
    let triggers = try rows(BoxIndex.readTriggers).compactMap(\.allTexts)
    return tables.compactMap { table in
      let owner = triggers.first { BoxIndex.triggerNames(of: table[0]).contains($0[0]) }
      return owner.flatMap { BoxIndex(name: table[0], definition: table[1], on: $0[1]) }
    }.filter { index in
      [index.triggers, index.formerTriggers].contains { texts in
        texts.allSatisfy { text in triggers.contains { $0[2] == text } }
      }
    }
  }

  /// What the entities of a store have of its indexes.
  func boxPlan(_ mapping: StoreMapping) throws -> BoxPlan? {
    guard mapping.tables.contains(where: { !$0.boxes.isEmpty }), try hasBoxes() else { return nil }
    return BoxPlan(mapping, try boxIndexes())
  }

  /// Whether the library has R*Tree.
  private func hasBoxes() throws -> Bool { try integer(BoxIndex.arePossible) == 1 }

  /// Refuses to make or to write tables with indexes of boxes where the library lacks R*Tree.
  func requireBoxes(_ tables: [TableSchema]) throws {
    guard let index = tables.flatMap(\.boxes).first, try !hasBoxes() else { return }
    throw PersistenceError.withoutBoxes(index, path)
  }
}

extension PersistenceError {
  package static func withoutBoxes(_ index: BoxIndex, _ path: String) -> PersistenceError {
    PersistenceError(
      .unsupported,
      "the store '\(path)' needs the RTree index '\(index.name)' of the table '\(index.table)', and "
        + "this SQLite (\(LibraryVersion.current)) was built without R*Tree, which keeps it; use a "
        + "library that has it, or take the elements of type RTree out of the model's fetch index")
  }
}

extension [SQLValue] {
  /// The texts of a row that has nothing else.
  fileprivate var allTexts: [String]? {
    let texts = compactMap { if case .text(let text) = $0 { text } else { nil } as String? }
    return texts.count == count ? texts : nil
  }
}

// MARK: - Making

extension Connection {
  /// Gives tables the indexes of boxes that they should have, and removes all others; inside of a
  /// transaction.
  ///
  /// An index whose table or columns are not there is left out: comparing the tables says so.
  func makeBoxes(of tables: [TableSchema]) throws {
    let wanted = tables.flatMap(\.boxes)
    let live = try boxIndexes()
    let kept = live.filter(wanted.contains)
    for name in try texts(BoxIndex.readTables) where !kept.contains(where: { $0.name == name }) {
      try executeAll(BoxIndex.removal(of: name))
    }
    for index in wanted where !kept.contains(index) {
      guard try hasColumns(index.columns, in: index.table) else { continue }
      try requireBoxes(tables)
      try executeAll(index.removal + index.creation)
    }
  }

  private func executeAll(_ statements: [String]) throws {
    for statement in statements { try execute(statement) }
  }
}

// MARK: - Checking and compacting

extension Connection {
  /// The indexes of boxes that the store's own model has and the store has not, and the rows whose
  /// boxes are wrong, so that a condition may miss them.
  func boxFindings() throws -> [String] {
    guard let tables = try ownTables(), try hasBoxes() else { return [] }
    let live = try boxIndexes()
    return try tables.flatMap(\.boxes).compactMap { index in
      guard live.contains(index) else {
        return
          "the RTree index '\(index.name)' of '\(index.table)' or one of its triggers is missing "
          + "or another one, so conditions read the rows; compacting the store makes it anew"
      }
      let count = try integer(index.countMissed) ?? 0
      return count == 0
        ? nil
        : "the RTree index '\(index.name)' is wrong for \(count) rows of '\(index.table)': they were "
          + "written while its triggers were away, and a condition may miss them; compacting the store "
          + "makes it anew"
    }
  }

  /// Makes the indexes of boxes anew that are missing or wrong.
  func compactBoxes() throws {
    guard let tables = try ownTables(), try hasBoxes() else { return }
    try transaction(.write) {
      for index in try boxIndexes() where try isWrong(index) { try executeAll(index.removal) }
      try makeBoxes(of: tables)
    }
  }

  private func isWrong(_ index: BoxIndex) throws -> Bool {
    try integer(index.countMissed) != 0 || integer(index.countSuperfluous) != 0
  }

  /// The tables of the store's own model that have indexes of boxes, or had some.
  private func ownTables() throws -> [TableSchema]? {
    guard let mapping = StoreInspection.mapping(of: try MigratedStore(self).state()) else {
      return nil
    }
    let isWanted = mapping.tables.contains { !$0.boxes.isEmpty }
    return try isWanted || tableNames().contains(where: BoxIndex.isName) ? mapping.tables : nil
  }
}
