#if PostgreSQL
  package import OxbowModel
  internal import OxbowRelational
  package import OxbowStore

  extension PostgresStore {
    package func rows(
      of fetch: StoreFetch, unless known: RowFilter?
    ) throws(PersistenceError) -> [RowSlab] {
      try ask(fetch) { question, session in
        let decoder = RowDecoder(self, question.shape)
        guard question.isExact, question.order != nil else {
          let (result, found) = try decided(fetch, question, session)
          return try decoder.rows(result, found, unless: known)
        }
        return try decoder.rows(
          of: question.select(question.shape.list), session, unless: known)
      } ?? []
    }

    package func keys(of fetch: StoreFetch) throws(PersistenceError) -> [RowSlab] {
      try ask(fetch) { question, session in
        guard question.isExact, question.order != nil else {
          let (result, found) = try decided(fetch, question, session)
          return references(try RowDecoder(self, question.shape).rows(result, found))
        }
        return try RowDecoder(self, question.shape).references(
          try session.run(question.select(question.shape.referenceList)))
      } ?? []
    }

    /// The places, of one moment with what the order follows.
    package func places(of fetch: StoreFetch) throws(PersistenceError) -> [SortPlace] {
      try ask(fetch) { question, session in
        let decoder = RowDecoder(self, question.shape)
        let slabs: [RowSlab]
        if question.isExact, question.order != nil {
          slabs = try decoder.rows(try session.begin(question.select(question.shape.list)))
        } else {
          let (result, found) = try decided(fetch, question, session)
          slabs = try decoder.rows(result, found, unless: nil)
        }
        return try session.note(slabs).map { try fetch.sortKeys.place(of: $0) }
      } ?? []
    }

    package func count(of fetch: StoreFetch) throws(PersistenceError) -> Int {
      try ask(fetch) { question, session in
        guard question.isExact else { return try decided(fetch, question, session).found.count }
        return Int(try session.run(question.count).integer(0, 0))
      } ?? 0
    }

    /// Puts a fetch into words for the server; `nil` for one of entities that have no objects.
    private func ask<R>(
      _ fetch: StoreFetch, _ body: (ServerQuestion, ReadSession) throws -> R
    ) throws(PersistenceError) -> R? {
      try examiner.check(fetch)
      let question = try ServerQuestion(fetch, self)
      guard !question.shape.shape.entities.isEmpty else { return nil }
      return try read(fetch.cancellation) { session in
        guard let sql = question.sql else { return try body(question, session) }
        session.useOwnSQL()
        return try session.saying(sql) { try body(question, session) }
      }
    }

    /// The same rows as references that were not read.
    private func references(_ slabs: [RowSlab]) -> [RowSlab] {
      slabs.map { slab in
        let copy = RowSlab(referencesOf: model, capacity: slab.count)
        for row in 0..<slab.count { copy.append(slab.reference(at: row)) }
        return copy
      }
    }
  }

  // MARK: - Memory decides

  extension PostgresStore {
    /// The rows that the server cannot tell, and which of them a fetch finds, in its order.
    private func decided(
      _ fetch: StoreFetch, _ question: ServerQuestion, _ session: ReadSession
    ) throws -> (result: ServerResult, found: [Int]) {
      let result = try session.begin(question.candidates)
      let objects = session.note(try RowDecoder(self, question.shape).rows(result))
      return (result, try found(fetch, objects, isMet: question.hasExactCondition))
    }

    /// The places of the objects that a fetch finds, in its order, within its limit and offset;
    /// `isMet` where all meet the condition.
    func found(
      _ fetch: StoreFetch, _ objects: [StoredObject], isMet: Bool
    ) throws(PersistenceError) -> [Int] {
      let met = isMet ? objects.enumerated().map { ($0, $1) } : try meeting(fetch, objects)
      let places = try sorted(met, fetch)
      return Array(places.dropFirst(max(0, fetch.offset)).prefix(max(0, fetch.limit ?? .max)))
    }

    /// The objects that meet the condition, and their places.
    func meeting(
      _ fetch: StoreFetch, _ objects: [StoredObject]
    ) throws(PersistenceError) -> [(Int, StoredObject)] {
      var found: [(Int, StoredObject)] = []
      for (index, object) in objects.enumerated() {
        if try fetch.predicate?.isTrue(for: object) != false { found.append((index, object)) }
      }
      return found
    }

    private func sorted(
      _ objects: [(Int, StoredObject)], _ fetch: StoreFetch
    ) throws(PersistenceError) -> [Int] {
      let keys = fetch.sortKeys
      var places: [(index: Int, position: SortPosition)] = []
      for (index, object) in objects { places.append((index, try keys.position(of: object))) }
      if let after = fetch.after {
        let start = try keys.position(at: after)
        places.removeAll {
          !keys.areInOrder(start, $0.position, keysDescend: fetch.keysDescend)
            || $0.position.hasFirstValue != start.hasFirstValue
        }
      }
      return places.sorted {
        keys.areInOrder($0.position, $1.position, keysDescend: fetch.keysDescend)
      }.map(\.index)
    }
  }

  // MARK: - By key

  extension PostgresStore {
    package func rows(of entity: Int, keys: [Int64]) throws(PersistenceError) -> [RowSlab] {
      let shape = shape(entity)
      guard !keys.isEmpty, !shape.shape.entities.isEmpty else { return [] }
      return try read(nil) { session in
        try RowDecoder(self, shape).rows(of: rowsStatement(shape, keys), session)
      }
    }

    func rowsStatement(_ shape: ServerShape, _ keys: [Int64]) -> ServerStatement {
      let type = mapping.typeCondition(shape.shape, alias: "t0")
      return ServerStatement(
        "SELECT \(shape.list) FROM \(shape.table) AS t0 WHERE \(shape.key) = ANY($1)"
          + (type.isEmpty ? "" : " AND \(type)"), [Parameter(keys: keys)])
    }

    package func rows(
      related relationship: RelationshipID, to owners: [Int64]
    ) throws(PersistenceError) -> RelatedRows {
      guard !owners.isEmpty, let found = model.property(relationship).relationship else {
        return RelatedRows(slabs: [], members: [:])
      }
      return try read(nil) { try related(found, to: owners, $0) }
    }

    func related(
      _ relationship: CompiledRelationship, to owners: [Int64], _ session: ReadSession
    ) throws -> RelatedRows {
      var related = RelatedRows(slabs: [], members: [:])
      let shape = shape(relationship.destination)
      guard mapping.keeps(relationship), !shape.shape.entities.isEmpty,
        let statement = relatedStatement(relationship, shape, owners)
      else { return related }
      let result = try session.run(session.locking(statement))
      let decoder = RowDecoder(self, shape)
      var builder = SlabBuilder(model, shape.shape.entities, count: result.count)
      var seen: [Int64: RelatedRows.Position] = [:]
      for row in 0..<result.count {
        let key = result.integer(row, 0)
        let position: RelatedRows.Position
        if let known = seen[key] {
          position = known
        } else {
          position = try decoder.append(row, result, nil, &builder)
          seen[key] = position
        }
        related.members[result.integer(row, shape.width), default: []].append(position)
      }
      related.slabs = builder.finish()
      return related
    }

    /// The rows, and behind all columns the key of their owner.
    private func relatedStatement(
      _ relationship: CompiledRelationship, _ shape: ServerShape, _ owners: [Int64]
    ) -> ServerStatement? {
      let parameters = [Parameter(keys: owners)]
      if let join = mapping.join(of: relationship) {
        let column = "j.\(quoted(join.column))"
        let position = join.positionColumn.map { ", j.\(quoted($0)) ASC NULLS LAST" } ?? ""
        return ServerStatement(
          "SELECT \(shape.list), \(column) FROM \(names.table(join.table)) AS j "
            + "JOIN \(shape.table) AS t0 ON \(shape.key) = j.\(quoted(join.otherColumn)) "
            + "WHERE \(column) = ANY($1) ORDER BY \(column)\(position), "
            + "j.\(quoted(join.otherColumn))", parameters)
      }
      guard let inverse = model.inverse(of: relationship) else { return nil }
      let table = mapping.entities[inverse.entity]
      func name(_ role: MappedColumn.Role) -> String? {
        table.column(role, ofProperty: inverse.property).map {
          "t0.\(quoted(table.columns[$0].name))"
        }
      }
      guard let key = name(.key) else { return nil }
      let position = name(.position).map { ", \($0) ASC NULLS LAST" } ?? ""
      return ServerStatement(
        "SELECT \(shape.list), \(key) FROM \(shape.table) AS t0 WHERE \(key) = ANY($1) "
          + "ORDER BY \(key)\(position), \(shape.key)", parameters)
    }
  }

  // MARK: - Values

  extension PostgresStore {
    package func rows(of query: ColumnQuery) throws(PersistenceError) -> ColumnRows {
      let types = try examiner.types(query)
      var fetch = StoreFetch(entity: query.entity)
      fetch.includesSubentities = query.includesSubentities
      fetch.predicate = query.predicate
      let rows = try ask(fetch) { question, session in
        let result = try session.begin(question.candidates)
        let objects = session.note(try RowDecoder(self, question.shape).rows(result))
        let found = question.hasExactCondition ? objects : try meeting(fetch, objects).map(\.1)
        return try query.rows(of: found, types: types, in: model)
      }
      if let rows { return rows }
      return try query.rows(of: [StoredObject](), types: types, in: model)
    }

    package func check(_ query: ColumnQuery) throws(PersistenceError) -> [AttributeType] {
      try examiner.types(query)
    }
  }

  // MARK: - One read

  extension PostgresStore {
    /// Locks the facts of the store, for which it waits as long as it may.
    func lockedFacts(in mode: String) -> [ServerStatement] {
      [
        lockLimit,
        ServerStatement("LOCK TABLE \(names.metadata) IN \(mode) MODE", isKept: false),
      ]
    }

    /// Begins a transaction that reads one moment; a view is in one.
    var beginning: [ServerStatement] {
      view == nil ? [.beginReading] + lockedFacts(in: "ACCESS SHARE") : []
    }

    /// Reads on a connection; once more on another one when the connection is lost, or the server
    /// has forgotten a statement.
    func read<R>(
      _ cancellation: ReadCancellation?, _ body: (ReadSession) throws -> R
    ) throws(PersistenceError) -> R {
      let cancellation = cancellation ?? ReadCancellation.current
      if cancellation?.isCancelled == true { throw .cancelled }
      do {
        do { return try readOnce(cancellation, body) } catch let failure as ServerFailure
          where failure.endsConnection || failure.isPassing
        {
          if cancellation?.isCancelled == true { throw PersistenceError.cancelled }
          return try readOnce(cancellation, body)
        }
      } catch let failure as ServerFailure where failure.guardMark == .migrated {
        throw migrated
      } catch { throw PersistenceError(error, "reading", place) }
    }

    private func readOnce<R>(
      _ cancellation: ReadCancellation?, _ body: (ReadSession) throws -> R
    ) throws -> R {
      try withReader { connection in
        let session = ReadSession(self, connection, cancellation)
        defer { session.forget() }
        do { return try body(session) } catch { throw session.failure ?? error }
      }
    }

    private func withReader<R>(_ body: (ServerConnection) throws -> R) throws -> R {
      if let view { return try view.read { try pool.counting($0.server, body) } }
      return try pool.withConnection { connection in
        if let position = LogPosition.awaited {
          try connection.wait(for: position, milliseconds: options.replicaMilliseconds)
        }
        return try body(connection)
      }
    }
  }
#endif
