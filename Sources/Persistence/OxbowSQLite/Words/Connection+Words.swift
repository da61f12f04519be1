internal import CSQLite
internal import OxbowModel
internal import OxbowRelational

extension Connection {
  /// Whether the store has tables of indexes of words.
  func hasSearchTables() throws -> Bool { try integer(SearchTables.exist) == 1 }

  /// The indexes of words that a store has, and whether each has the words of this splitter.
  func searchIndexes() throws -> [(index: SearchIndex, isCurrent: Bool)] {
    guard try hasSearchTables() else { return [] }
    let indexes = try rows(SearchTables.read).compactMap(SearchTables.index)
    // Without FTS5, none of them can be read.
    let isPossible = try indexes.isEmpty || integer(SearchTables.arePossible) == 1
    return indexes.map { ($0.index, $0.isCurrent && isPossible) }
  }

  /// What the entities of a store have of its indexes.
  func searchPlan(_ mapping: StoreMapping) throws -> SearchPlan? {
    SearchPlan(try searchIndexes(), mapping)
  }

  /// Makes an index without words; inside of a transaction.
  ///
  /// - Throws: ``PersistenceError`` with `unsupported` where the library lacks FTS5.
  func makeSearchIndex(_ index: SearchIndex) throws {
    try requireSearchIndexes()
    for statement in SearchTables.base(in: dialect) + index.creation { try execute(statement) }
    try run(SearchTables.countUpkeep)
  }

  func removeSearchIndex(ofRoot root: Int64) throws {
    for statement in SearchTables.removal(ofRoot: root) { try execute(statement) }
  }

  func requireSearchIndexes() throws {
    guard try integer(SearchTables.arePossible) != 1 else { return }
    throw PersistenceError(
      .unsupported,
      "the store '\(path)' needs an index of words, and this SQLite (\(LibraryVersion.current)) was "
        + "built without FTS5, which keeps it; use a library that has it, or leave 'search' out of the "
        + "model: a condition over words reads all texts then")
  }
}

// MARK: - Catching up

extension Connection {
  /// Gives an index the words of some objects that it lacks: noted ones first; inside of a
  /// transaction.
  ///
  /// - Returns: How many were looked at; less than the limit when nothing is left to do.
  func catchUp(_ index: SearchIndex, _ limit: Int) throws -> Int {
    let noted = try integers(index.readNoted, [.integer(Int64(limit))])
    if let last = noted.last {
      var missing = Set(noted)
      let keys = dialect.array(of: noted)
      try write(index, index.texts(dialect), [keys]) { missing.remove($0) }
      for key in missing { try run(index.remove, [.integer(key)]) }
      try run(index.forgetNoted, [.integer(last)])
    }
    let count = noted.count < limit ? noted.count + (try goOn(index, limit - noted.count)) : limit
    if count > 0 { try run(SearchTables.countUpkeep) }
    return count
  }

  /// Gives an index the words of the next objects behind it.
  private func goOn(_ index: SearchIndex, _ limit: Int) throws -> Int {
    let end = try integer(index.readEnd) ?? 0
    var (count, last) = (0, end)
    try write(index, index.textsBehind, [.integer(end), .integer(Int64(limit))]) {
      (count, last) = (count + 1, $0)
    }
    if count > 0 { try run(index.setEnd, [.integer(last)]) }
    return count
  }

  /// Writes the words of the objects of a select, and says which objects these are.
  private func write(
    _ index: SearchIndex, _ select: String, _ values: [SQLValue], _ note: (Int64) -> Void
  ) throws {
    try withStatement(index.write) { write throws in
      try withStatement(select) { texts throws in
        try texts.bind(values)
        while try texts.step() {
          let key = texts.integer(at: 0)
          let words = (1...index.columns.count).map { texts.words(at: $0) }
          note(key)
          // Other entities of the table have no words, and their deletion is not noted.
          guard words.contains(where: { $0 != .null }) else {
            try run(index.remove, [.integer(key)])
            continue
          }
          for (column, value) in ([.integer(key)] + words).enumerated() {
            try write.bind(value, at: Int32(column + 1))
          }
          _ = try write.step()
          write.reset()
        }
      }
    }
  }
}

