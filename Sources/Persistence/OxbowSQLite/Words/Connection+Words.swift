internal import CSQLite
internal import OxbowModel
internal import OxbowRelational

extension Connection {
  /// Whether the store has tables of search indexes.
  func hasSearchTables() throws -> Bool { try integer(SearchTables.exist) == 1 }

  /// The search indexes that a store has, and whether each is as this version of Oxbow writes it.
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

  /// Makes an index without texts; inside of a transaction.
  ///
  /// - Throws: ``PersistenceError`` with `unsupported` where the library lacks FTS5.
  func makeSearchIndex(_ index: SearchIndex) throws {
    try requireSearchIndexes()
    for statement in SearchTables.base(in: dialect) + index.creation { try execute(statement) }
    try run(MetadataTables.countUpkeep)
  }

  func removeSearchIndex(_ index: SearchIndex) throws {
    for statement in index.removal { try execute(statement) }
  }

  func requireSearchIndexes() throws {
    guard try integer(SearchTables.arePossible) != 1 else { return }
    throw PersistenceError(
      .unsupported,
      "the store '\(path)' needs a search index, and this SQLite (\(LibraryVersion.current)) was "
        + "built without FTS5, which keeps it; use a library that has it, or leave 'search' out of the "
        + "model: searches read all texts then")
  }
}

// MARK: - Catching up

/// Texts that an index was given.
private struct IndexedBlock {
  /// The objects that were looked at.
  var keys: [Int64] = []

  /// How many of them were written, and how many were taken out.
  var written = 0
  var removed = 0

  var bytes = 0

  /// So many bytes of texts end a block, however few objects it has: saves wait for it.
  var isFull: Bool { bytes >= 1 << 18 }
}

extension Connection {
  /// An index of substrings begins again when so many objects were edited, and more than it has:
  /// what their texts were is still in it.
  private static var worthBeginningAgain: Int64 { 1000 }

  /// Gives an index the texts of some objects that it lacks: noted ones first; inside of a
  /// transaction.
  ///
  /// - Returns: Whether nothing is left to do.
  func catchUp(_ index: SearchIndex, _ limit: Int) throws -> Bool {
    let noted = try integers(index.readNoted, [.integer(Int64(limit))])
    guard let last = noted.last else { return try goOn(index, limit) }
    try mend(index, noted, last)
    try run(MetadataTables.countUpkeep)
    return false
  }

  /// Gives an index all that it lacks; inside of a transaction.
  func catchUp(_ index: SearchIndex) throws { while try !catchUp(index, 1000) {} }

  /// Gives an index the texts of noted objects.
  private func mend(_ index: SearchIndex, _ noted: [Int64], _ last: Int64) throws {
    let block = try write(index, index.texts(dialect), [dialect.array(of: noted)])
    let end = block.isFull ? block.keys.last ?? last : last
    let gone = Set(noted).subtracting(block.keys).filter { $0 <= end }
    var removed = block.removed
    for key in gone { removed += try remove(key, from: index) }
    try run(index.forgetNoted, [.integer(end)])
    try run(
      index.countEdits, [.integer(Int64(block.written + removed)), .integer(Int64(removed))])
    let excess = try integer(index.readExcess, [.integer(Self.worthBeginningAgain)])
    if index.kind == .substrings, excess != nil { try empty(index) }
  }

  /// Takes an object out of an index.
  ///
  /// - Returns: How many it had of the object: one or none.
  private func remove(_ key: Int64, from index: SearchIndex) throws -> Int {
    try run(index.remove, [.integer(key)])
    return min(1, changes)
  }

  /// Takes all out of an index of substrings, which begins again.
  private func empty(_ index: SearchIndex) throws {
    for statement in index.emptying { try execute(statement) }
  }

  /// Gives an index the texts of the next objects behind it.
  private func goOn(_ index: SearchIndex, _ limit: Int) throws -> Bool {
    let end = try integer(index.readEnd) ?? 0
    let block = try write(index, index.textsBehind, [.integer(end), .integer(Int64(limit))])
    guard let last = block.keys.last else { return true }
    try run(index.setEnd, [.integer(last), .integer(Int64(block.written))])
    try run(MetadataTables.countUpkeep)
    return block.keys.count < limit && !block.isFull
  }

  /// Writes the texts of the objects of a select, by key.
  private func write(
    _ index: SearchIndex, _ select: String, _ values: [SQLValue]
  ) throws -> IndexedBlock {
    var block = IndexedBlock()
    try withStatement(index.write) { write throws in
      try withStatement(select) { row throws in
        try row.bind(values)
        while try !block.isFull && row.step() {
          let key = row.integer(at: 0)
          let texts = row.texts(of: index)
          block.keys.append(key)
          // Other entities of the table have no texts in it, and their deletion is not noted.
          guard texts.contains(where: { $0 != .null }) else {
            block.removed += try remove(key, from: index)
            continue
          }
          guard try isNew(texts, of: key, index) else { continue }
          try write.bind([.integer(key)] + texts)
          _ = try write.step()
          write.reset()
          block.written += 1
          block.bytes += texts.reduce(0) { $0 + $1.byteCount }
        }
      }
    }
    return block
  }

  /// Whether an index has to get what an object's texts are now.
  private func isNew(_ texts: [SQLValue], of key: Int64, _ index: SearchIndex) throws -> Bool {
    guard index.kind == .substrings else { return true }
    try run(index.writeHash, [.integer(key), .integer(texts.hash)])
    return changes > 0
  }
}

