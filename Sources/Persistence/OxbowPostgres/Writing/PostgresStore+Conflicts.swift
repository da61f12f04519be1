#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  extension PostgresStore {
    /// The error with all objects that are not as their context read them; `nil` if there is none,
    /// because others have come in between twice.
    ///
    /// The server has found one set of rows that differ; the others are found by reading.
    func conflicts(
      _ conflict: Conflict, _ connection: ServerConnection
    ) throws -> PersistenceError? {
      let changes = conflict.changes
      let versions = try versions(
        of: changes.deletes.map(\.reference) + changes.updates.map(\.reference) + conflict.linked,
        connection)
      func version(_ reference: ObjectReference) -> Int64? {
        versions[ObjectKey(root: root(reference.entity), key: reference.key)]
      }
      let deletes = changes.deletes.filter {
        guard let found = version($0.reference) else { return true }
        return $0.version != nil && $0.version != found
      }
      let updates = changes.updates.filter { version($0.reference) != $0.version }
      let linked = conflict.linked.filter { version($0) == nil }
      let found =
        deletes.map(\.reference) + updates.map(\.reference) + linked
      let objects = conflict.gone + found.map { id($0) }
      if objects.isEmpty { return nil }
      return found.isEmpty ? .gone(objects) : .conflict(objects)
    }

    private func versions(
      of references: [ObjectReference], _ connection: ServerConnection
    ) throws -> [ObjectKey: Int64] {
      let groups = Dictionary(grouping: references) { root($0.entity) }.sorted { $0.key < $1.key }
      guard !groups.isEmpty else { return [:] }
      let results = try connection.run(
        groups.map { root, references in
          let table = mapping.entities[root]
          return ServerStatement(
            "SELECT \(quoted(table.keyColumn)), \(quoted(table.versionColumn)) "
              + "FROM \(names.table(table.table)) WHERE \(quoted(table.keyColumn)) = ANY($1)",
            [Parameter(keys: references.map(\.key))])
        })
      var versions: [ObjectKey: Int64] = [:]
      for ((root, _), result) in zip(groups, results) {
        for row in 0..<result.count {
          versions[ObjectKey(root: root, key: result.integer(row, 0))] = result.integer(row, 1)
        }
      }
      return versions
    }
  }

  // MARK: - Constraints

  extension PostgresStore {
    /// What a broken constraint means for the objects of a save; `nil` for another failure.
    func explained(
      _ failure: ServerFailure, _ changes: ChangeSet, _ connection: ServerConnection
    ) throws -> PersistenceError? {
      switch failure.state {
      case "23505", "23P01":
        guard let table = mapping.tables.first(where: { $0.name == failure.table }) else {
          return nil
        }
        if let index = table.indexes.first(where: { $0.isUnique && $0.name == failure.constraint })
        {
          let search = UniqueSearch(self, table.name, index, changes)
          return try search.error(connection) ?? search.unknown(failure)
        }
        guard failure.constraint?.hasPrefix(MigrationNames.nextPrefix) != true else {
          return PersistenceError(
            .uniquenessViolated,
            "an object of '\(table.name)' has values that another one has, and a migration that is under "
              + "way makes them unique; nothing was saved"
          ).adding("server", failure.detail ?? failure.message)
        }
        return try keyTaken(table.name, changes, connection)
      case "23503": return .missingRows([missingRow(failure)])
      case "23502":
        return PersistenceError(
          .validation,
          "an object of '\(failure.table ?? "")' has no value where the model requires one; nothing "
            + "was saved"
        ).adding("server", failure.message)
      default: return nil
      }
    }

    private func missingRow(_ failure: ServerFailure) -> String {
      let keys = mapping.tables.first { $0.name == failure.table }?.foreignKeys ?? []
      let column = keys.first { failure.detail?.contains("(\($0.column))") == true }
      let where_ = column.map { " of '\($0.table)'" } ?? ""
      return "a row of '\(failure.table ?? "")' refers to a missing row\(where_)"
    }

    /// A new object whose key a row has: it comes back and others have written it again, or another
    /// program took the key.
    private func keyTaken(
      _ table: String, _ changes: ChangeSet, _ connection: ServerConnection
    ) throws -> PersistenceError? {
      let inserts = changes.inserts.filter { mapping.entities[$0.entity].table == table }
      let there = try versions(of: inserts.map(\.reference), connection)
      let taken = inserts.filter {
        there[ObjectKey(root: root($0.entity), key: $0.key)] != nil
      }
      guard let first = taken.first else { return nil }
      guard first.version == RowVersion.first else {
        return .conflict(taken.map { id($0.reference) })
      }
      return .keyTaken(
        id(first.reference), table, counter: "'\(MetadataTables.keys.name)'", advice: "")
    }
  }

  /// Finds the object of a save that would have unique values of another, and that other.
  struct UniqueSearch {
    private let store: PostgresStore
    private let table: EntityMapping
    private let index: IndexSchema
    private let changes: ChangeSet

    /// An object that the save gives such values.
    private struct Candidate {
      let reference: ObjectReference
      var values: [Int: SQLValue]
    }

    init(_ store: PostgresStore, _ table: String, _ index: IndexSchema, _ changes: ChangeSet) {
      self.store = store
      self.index = index
      self.changes = changes
      self.table = store.mapping.entities.first { $0.table == table } ?? store.mapping.entities[0]
    }

    /// Where the object is not found any more.
    func unknown(_ failure: ServerFailure) -> PersistenceError {
      PersistenceError(
        .uniquenessViolated,
        "an object of '\(table.table)' has values that must be unique, and another object has them "
          + "already; nothing was saved"
      ).adding("server", failure.message)
    }

    func error(_ connection: ServerConnection) throws -> PersistenceError? {
      var candidates = candidates()
      try complete(&candidates, connection)
      let holders = try holders(of: candidates, connection)
      let moved = Set(candidates.map(\.reference.key))
        .union(changes.deletes.filter { root($0.entity) == table.root }.map(\.key))
      var seen: [[SQLValue]: ObjectReference] = [:]
      for candidate in candidates {
        let values = values(candidate)
        guard !values.contains(.null) else { continue }
        let holder =
          holders[candidate.reference.key]?.first { !moved.contains($0.key) } ?? seen[values]
        if let holder { return error(candidate, holder) }
        seen[values] = candidate.reference
      }
      return nil
    }

    private func root(_ entity: Int) -> Int { store.mapping.entities[entity].root }

    private func columns(of entity: Int) -> [Int] {
      let columns = store.mapping.entities[entity].columns
      return index.columns.compactMap { column in
        columns.firstIndex { $0.name == column.name && ($0.role == .attribute || $0.role == .key) }
      }
    }

    private func values(_ candidate: Candidate) -> [SQLValue] {
      columns(of: candidate.reference.entity).map { candidate.values[$0] ?? .null }
    }

    private func error(_ candidate: Candidate, _ holder: ObjectReference) -> PersistenceError {
      let entity = store.model.entities[candidate.reference.entity]
      let mapped = store.mapping.entities[entity.index]
      let named = columns(of: entity.index).map { index in
        let column = mapped.columns[index]
        let property = entity.properties[column.property]
        let value = candidate.values[index] ?? .null
        return (property.name, column.value(value, of: property, id: store.id))
      }
      return .notUnique(store.id(candidate.reference), named, holder: store.id(holder))
    }
  }

  extension UniqueSearch {
    /// The objects of the save that get a value of the index.
    private func candidates() -> [Candidate] {
      var positions = LinkPositions(changes, store.mapping)
      var found: [Candidate] = []
      guard var links = try? LinkAssignments(changes, store.mapping, &positions) else {
        return found
      }
      for update in changes.updates where isConcerned(update.entity) {
        let values = store.mapping.entities[update.entity].written(
          update, links.take(root: table.root, key: update.key))
        let isSet = columns(of: update.entity).contains { values[$0] != nil }
        if isSet { found.append(Candidate(reference: update.reference, values: values)) }
      }
      for insert in changes.inserts where isConcerned(insert.entity) {
        var values = store.mapping.entities[insert.entity].written(
          insert, links.take(root: table.root, key: insert.key))
        for index in columns(of: insert.entity) where values[index] == nil { values[index] = .null }
        found.append(Candidate(reference: insert.reference, values: values))
      }
      return found
    }

    private func isConcerned(_ entity: Int) -> Bool {
      let mapped = store.mapping.entities[entity]
      guard mapped.root == table.root else { return false }
      return index.condition?.values.contains(mapped.number) ?? true
    }

    /// Reads the values of the index that the save leaves as they are.
    private func complete(
      _ candidates: inout [Candidate], _ connection: ServerConnection
    ) throws {
      for (place, candidate) in candidates.enumerated() {
        let mapped = store.mapping.entities[candidate.reference.entity]
        let missing = columns(of: mapped.entity).filter { candidate.values[$0] == nil }
        guard !missing.isEmpty else { continue }
        let list = missing.map { index in
          let column = mapped.columns[index]
          return quoted(column.name) + (column.codec.serverType == .numeric ? "::text" : "")
        }
        let result = try connection.run(
          "SELECT \(list.joined(separator: ", ")) FROM \(store.names.table(mapped.table)) "
            + "WHERE \(quoted(mapped.keyColumn)) = $1", [.integer(candidate.reference.key)])
        for (column, index) in missing.enumerated() where result.count == 1 {
          candidates[place].values[index] = result.value(
            0, column, mapped.columns[index].codec.serverType)
        }
      }
    }

    /// The rows that have the values of candidates, by the keys of these.
    private func holders(
      of candidates: [Candidate], _ connection: ServerConnection
    ) throws -> [Int64: [ObjectReference]] {
      guard let first = candidates.first else { return [:] }
      let mapped = store.mapping.entities[first.reference.entity]
      let columns = columns(of: mapped.entity)
      var set = ValueSet(
        [("k", .integer64)]
          + columns.enumerated().map { ("c\($0)", mapped.columns[$1].codec.serverType) })
      for candidate in candidates {
        set.append([.integer(candidate.reference.key)] + values(candidate))
      }
      let same = columns.enumerated().map { index, column in
        "t.\(quoted(mapped.columns[column].name)) = \(set.value(index + 1))"
      }
      let type = table.typeColumn.map { ", t.\(quoted($0))" } ?? ""
      let condition = index.condition.map { condition in
        " AND t.\(quoted(condition.column)) IN "
          + "(\(condition.values.map(String.init).joined(separator: ", ")))"
      }
      let result = try connection.run(
        "SELECT n.k, t.\(quoted(table.keyColumn))\(type) FROM \(set.source) "
          + "JOIN \(store.names.table(table.table)) AS t ON \(same.joined(separator: " AND ")) "
          + "AND t.\(quoted(table.keyColumn)) <> n.k\(condition ?? "") ORDER BY 1, 2",
        set.parameters)
      var holders: [Int64: [ObjectReference]] = [:]
      for row in 0..<result.count {
        let entity = type.isEmpty ? nil : store.numbers[result.integer(row, 2)]
        holders[result.integer(row, 0), default: []].append(
          ObjectReference(entity: entity ?? table.entity, key: result.integer(row, 1)))
      }
      return holders
    }
  }
#endif
