#if PostgreSQL
  // Derived attributes are computed by the save, behind its changes and before its COMMIT. The
  // objects are locked first, and what a path leads to as well, so that a save that changes the
  // same values at the same time waits, and computes from what this one has left. Values come from
  // the server, and are counted there; sums, forms of texts and rules are those of the memory
  // executor.

  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// The derived values of a save, in three steps: what leads to its changes, what their values
  /// are made of, and the values.
  struct DerivedValues {
    private let store: PostgresStore
    private var affected: AffectedDerivations
    private let generator: DerivationGenerator

    /// `nil` if the changes concern no derived attribute.
    init?(_ changes: ChangeSet, _ store: PostgresStore) {
      affected = AffectedDerivations(changes, store.model)
      guard !affected.isEmpty else { return nil }
      self.store = store
      let names = store.names
      generator = DerivationGenerator(mapping: store.mapping) { names.table($0) }
    }

    // MARK: What is affected

    /// Which objects lead to what changes: one statement for each step to it.
    var origins: [ServerStatement] {
      places.map { index, step in
        let steps = affected.derivations[index].steps[...step]
        let found = steps.reversed().reduce("SELECT unnest($1::int8[])") {
          generator.origins(of: $1, in: $0)
        }
        return ServerStatement(found, [Parameter(keys: affected.ends[index][step].sorted())])
      }
    }

    private var places: [(index: Int, step: Int)] {
      affected.ends.enumerated().flatMap { index, steps in
        steps.indices.filter { !steps[$0].isEmpty }.map { (index, $0) }
      }
    }

    /// Takes the answers to ``origins``.
    mutating func note(_ results: some Sequence<ServerResult>) {
      for (place, result) in zip(places, results) {
        for row in 0..<result.count { affected.keys[place.index].insert(result.integer(row, 0)) }
      }
    }

    // MARK: What values are made of

    private var computed: [Int] {
      affected.keys.indices.filter { !affected.keys[$0].isEmpty && column(of: $0) != nil }
    }

    private func column(of index: Int) -> MappedColumn? {
      generator.column(of: affected.derivations[index])
    }

    /// Locks the objects, and then reads the value of each and what it is made of.
    var inputs: [ServerStatement] { computed.flatMap(locks) + computed.map(question) }

    private func locks(_ index: Int) -> [ServerStatement] {
      let derivation = affected.derivations[index]
      var found = ["\(rows(derivation)) ORDER BY 1 FOR NO KEY UPDATE OF t0"]
      if case .value = derivation.end {
        // One step after the other: where a path ends early, its last object is locked, too, and
        // what a statement has waited for is followed by the next.
        for end in derivation.steps.indices {
          let path = generator.path(Array(derivation.steps[...end]))
          found.append(rows(derivation, beside: ", LATERAL (SELECT 1 FROM \(path) FOR SHARE) AS s"))
        }
      }
      return found.map { ServerStatement("SELECT " + $0, [parameter(index)]) }
        + addedMembers(index)
    }

    /// Locks the objects that a save links to a sum by a table of links: neither row says that
    /// another save has changed what is added.
    private func addedMembers(_ index: Int) -> [ServerStatement] {
      let derivation = affected.derivations[index]
      guard case .sum = derivation.end, store.mapping.join(of: derivation.steps[0]) != nil else {
        return []
      }
      let far = store.mapping.entities[derivation.steps[0].destination]
      let key = quoted(far.keyColumn)
      return [
        ServerStatement(
          "SELECT 1 FROM \(store.names.table(far.table)) WHERE \(key) = ANY($1) ORDER BY \(key) "
            + "FOR SHARE", [Parameter(keys: affected.ends[index][0].sorted())])
      ]
    }

    private func parameter(_ index: Int) -> Parameter {
      Parameter(keys: affected.keys[index].sorted())
    }

    /// The end of a statement about the objects: their keys, and other columns.
    private func rows(
      _ derivation: CompiledDerivation, _ columns: String = "", beside more: String = ""
    ) -> String {
      let entity = store.mapping.entities[derivation.entity.index]
      let key = "t0.\(quoted(entity.keyColumn))"
      let conditions = ["\(key) = ANY($1)"] + generator.typeCondition(derivation)
      return "\(key)\(columns) FROM \(store.names.table(entity.table)) AS t0\(more) WHERE "
        + conditions.joined(separator: " AND ")
    }

    /// Reads key, number of the entity, present value, and a row for each value that it is made of.
    private func question(_ index: Int) -> ServerStatement {
      let derivation = affected.derivations[index]
      let entity = store.mapping.entities[derivation.entity.index]
      let column = column(of: index)
      let type = entity.typeColumn.map { "t0.\(quoted($0))" } ?? "NULL::int8"
      let present = carried("t0.\(quoted(column?.name ?? ""))", column?.codec.serverType)
      return ServerStatement(
        "SELECT "
          + rows(
            derivation, ", \(type), \(present), s.v",
            beside: " LEFT JOIN LATERAL (\(source(of: derivation))) AS s ON TRUE")
          + " ORDER BY 1" + order(of: derivation),
        [parameter(index)])
    }

    private func carried(_ column: String, _ type: ServerType?) -> String {
      type == .numeric ? "\(column)::text" : column
    }

    // A sum of fractions depends on the order.
    private func order(of derivation: CompiledDerivation) -> String {
      if case .sum = derivation.end { return ", s.k" }
      return ""
    }

    private func source(of derivation: CompiledDerivation) -> String {
      let end = derivation.steps.last?.destination ?? derivation.entity.index
      switch derivation.end {
      case .now: return "SELECT NULL::int8 AS v"
      case .count: return "SELECT count(*) AS v FROM \(generator.members(of: derivation.steps[0]))"
      case .sum(let property):
        let members = generator.members(of: derivation.steps[0], withRows: true)
        let key = quoted(store.mapping.entities[end].keyColumn)
        return "SELECT \(value(property, of: end, in: "m")) AS v, m.\(key) AS k FROM \(members)"
      case .value(let property, _):
        let value = value(property, of: end, in: "t\(derivation.steps.count)")
        guard !derivation.steps.isEmpty else { return "SELECT \(value) AS v" }
        return "SELECT \(value) AS v FROM \(generator.path(derivation.steps))"
      }
    }

    private func value(_ property: CompiledProperty, of entity: Int, in row: String) -> String {
      carried(
        "\(row).\(generator.column(property, of: entity))", codec(property, of: entity)?.serverType)
    }

    private func codec(_ property: CompiledProperty, of entity: Int) -> ColumnCodec? {
      let entity = store.mapping.entities[entity]
      return entity.column(ofProperty: property.index).map { entity.columns[$0].codec }
    }

    // MARK: Values

    /// Takes the answers to ``inputs``.
    ///
    /// - Returns: The values that are others than before, and the statements that write them.
    /// - Throws: ``PersistenceError`` with `validation` for a value that the attribute cannot have.
    func settled(_ results: [ServerResult]) throws -> ([DerivedValue], [ServerStatement]) {
      let now = Date()
      var values: [DerivedValue] = []
      var statements: [ServerStatement] = []
      for (index, result) in zip(computed, results.suffix(computed.count)) {
        guard let column = column(of: index) else { continue }
        let changed = try changed(index, column, result, now)
        guard !changed.isEmpty else { continue }
        values += changed.map(\.value)
        statements.append(update(index, column, changed))
      }
      return (values, statements)
    }

    private typealias Changed = (value: DerivedValue, stored: SQLValue)

    private func update(
      _ index: Int, _ column: MappedColumn, _ changed: [Changed]
    ) -> ServerStatement {
      let entity = store.mapping.entities[affected.derivations[index].entity.index]
      var set = ValueSet([("k", .integer64), ("c", column.codec.serverType)])
      for item in changed { set.append([.integer(item.value.object.key), item.stored]) }
      return ServerStatement(
        "UPDATE \(store.names.table(entity.table)) AS t SET \(quoted(column.name)) = \(set.value(1)) "
          + "FROM \(set.source) WHERE t.\(quoted(entity.keyColumn)) = n.k", set.parameters)
    }

    /// The objects of a result whose value is another one now.
    private func changed(
      _ index: Int, _ column: MappedColumn, _ result: ServerResult, _ now: Date
    ) throws -> [Changed] {
      var changed: [Changed] = []
      var row = 0
      while row < result.count {
        let end = (row..<result.count).first { result.integer($0, 0) != result.integer(row, 0) }
        let group = row..<(end ?? result.count)
        if let one = try self.changed(index, column, result, group, now) { changed.append(one) }
        row = group.upperBound
      }
      return changed
    }

    private func changed(
      _ index: Int, _ column: MappedColumn, _ result: ServerResult, _ rows: Range<Int>, _ now: Date
    ) throws -> Changed? {
      let derivation = affected.derivations[index]
      let object = ObjectReference(
        entity: entity(derivation, result, rows.lowerBound),
        key: result.integer(rows.lowerBound, 0))
      let value = try value(derivation, object, result, rows, now)
      let present = result.value(rows.lowerBound, 2, column.codec.serverType)
      guard let value else {
        guard !column.isRequired else {
          throw underivable(derivation, object, "has no value, but needs one")
        }
        guard present != .null else { return nil }
        return (
          DerivedValue(object: object, property: derivation.property.index, value: nil), .null
        )
      }
      guard let stored = column.codec.encode(value), let kept = column.codec.decode(stored) else {
        throw underivable(
          derivation, object,
          "would be \(value), and the column needs \(column.codec.expectation)")
      }
      guard stored != present else { return nil }
      return (
        DerivedValue(object: object, property: derivation.property.index, value: kept), stored
      )
    }

    private func entity(
      _ derivation: CompiledDerivation, _ result: ServerResult, _ row: Int
    ) -> Int {
      guard result.cell(row, 1) != nil else { return derivation.entity.index }
      return store.numbers[result.integer(row, 1)] ?? derivation.entity.index
    }

    private func underivable(
      _ derivation: CompiledDerivation, _ object: ObjectReference, _ seen: String
    ) -> PersistenceError {
      .underivable(derivation, seen, [store.id(object)])
    }

    private func value(
      _ derivation: CompiledDerivation, _ object: ObjectReference, _ result: ServerResult,
      _ rows: Range<Int>, _ now: Date
    ) throws -> AttributeValue? {
      let end = derivation.steps.last?.destination ?? derivation.entity.index
      let found: FetchValue
      switch derivation.end {
      case .now: return .date(now)
      case .count: found = .attribute(.integer(result.integer(rows.lowerBound, 3)))
      case .sum(let property):
        let values = rows.map { value(of: property, of: end, result, $0) }
        do { found = try FetchValue.sum(of: values, property.attribute?.type ?? .undefined) } catch
        {
          throw underivable(derivation, object, "is larger than a number can be")
        }
      case .value(let property, let form):
        found = value(of: property, of: end, result, rows.lowerBound).formed(form)
      }
      let type = derivation.property.attribute?.type ?? .undefined
      guard case .attribute(let value) = found.stored(as: type == .float ? .double : type) else {
        return nil
      }
      return value
    }

    private func value(
      of property: CompiledProperty, of entity: Int, _ result: ServerResult, _ row: Int
    ) -> FetchValue {
      guard let codec = codec(property, of: entity),
        let value = codec.decode(result.value(row, 3, codec.serverType))
      else { return .null }
      return .attribute(value)
    }
  }

  extension PostgresStore {
    /// Runs statements that make changes, and computes what is derived from what they change.
    ///
    /// - Returns: The values that are others than before, and the statements that are still to be
    ///   run.
    func derived(
      _ changes: ChangeSet, _ statements: [ServerStatement], _ transaction: WriteTransaction
    ) throws -> ([DerivedValue], [ServerStatement]) {
      guard !model.derivations.isEmpty, var derived = DerivedValues(changes, self) else {
        return ([], statements)
      }
      let opening = transaction.takeOpening()
      let origins = derived.origins
      let results = try transaction.connection.run(opening + origins + statements + origins)
      derived.note(results.dropFirst(opening.count).prefix(origins.count))
      derived.note(results.suffix(origins.count))
      return try derived.settled(transaction.connection.run(derived.inputs))
    }
  }
#endif
