#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  // MARK: - Deletes

  extension SaveStatements {
    /// Deletes rows with the links that are rows of their own; tables that refer to others first.
    mutating func delete(_ deletes: [ChangeSet.Delete]) {
      let mapping = mapping
      let groups = grouped(deletes) { mapping.entities[$0.entity].root }
        .sorted { mapping.precedes($0.0, $1.0) }
      for (root, group) in groups {
        let group = group.sorted { $0.key < $1.key }
        for end in mapping.joinEnds(ofRoot: root) {
          add(
            ServerStatement(
              "DELETE FROM \(names.table(end.table)) WHERE \(quoted(end.column)) = ANY($1)",
              [Parameter(keys: group.map(\.key))]))
        }
        delete(group, mapping.entities[root])
      }
    }

    private mutating func delete(_ deletes: [ChangeSet.Delete], _ table: EntityMapping) {
      var set = ValueSet([("k", .integer64), ("v", .integer64)])
      for delete in deletes {
        set.append([.integer(delete.key), delete.version.map { .integer($0) } ?? .null])
      }
      let key = quoted(table.keyColumn)
      add(
        set.guarding(
          "DELETE FROM \(names.table(table.table)) AS t USING n WHERE t.\(key) = n.k "
            + "AND (n.v IS NULL OR t.\(quoted(table.versionColumn)) = n.v)", returning: key))
    }
  }

  // MARK: - Updates

  extension SaveStatements {
    private struct Shape: Hashable {
      let entity: Int
      let columns: [Int]
    }

    /// Updates rows that have the version which was read, with the keys that links set in them.
    mutating func update(_ updates: [ChangeSet.Update]) throws(PersistenceError) {
      var planned: [(shape: Shape, key: Int64, row: [SQLValue])] = []
      for update in updates {
        let entity = mapping.entities[update.entity]
        let links = assignments.take(root: entity.root, key: update.key)
        var columns: [Int] = []
        var row: [SQLValue] = [.integer(update.key), .integer(update.version)]
        for (property, value) in update.values {
          guard let column = entity.column(ofProperty: property) else { continue }
          columns.append(column)
          row.append(try encoder.encoded(value, entity.columns[column], update.reference))
        }
        for link in links {
          columns.append(link.column)
          row.append(
            try encoder.encoded(key: link.value, entity.columns[link.column], update.reference))
        }
        try encoder.checkSize(of: row, update.reference)
        planned.append((Shape(entity: update.entity, columns: columns), update.key, row))
      }
      for (shape, group) in grouped(planned, by: \.shape) {
        update(
          group.sorted { $0.key < $1.key }.map(\.row), mapping.entities[shape.entity], shape.columns
        )
      }
    }

    private mutating func update(_ rows: [[SQLValue]], _ table: EntityMapping, _ columns: [Int]) {
      for block in Self.blocks(rows) { update(block: block, table, columns) }
    }

    private mutating func update(
      block rows: ArraySlice<[SQLValue]>, _ table: EntityMapping, _ columns: [Int]
    ) {
      var set = ValueSet(
        [("k", .integer64), ("v", .integer64)]
          + columns.enumerated().map { ("c\($0)", table.columns[$1].codec.serverType) })
      for row in rows { set.append(row) }
      let (key, version) = (quoted(table.keyColumn), quoted(table.versionColumn))
      let values = columns.enumerated().map { index, column in
        "\(quoted(table.columns[column].name)) = \(set.value(index + 2))"
      }
      let assignments = values + ["\(version) = t.\(version) + \(RowVersion.step)"]
      add(
        set.guarding(
          "UPDATE \(names.table(table.table)) AS t SET \(assignments.joined(separator: ", ")) "
            + "FROM n WHERE t.\(key) = n.k AND t.\(version) = n.v", returning: key))
    }

    /// Writes the keys of links in rows that are neither updated nor inserted.
    mutating func updateRest() {
      let rest = assignments.takeRest()
      clear(rest)
      let set = rest.map { ($0.reference, $0.cells.filter { !$0.isUnlink }) }
        .filter { !$0.1.isEmpty }
      let groups = grouped(set) {
        Shape(entity: $0.0.entity, columns: $0.1.map(\.column))
      }
      for (shape, group) in groups {
        let table = mapping.entities[shape.entity]
        var values = ValueSet(
          [("k", .integer64)] + shape.columns.indices.map { ("c\($0)", .integer64) })
        for (reference, cells) in group {
          noteLinked(reference)
          values.append(
            [.integer(reference.key)] + cells.map { $0.value.map { .integer($0) } ?? .null })
        }
        let assignments = shape.columns.enumerated().map { index, column in
          "\(quoted(table.columns[column].name)) = \(values.value(index + 1))"
        }
        let key = quoted(table.keyColumn)
        add(
          values.guarding(
            "UPDATE \(names.table(table.table)) AS t SET \(assignments.joined(separator: ", ")) "
              + "FROM n WHERE t.\(key) = n.k", returning: key))
      }
    }

    /// Clears keys where they still are what they were: rows that others have changed since keep
    /// the links of the others.
    private mutating func clear(
      _ rest: [(reference: ObjectReference, cells: [LinkAssignments.Cell])]
    ) {
      struct Clearing: Hashable {
        let entity: Int
        let key: Int
        let columns: [Int]
      }
      var clearings: [(Clearing, [SQLValue])] = []
      for (reference, cells) in rest {
        let columns = cells.filter(\.isUnlink).map(\.column)
        for cell in cells {
          guard let expected = cell.expected else { continue }
          clearings.append(
            (
              Clearing(entity: reference.entity, key: cell.column, columns: columns),
              [.integer(reference.key), .integer(expected)]
            ))
        }
      }
      for (clearing, group) in grouped(clearings, by: \.0) {
        let table = mapping.entities[clearing.entity]
        var set = ValueSet([("k", .integer64), ("e", .integer64)])
        for (_, row) in group { set.append(row) }
        let nothing = clearing.columns.map { "\(quoted(table.columns[$0].name)) = NULL" }
        add(
          ServerStatement(
            "UPDATE \(names.table(table.table)) AS t SET \(nothing.joined(separator: ", ")) "
              + "FROM \(set.source) WHERE t.\(quoted(table.keyColumn)) = n.k "
              + "AND t.\(quoted(table.columns[clearing.key].name)) = n.e", set.parameters))
      }
    }
  }

  // MARK: - Inserts

  extension SaveStatements {
    mutating func insert(_ changes: ChangeSet) throws(PersistenceError) {
      let groups = grouped(changes.inserts, by: \.entity).sorted { $0.0 < $1.0 }
      for (entity, group) in groups {
        let table = mapping.entities[entity]
        let rows = group.sorted { $0.key < $1.key }.map {
          NewRow($0, links: assignments.take(root: table.root, key: $0.key))
        }
        guard rows.count > Self.rowsOfInsert, store.copiesRows else {
          try insert(rows, table)
          continue
        }
        copy(rows, table, of: changes)
      }
    }

    /// Copies many rows: faster than statements, and made while the server takes those before them
    /// (docs/performance.md, N/insert), but each copy takes a round trip.
    ///
    /// The changes hold what the rows are made of.
    private mutating func copy(_ rows: [NewRow], _ table: EntityMapping, of changes: ChangeSet) {
      let number = table.numberColumn.map { ($0, SQLValue.integer(table.number)) }
      let columns =
        [table.keyColumn, table.versionColumn] + table.columns.map(\.name)
        + (number.map { [$0.0] } ?? [])
      let encoder = encoder
      add(
        ServerStatement(
          copying: RowCopy(
            table: "\(names.table(table.table)) (\(columns.map(quoted).joined(separator: ", ")))",
            types: [.integer64, .integer64] + table.columns.map(\.codec.serverType)
              + (number.map { _ in [.integer64] } ?? [])
          ) { sender in
            try withExtendedLifetime(changes) {
              for row in rows {
                let row = try encoder.row(row, table)
                try sender.append(number.map { row + [$0.1] } ?? row)
              }
            }
          }))
    }

    private mutating func insert(
      _ new: [NewRow], _ table: EntityMapping
    ) throws(PersistenceError) {
      var rows: [[SQLValue]] = []
      for row in new { rows.append(try encoder.row(row, table)) }
      for block in Self.blocks(rows) { insert(block, table) }
    }

    /// Rows in blocks that a message of the server takes, each with at least one.
    private static func blocks(_ rows: [[SQLValue]]) -> [ArraySlice<[SQLValue]>] {
      var blocks: [ArraySlice<[SQLValue]>] = []
      var (start, bytes) = (0, 0)
      for (index, row) in rows.enumerated() {
        let size = row.reduce(0) { $0 + $1.byteCount + 4 }
        if index > start, index - start == rowsOfInsert || bytes + size > bytesOfBlock {
          blocks.append(rows[start..<index])
          (start, bytes) = (index, 0)
        }
        bytes += size
      }
      if start < rows.count { blocks.append(rows[start...]) }
      return blocks
    }

    /// The bytes of a block, unless one row has more.
    private static let bytesOfBlock = 32 << 20

    private mutating func insert(_ rows: ArraySlice<[SQLValue]>, _ table: EntityMapping) {
      var set = ValueSet(
        [("k", .integer64), ("v", .integer64)]
          + table.columns.enumerated().map { ("c\($0)", $1.codec.serverType) })
      for row in rows { set.append(row) }
      let type = table.numberColumn.map { [$0] } ?? []
      let columns = [table.keyColumn, table.versionColumn] + type + table.columns.map(\.name)
      let values =
        ["n.k", "n.v"] + type.map { _ in "\(table.number)" }
        + table.columns.indices.map { set.value($0 + 2) }
      add(
        set.inserting(
          "INSERT INTO \(names.table(table.table)) (\(columns.map(quoted).joined(separator: ", "))) "
            + "SELECT \(values.joined(separator: ", ")) FROM \(set.source)"))
    }
  }

  extension SQLValue {
    /// About how many bytes it has on its way.
    var byteCount: Int {
      switch self {
      case .text(let text): text.utf8.count
      case .blob(let bytes): bytes.count
      case .null, .integer, .real: 8
      }
    }
  }
#endif