extension Statement {
  /// What an index gets of the texts of the row, which begin at the second column; NULL for none.
  fileprivate func texts(of index: SearchIndex) -> [SQLValue] {
    (1...index.columns.count).map { column in
      guard sqlite3_column_type(handle, Int32(column)) != SQLITE_NULL,
        let start = sqlite3_column_text(handle, Int32(column))
      else { return .null }
      let count = Int(sqlite3_column_bytes(handle, Int32(column)))
      return index.kind.value(of: UnsafeBufferPointer(start: start, count: count))
    }
  }
}

extension SearchIndex.Kind {
  fileprivate func value(of text: UnsafeBufferPointer<UInt8>) -> SQLValue {
    switch self {
    case .words:
      let words = TextWords(text)
      return words.ranges.isEmpty ? .null : .text(words.text)
    case .substrings: return .text(TextSkeleton.indexed(text))
    }
  }
}

extension SQLValue {
  fileprivate var byteCount: Int { if case .text(let text) = self { text.utf8.count } else { 0 } }
}

extension [SQLValue] {
  /// A hash of texts, the same in every process.
  fileprivate var hash: Int64 {
    var bytes: [UInt8] = []
    for value in self {
      if case .text(let text) = value { bytes += text.utf8 }
      bytes.append(value == .null ? 0xFF : 0xFE)
    }
    return Int64(bitPattern: bytes.fnv1a)
  }
}

// MARK: - What waits

extension Connection {
  /// Whether one of some indexes lacks the texts of so many objects at least.
  func lacks(_ count: Int, _ indexes: [SearchIndex]) throws -> Bool {
    try indexes.contains { try lacks(count, $0) }
  }

  private func lacks(_ count: Int, _ index: SearchIndex) throws -> Bool {
    if try !rows(index.readBehind, [.integer(Int64(count - 1))]).isEmpty { return true }
    return try integers(index.readNoted, [.integer(Int64(count))]).count == count
  }
}

// MARK: - Checking and compacting

extension Connection {
  /// The objects whose texts an index has wrongly, though it believes that it has them: another
  /// program wrote them, which notes nothing.
  func searchFindings() throws -> [String] {
    try searchIndexes().compactMap { index, isCurrent in
      let count = isCurrent ? try countMistaken(index) : 0
      return count == 0
        ? nil
        : "the index of \(index.kind.rawValue) '\(index.name)' is wrong for \(count) rows of "
          + "'\(index.table)': another program wrote them, and a search may miss them; compacting "
          + "the store makes it anew"
    }
  }

  /// Lets all search indexes catch up, makes wrong ones anew, and all as small as they can be.
  func compactSearchIndexes() throws {
    guard try integer(SearchTables.arePossible) == 1 else { return }
    for (index, isCurrent) in try searchIndexes()
    where try hasColumns(index.columns, in: index.table) {
      let isSound = try isSound(index)
      try transaction(.write) {
        if try !isCurrent || !isSound || countMistaken(index) > 0 {
          try makeSearchIndex(index)
        } else if try hasOldTexts(index) {
          try empty(index)
        }
        try catchUp(index)
        try run(index.optimize)
        try run(MetadataTables.countUpkeep)
      }
    }
  }

  /// Whether what FTS5 keeps of an index fits together: a damaged one may leave hits out, and finds
  /// that out only when it is asked.
  private func isSound(_ index: SearchIndex) throws -> Bool {
    do {
      try transaction(.write) { try run(index.integrityCheck) }
      return true
    } catch let error as SQLiteError where error.code.primary == .corrupt { return false }
  }

  /// Whether an index has, or will have when it has caught up, what texts were before.
  private func hasOldTexts(_ index: SearchIndex) throws -> Bool {
    guard index.kind == .substrings else { return false }
    return try integer(index.readEdits) != 0
      || !integers(index.readNoted, [.integer(1)]).isEmpty
  }

  private func countMistaken(_ index: SearchIndex) throws -> Int {
    guard try hasColumns(index.columns, in: index.table) else { return 0 }
    var count = Int(try index.countGone.flatMap { try integer($0) } ?? 0)
    let width = index.columns.count
    try withStatement(index.believed) { row in
      while try row.step() {
        let texts = row.texts(of: index)
        let isRight =
          switch index.kind {
          case .words: (0..<width).allSatisfy { texts[$0] == row.value(at: $0 + 1 + width) }
          case .substrings:
            texts.allSatisfy { $0 == .null } || row.value(at: 1 + width) == .integer(texts.hash)
          }
        if !isRight { count += 1 }
      }
    }
    return count
  }
}

// MARK: - Opening

extension Database {
  /// Makes the search indexes that a model asks for and the store lacks, and those that another
  /// version of Oxbow has written.
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
            ? try connection.removeSearchIndex(index)
            : try connection.makeSearchIndex(index)
        }
      }
    }
  }
}

extension Connection {
  /// The search indexes that have to be made; without columns, removed.
  fileprivate func missingSearchIndexes(_ mapping: StoreMapping) throws -> [SearchIndex] {
    let wanted = mapping.searchIndexes
    if wanted.isEmpty, try integer(SearchTables.arePossible) != 1 { return [] }
    let stored = try searchIndexes()
    var missing = wanted.filter { index in !stored.contains { $0.index.hasPlace(of: index) } }
    for (index, isCurrent) in stored {
      var whole =
        wanted.first(where: index.hasPlace)
        ?? SearchIndex(index.kind, root: index.root, table: index.table, columns: [])
      let known = mapping.tables.first { $0.name == whole.table }
      let own = index.columns.filter { known?.column(named: $0) != nil }
      whole.columns = own + whole.columns.filter { !own.contains($0) }
      if whole != index || !isCurrent { missing.append(whole) }
    }
    return missing
  }
}
