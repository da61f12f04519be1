internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// Tables that refer to others come first: rows whose keys lead nowhere, even for a moment, are
// counted by SQLite one by one.
//
// Many rows go in blocks, each in one statement (docs/performance.md, T/cascade). A block tells how
// many rows it met and not which it missed, so the save that has changed less than it should begins
// again, row by row, to find out whose conflict it is.

/// How a save deletes rows.
enum DeleteMode: Sendable {
  case inBlocks
  case rowByRow
}

/// A block of rows of which others have changed or deleted some; what the save did is to be rolled
/// back, and to be done again row by row.
struct DisputedBlock: Error {}

extension ChangeWriter {
  mutating func delete(_ deletes: [ChangeSet.Delete]) throws {
    let mapping = mapping
    let groups = grouped(deletes) { mapping.entities[$0.entity].root }
      .sorted { mapping.precedes($0.0, $1.0) }
    var lost: Set<ObjectKey> = []
    for (root, group) in groups {
      if deleteMode == .inBlocks && group.count >= DeletedRows.smallestBlock {
        try deleteInBlocks(group, mapping.entities[root])
      } else {
        try deleteRowByRow(group, mapping.entities[root], &lost)
      }
    }
    guard !lost.isEmpty else { return }
    for delete in deletes where lost.contains(ObjectKey(root: root(delete.entity), key: delete.key))
    {
      conflicts.append(id(delete.entity, delete.key))
    }
  }
}

// MARK: - Row by row

extension ChangeWriter {
  /// Deletes rows of a table, and notes those that are not as they were read.
  private func deleteRowByRow(
    _ deletes: [ChangeSet.Delete], _ entity: EntityMapping, _ lost: inout Set<ObjectKey>
  ) throws {
    for end in mapping.joinEnds(ofRoot: entity.root) {
      let sql = statements.value(.unlinkAll(table: end.table, column: end.column)) {
        generator.unlinkAll(end)
      }
      try connection.withStatement(sql) { statement throws in
        for delete in deletes { try statement.run([.integer(delete.key)]) }
      }
    }
    for (hasVersion, group) in grouped(deletes, by: { $0.version != nil }) {
      let sql = statements.value(.delete(entity: entity.entity, hasVersion: hasVersion)) {
        generator.delete(entity, hasVersion: hasVersion)
      }
      try connection.withStatement(sql) { statement throws in
        for delete in group where try !self.delete(delete, statement) {
          lost.insert(ObjectKey(root: entity.root, key: delete.key))
        }
      }
    }
  }

  /// Deletes a row.
  ///
  /// - Returns: Whether there was one.
  private func delete(_ delete: ChangeSet.Delete, _ statement: Statement) throws -> Bool {
    try statement.run([.integer(delete.key)] + (delete.version.map { [.integer($0)] } ?? []))
    return connection.changes > 0
  }
}

// MARK: - In blocks

extension ChangeWriter {
  /// Deletes rows of a table, some hundred of one version at a time.
  ///
  /// - Throws: ``DisputedBlock`` when a row is not as it was read.
  private func deleteInBlocks(
    _ deletes: [ChangeSet.Delete], _ entity: EntityMapping
  ) throws {
    let ends = mapping.joinEnds(ofRoot: entity.root)
    if !ends.isEmpty {
      let rows = DeletedRows(deletes.map(\.key))
      for end in ends { try rows.forEachBlock { try unlinkAll($0, end) } }
    }
    for (version, group) in grouped(deletes, by: \.version) {
      try DeletedRows(group.map(\.key)).forEachBlock { try delete($0, version, entity) }
    }
  }

  private func unlinkAll(_ block: BoundKeys, _ end: JoinMapping.End) throws {
    let sql = statements.value(
      .unlinkBlock(table: end.table, column: end.column, block.parameters)
    ) {
      generator.unlinkAll(end, block.parameters)
    }
    try connection.withStatement(sql) { statement throws in
      try block.bind(to: statement)
      _ = try statement.step()
    }
  }

  private func delete(_ block: BoundKeys, _ version: Int64?, _ entity: EntityMapping) throws {
    let sql = statements.value(
      .deleteBlock(entity: entity.entity, block.parameters, hasVersion: version != nil)
    ) {
      generator.delete(entity, block.parameters, hasVersion: version != nil)
    }
    try connection.withStatement(sql) { statement throws in
      try block.bind(to: statement)
      if let version { try statement.bind(.integer(version), at: block.nextParameter) }
      _ = try statement.step()
      guard connection.changes == block.count else { throw DisputedBlock() }
    }
  }
}

/// The keys of rows that one statement after the other deletes.
private struct DeletedRows {
  /// From so many rows on, a block is worth its statement.
  static let smallestBlock = 8

  /// A statement of more keys is slower for each of them.
  private static let largestBlock = 512

  private let keys: [Int64]

  init(_ keys: [Int64]) { self.keys = keys.inOrder }

  func forEachBlock(_ body: (BoundKeys) throws -> Void) rethrows {
    var rest = keys[...]
    while !rest.isEmpty {
      try body(BoundKeys(block: rest.prefix(Self.largestBlock)))
      rest = rest.dropFirst(Self.largestBlock)
    }
  }
}