extension Statement {
  /// The words of a column of the row, NULL for none.
  fileprivate func words(at column: Int) -> SQLValue {
    guard sqlite3_column_type(handle, Int32(column)) != SQLITE_NULL,
      let start = sqlite3_column_text(handle, Int32(column))
    else { return .null }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    let words = TextWords(UnsafeBufferPointer(start: start, count: count))
    return words.ranges.isEmpty ? .null : .text(words.text)
  }
}

// MARK: - Checking and compacting

extension Connection {
  /// The objects whose words an index has wrongly, though it believes that it has them: another
  /// program wrote them, which notes nothing.
  func searchFindings() throws -> [String] {
    try searchIndexes().compactMap { index, isCurrent in
      let count = isCurrent ? try countMistaken(index) : 0
      return count == 0
        ? nil
        : "the index of words '\(index.name)' is wrong for \(count) rows of '\(index.table)': another "
          + "program wrote them, and a search may miss them; compacting the store makes it anew"
    }
  }

  /// Lets all indexes of words catch up, makes wrong ones anew, and all as small as they can be.
  func compactSearchIndexes() throws {
    guard try integer(SearchTables.arePossible) == 1 else { return }
    for (index, isCurrent) in try searchIndexes() where try hasTexts(of: index) {
      try transaction(.write) {
        if try !isCurrent || countMistaken(index) > 0 { try makeSearchIndex(index) }
        while try catchUp(index, 1000) >= 1000 {}
        try run(index.optimize)
        try run(SearchTables.countUpkeep)
      }
    }
  }

  /// Whether the table of an index has its columns: another program may have changed it.
  private func hasTexts(of index: SearchIndex) throws -> Bool {
    guard try tableNames().contains(index.table) else { return false }
    let live = try table(index.table)
    return index.columns.allSatisfy { live.column(named: $0) != nil }
  }

  private func countMistaken(_ index: SearchIndex) throws -> Int {
    guard try hasTexts(of: index) else { return 0 }
    var count = Int(try integer(index.countGone) ?? 0)
    let width = index.columns.count
    try withStatement(index.believed) { row in
      while try row.step() {
        let isRight = (1...width).allSatisfy { row.words(at: $0) == row.value(at: $0 + width) }
        if !isRight { count += 1 }
      }
    }
    return count
  }
}

// MARK: - Opening

extension Database {
  /// Makes the indexes of words that a model asks for and the store lacks, and those that another
  /// version of Oxbow has split.
  ///
  /// What the store has beyond that stays: another program may ask for it. A step of a migration
  /// removes it.
  func makeSearchIndexes(_ mapping: StoreMapping) throws {
    let isComplete = try read { connection in
      try connection.transaction(.read) { try connection.missingSearchIndexes(mapping).isEmpty }
    }
    guard !isComplete else { return }
    try write { connection in
      try connection.transaction(.write) {
        for index in try connection.missingSearchIndexes(mapping) {
          index.columns.isEmpty
            ? try connection.removeSearchIndex(ofRoot: index.root)
            : try connection.makeSearchIndex(index)
        }
      }
    }
  }
}

extension Connection {
  /// The indexes of words that have to be made; without columns, removed.
  fileprivate func missingSearchIndexes(_ mapping: StoreMapping) throws -> [SearchIndex] {
    let wanted = mapping.searchIndexes
    if wanted.isEmpty, try integer(SearchTables.arePossible) != 1 { return [] }
    let stored = try searchIndexes()
    var missing = wanted.filter { index in !stored.contains { $0.index.root == index.root } }
    for (index, isCurrent) in stored {
      var whole =
        wanted.first { $0.root == index.root }
        ?? SearchIndex(
          root: index.root, table: index.table, columns: [])
      let known = mapping.tables.first { $0.name == whole.table }
      let own = index.columns.filter { known?.column(named: $0) != nil }
      whole.columns = own + whole.columns.filter { !own.contains($0) }
      if whole != index || !isCurrent { missing.append(whole) }
    }
    return missing
  }
}
