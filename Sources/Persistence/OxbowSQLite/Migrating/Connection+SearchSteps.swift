internal import OxbowRelational

// A step of a migration. The store can be searched at once after it: what an index lacks is asked
// for in the texts.

extension Connection {
  /// Removes the search indexes that a step does not know: a program has asked for them, and does
  /// so again when it opens the store.
  func keepSearchIndexes(_ indexes: [SearchIndex]) throws {
    for (index, _) in try searchIndexes() where !indexes.contains(where: index.hasTexts) {
      try removeSearchIndex(index)
    }
  }

  /// Makes the search indexes anew whose texts a script or a step in Swift has written, and
  /// removes those whose columns are gone.
  func emptySearchIndexes(_ touched: TouchedTables) throws {
    for (index, _) in try searchIndexes() where touched.mayHaveChanged(index) {
      if try hasColumns(index.columns, in: index.table) {
        try makeSearchIndex(index)
      } else {
        try removeSearchIndex(index)
      }
    }
  }
}

extension TouchedTables {
  fileprivate func mayHaveChanged(_ index: SearchIndex) -> Bool {
    let table = index.table.lowercased()
    return areUnknown || written.union(shrunk).contains { $0.lowercased() == table }
      || (index.columns + [PlainLayout.keyColumn, "rowid"]).contains {
        columns.contains($0, of: table)
      }
  }
}
