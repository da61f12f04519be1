#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// Computes a derived attribute for some objects, from what the server says of them.
  ///
  /// The server counts, and adds whole numbers, of which an object may have very many; sums of
  /// fractions, forms of texts and rules are those of the memory executor.
  struct DerivedComputation {
    let derivation: CompiledDerivation
    private let column: MappedColumn
    private let generator: DerivationGenerator
    private let names: ServerNames

    /// `nil` for an attribute without a column.
    init?(_ derivation: CompiledDerivation, _ generator: DerivationGenerator, _ names: ServerNames)
    {
      guard let column = generator.column(of: derivation) else { return nil }
      (self.derivation, self.column, self.generator) = (derivation, column, generator)
      self.names = names
    }

    private var mapping: StoreMapping { generator.mapping }
    private var entity: EntityMapping { mapping.entities[derivation.entity.index] }
    private var key: String { "t0.\(quoted(entity.keyColumn))" }
    private var ofKeys: String { "\(key) = ANY($1)" }

    /// A value that the attribute gets.
    struct Changed {
      let value: DerivedValue
      let stored: SQLValue
    }

    /// What becomes of the value of an object.
    enum Outcome {
      case changed(Changed)

      /// It stays as it is.
      case same

      /// The attribute cannot have it, as the words behind its name say.
      case unfit(ObjectReference, String)
    }
  }

  // MARK: - Statements

  extension DerivedComputation {
    /// Locks the objects with some keys, and what a path leads to.
    ///
    /// Of a sum by a table of links it locks the `ends` that a save links: neither row says that
    /// another save has changed what is added.
    func locks(_ keys: [Int64], ends: [Int64]) -> [ServerStatement] {
      var found = ["\(rows(under: ofKeys)) ORDER BY 1 FOR NO KEY UPDATE OF t0"]
      if case .value = derivation.end {
        // One step after the other: where a path ends early, its last object is locked, too, and
        // what a statement has waited for is followed by the next.
        for step in derivation.steps.indices {
          let path = generator.path(Array(derivation.steps[...step]))
          found.append(
            rows(beside: ", LATERAL (SELECT 1 FROM \(path) FOR SHARE) AS s", under: ofKeys))
        }
      }
      let statements = found.map { ServerStatement("SELECT " + $0, [Parameter(keys: keys)]) }
      guard case .sum = derivation.end, mapping.join(of: derivation.steps[0]) != nil else {
        return statements
      }
      return statements + [names.locking(mapping.entities[end], ends, for: "SHARE")]
    }

    /// Reads key, number of the entity, present value, and a row for each value that it is made of.
    func question(_ keys: [Int64]) -> ServerStatement {
      let type = entity.typeColumn.map { "t0.\(quoted($0))" } ?? "NULL::int8"
      let present = carried("t0.\(quoted(column.name))", column.codec.serverType)
      return ServerStatement(
        "SELECT "
          + rows(
            ", \(type), \(present), s.v",
            beside: " LEFT JOIN LATERAL (\(source)) AS s ON TRUE", under: ofKeys)
          + " ORDER BY 1" + order,
        [Parameter(keys: keys)])
    }

    // A sum of fractions depends on the order.
    private var order: String {
      if case .sum(let property) = derivation.end, !isWhole(property) { return ", s.k" }
      return ""
    }

    /// The next keys of objects whose value a migration computes: all, but for those that have a
    /// moment.
    func next(after last: Int64, limit: Int) -> ServerStatement {
      var conditions = ["\(key) > $1"]
      if case .now = derivation.end { conditions.append("t0.\(quoted(column.name)) IS NULL") }
      return ServerStatement(
        "SELECT \(rows(under: conditions.joined(separator: " AND "))) ORDER BY 1 LIMIT \(limit)",
        [.integer(last)])
    }

    /// Writes values.
    func update(_ changed: [Changed]) -> ServerStatement {
      var set = ValueSet([("k", .integer64), ("c", column.codec.serverType)])
      for item in changed { set.append([.integer(item.value.object.key), item.stored]) }
      return ServerStatement(
        "UPDATE \(names.table(entity.table)) AS t SET \(quoted(column.name)) = \(set.value(1)) "
          + "FROM \(set.source) WHERE t.\(quoted(entity.keyColumn)) = n.k", set.parameters)
    }

    /// The end of a statement about the objects: their keys, and other columns.
    private func rows(
      _ columns: String = "", beside more: String = "", under condition: String
    ) -> String {
      let conditions = [condition] + generator.typeCondition(derivation)
      return "\(key)\(columns) FROM \(names.table(entity.table)) AS t0\(more) WHERE "
        + conditions.joined(separator: " AND ")
    }

    private func carried(_ column: String, _ type: ServerType?) -> String {
      type == .numeric ? "\(column)::text" : column
    }

    private var end: Int { derivation.steps.last?.destination ?? derivation.entity.index }

    private var source: String {
      switch derivation.end {
      case .now: return "SELECT NULL::int8 AS v"
      case .count: return "SELECT count(*) AS v FROM \(generator.members(of: derivation.steps[0]))"
      case .sum(let property):
        let members = generator.members(of: derivation.steps[0], withRows: true)
        let (key, value) = (quoted(mapping.entities[end].keyColumn), value(property, in: "m"))
        return isWhole(property)
          ? "SELECT coalesce(sum(\(value)), 0)::text AS v FROM \(members)"
          : "SELECT \(value) AS v, m.\(key) AS k FROM \(members)"
      case .value(let property, _):
        let value = value(property, in: "t\(derivation.steps.count)")
        guard !derivation.steps.isEmpty else { return "SELECT \(value) AS v" }
        return "SELECT \(value) AS v FROM \(generator.path(derivation.steps))"
      }
    }

    private func value(_ property: CompiledProperty, in row: String) -> String {
      carried("\(row).\(generator.column(property, of: end))", codec(property)?.serverType)
    }

    private func isWhole(_ property: CompiledProperty) -> Bool {
      property.attribute?.type.incrementType == .integer64
    }

    private func codec(_ property: CompiledProperty) -> ColumnCodec? {
      let entity = mapping.entities[end]
      return entity.column(ofProperty: property.index).map { entity.columns[$0].codec }
    }
  }

  // MARK: - Values

  extension DerivedComputation {
    /// What becomes of the objects of an answer to ``question(_:)``.
    func outcomes(_ result: ServerResult, _ now: Date) throws -> [Outcome] {
      var outcomes: [Outcome] = []
      var row = 0
      while row < result.count {
        let end = (row..<result.count).first { result.integer($0, 0) != result.integer(row, 0) }
        let group = row..<(end ?? result.count)
        outcomes.append(try outcome(result, group, now))
        row = group.upperBound
      }
      return outcomes
    }

    private func outcome(
      _ result: ServerResult, _ rows: Range<Int>, _ now: Date
    ) throws -> Outcome {
      let key = result.integer(rows.lowerBound, 0)
      let object = ObjectReference(entity: entity(result, rows.lowerBound), key: key)
      let value: AttributeValue?
      do { value = try self.value(result, rows, now) } catch is TooLarge {
        return .unfit(object, "is larger than a number can be")
      }
      let present = result.value(rows.lowerBound, 2, column.codec.serverType)
      guard let value else {
        guard !column.isRequired else { return .unfit(object, "has no value, but needs one") }
        return present == .null ? .same : changed(object, nil, .null)
      }
      guard let stored = column.codec.encode(value), let kept = column.codec.decode(stored) else {
        return .unfit(
          object, "would be \(value), and the column needs \(column.codec.expectation)")
      }
      return stored == present ? .same : changed(object, kept, stored)
    }

    private func changed(
      _ object: ObjectReference, _ value: AttributeValue?, _ stored: SQLValue
    ) -> Outcome {
      .changed(
        Changed(
          value: DerivedValue(object: object, property: derivation.property.index, value: value),
          stored: stored))
    }

    private func entity(_ result: ServerResult, _ row: Int) -> Int {
      guard result.cell(row, 1) != nil else { return derivation.entity.index }
      let number = result.integer(row, 1)
      return derivation.entity.subtree.first { mapping.entities[$0].number == number }
        ?? derivation.entity.index
    }

    /// A sum that no number can be.
    private struct TooLarge: Error {}

    private func value(
      _ result: ServerResult, _ rows: Range<Int>, _ now: Date
    ) throws -> AttributeValue? {
      let found: FetchValue
      switch derivation.end {
      case .now: return .date(now)
      case .count: found = .attribute(.integer(result.integer(rows.lowerBound, 3)))
      case .sum(let property) where isWhole(property):
        guard let sum = result.text(rows.lowerBound, 3).flatMap({ Int64($0) }) else {
          throw TooLarge()
        }
        found = .attribute(.integer(sum))
      case .sum(let property):
        let values = rows.map { value(of: property, result, $0) }
        do { found = try FetchValue.sum(of: values, property.attribute?.type ?? .undefined) } catch
        { throw TooLarge() }
      case .value(let property, let form):
        found = value(of: property, result, rows.lowerBound).formed(form)
      }
      let type = derivation.property.attribute?.type ?? .undefined
      guard case .attribute(let value) = found.stored(as: type == .float ? .double : type) else {
        return nil
      }
      return value
    }

    private func value(
      of property: CompiledProperty, _ result: ServerResult, _ row: Int
    ) -> FetchValue {
      guard let codec = codec(property),
        let value = codec.decode(result.value(row, 3, codec.serverType))
      else { return .null }
      return .attribute(value)
    }
  }
#endif
