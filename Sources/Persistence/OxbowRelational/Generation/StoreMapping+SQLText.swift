package import OxbowFoundation
package import OxbowModel
package import OxbowStore

// SQL of a program: names of the model become names of the store, values become parameters.

extension StoreMapping {
  /// One statement that reads, from a text of a program.
  ///
  /// The engine has still to be asked whether the statement only reads: `WITH` begins others, too.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidSQL`, and `unknownEntity` or
  ///   `unknownProperty` for names that the model does not have.
  package func reading(_ sql: SQLText, store: UUID) throws(PersistenceError) -> SQLFragment {
    var fragment = try self.fragment(sql, store: store)
    let scan = try checkedScan(fragment, sql)
    guard !scan.hasMore else {
      throw .invalidSQL("it is more than one statement; run them one by one", sql)
    }
    guard dialect.mayRead(scan.words) else { throw .sqlWrites(scan.words.first, sql) }
    if let end = scan.end { fragment.text = String(fragment.text[..<end]) }
    return fragment
  }

  /// A condition about a row, from a text of a program; columns of the row's table are those of the
  /// row.
  func condition(
    _ sql: SQLText, on row: TableScope.JoinedTable, store: UUID
  ) throws(PersistenceError) -> SQLFragment {
    let fragment = try fragment(sql, on: row, store: store)
    let scan = try checkedScan(fragment, sql)
    guard scan.end == nil, !scan.isUnbalanced else {
      throw .invalidSQL(
        "a condition is one expression, with as many parentheses closed as opened and without ';'",
        sql)
    }
    // A comment may end at the end of the line only.
    return "(" + fragment + (fragment.text.mentions("--") ? "\n)" : ")")
  }

  /// The same about a row of an entity, whose table has an alias.
  package func condition(
    _ sql: SQLText, on entity: CompiledEntity, _ alias: String, store: UUID
  ) throws(PersistenceError) -> SQLFragment {
    let row = TableScope.JoinedTable(
      entity: entity, mapping: entities[entity.index], alias: alias)
    return try condition(sql, on: row, store: store)
  }

  private func checkedScan(
    _ fragment: SQLFragment, _ sql: SQLText
  ) throws(PersistenceError) -> SQLScan {
    let scan = dialect.scan(fragment.text)
    if let quote = scan.openQuote { throw .invalidSQL("a '\(quote)' in it does not end", sql) }
    if let name = scan.namedParameter {
      throw .invalidSQL(
        "it has the parameter '\(name)', and parameters have neither number nor name: write '?', or "
          + "put the value into the text as an interpolation", sql)
    }
    guard !scan.words.isEmpty || scan.parameters > 0 else { throw .invalidSQL("it is empty", sql) }
    guard fragment.values.count <= dialect.capability.parameters else {
      throw .invalidSQL(
        "it has \(fragment.values.count) values, and a statement takes up to "
          + "\(dialect.capability.parameters); ask in parts", sql)
    }
    guard scan.parameters == fragment.values.count else {
      throw .invalidSQL(
        "it has \(scan.parameters) parameters, and the number of values is "
          + "\(fragment.values.count)", sql)
    }
    return scan
  }

  private func fragment(
    _ sql: SQLText, on row: TableScope.JoinedTable? = nil, store: UUID
  ) throws(PersistenceError) -> SQLFragment {
    var result = SQLFragment()
    for part in sql.parts { result = try appending(part, to: result, sql, row, store) }
    guard !sql.arguments.isEmpty else { return result }
    guard result.values.isEmpty else {
      throw .invalidSQL(
        "it has values as interpolations and as arguments; use one of both", sql)
    }
    for value in sql.arguments { result.values.append(try self.value(value, sql, store)) }
    return result
  }

  private func appending(
    _ part: SQLText.Part, to result: SQLFragment, _ sql: SQLText, _ row: TableScope.JoinedTable?,
    _ store: UUID
  ) throws(PersistenceError) -> SQLFragment {
    switch part {
    case .text(let text): return result + text
    case .value(let value): return result + .value(try self.value(value, sql, store))
    case .list(let values):
      var list: [SQLValue] = []
      for value in values { list.append(try self.value(value, sql, store)) }
      guard !list.isEmpty || dialect.hasEmptyLists else {
        throw .invalidSQL("it has a list without elements, which the server does not know", sql)
      }
      return result + "(" + (list.isEmpty ? SQLFragment() : dialect.list(list)) + ")"
    case .table(let entity): return result + quoted(try table(of: entity).table)
    case .column(let entity, let property):
      let mapping = try table(of: entity)
      let column = try column(property, of: entity, mapping, sql)
      return result + alias(of: mapping, row, after: result) + quoted(column)
    case .key(let entity):
      let mapping = try table(of: entity)
      return result + alias(of: mapping, row, after: result) + quoted(mapping.keyColumn)
    case .isKind(let entity, let name):
      let mapping = try table(of: entity)
      let shape = RowShape(
        of: model.entities[mapping.entity], includesSubentities: true, in: self)
      let alias = name.map(quoted) ?? rowAlias(of: mapping, row) ?? quoted(mapping.table)
      let condition = typeCondition(shape, alias: alias)
      guard shape.entities.isEmpty || condition.isEmpty else { return result + condition }
      return result + dialect.truth(!shape.entities.isEmpty)
    case .problem(let problem): throw .invalidSQL(problem, sql)
    }
  }

  /// What comes before a column: the alias of the row, unless the text names one.
  private func alias(
    of mapping: EntityMapping, _ row: TableScope.JoinedTable?, after text: SQLFragment
  ) -> String {
    guard !text.text.hasSuffix("."), let alias = rowAlias(of: mapping, row) else { return "" }
    return alias + "."
  }

  private func rowAlias(of mapping: EntityMapping, _ row: TableScope.JoinedTable?) -> String? {
    row?.mapping.table == mapping.table ? row?.alias : nil
  }

  private func table(of entity: String) throws(PersistenceError) -> EntityMapping {
    entities[try model.requireEntity(named: entity).index]
  }

  private func column(
    _ name: String, of entity: String, _ mapping: EntityMapping, _ sql: SQLText
  ) throws(PersistenceError) -> String {
    let property = try model.entities[mapping.entity].requireProperty(named: name)
    if let column = mapping.column(ofProperty: property.index) {
      return mapping.columns[column].name
    }
    throw .invalidSQL(
      "'\(name)' of '\(entity)' has no column: "
        + (property.relationship == nil ? "it is not stored" : "it leads to many objects"), sql)
  }

  private func value(
    _ value: FetchValue, _ sql: SQLText, _ store: UUID
  ) throws(PersistenceError) -> SQLValue {
    switch value {
    case .null: return .null
    case .attribute(let attribute): return PredicateTranslator.encode(attribute, for: nil).1
    case .object(let id):
      guard id.store == store else {
        throw .invalidSQL("the object '\(id)' in it belongs to another store", sql)
      }
      return .integer(id.key)
    }
  }
}

extension EntityMapping {
  /// The place of the key among the columns that a statement gives.
  package func keyPlace(among names: [String], _ sql: SQLText) throws(PersistenceError) -> Int {
    let places = names.indices.filter { names[$0].lowercased() == keyColumn.lowercased() }
    guard places.count < 2 else {
      throw .invalidSQL(
        "objects are found by the column '\(keyColumn)', and it gives \(places.count) of this name; "
          + "give one of them another name with AS", sql)
    }
    if let place = places.first { return place }
    throw .invalidSQL(
      "objects are found by the column '\(keyColumn)', and it gives "
        + "\(PersistenceError.listed(names)); add \"\\(keyOf: ….self)\" to what it selects", sql)
  }
}

extension SQLValue {
  /// The key that a statement gives.
  package func key(in sql: SQLText) throws(PersistenceError) -> Int64 {
    guard case .integer(let key) = self else {
      throw .invalidSQL("it gives \(typeName) where the key of an object was expected", sql)
    }
    return key
  }
}

extension CompiledModel {
  /// Checks that each key that a statement gives is that of a row.
  package func requireAll(
    _ keys: [Int64], in slabs: [RowSlab], of entity: Int, _ sql: SQLText
  ) throws(PersistenceError) {
    var found: Set<Int64> = []
    for slab in slabs { for row in 0..<slab.count { found.insert(slab._key(row)) } }
    guard let missing = keys.first(where: { !found.contains($0) }) else { return }
    let name = entities[entity].name
    throw .invalidSQL(
      "it gives the key \(missing), which no object of '\(name)' has; select from the table of "
        + "'\(name)', and where the table has other entities as well, only what \"\\(isKindOf: "
        + "….self)\" holds for", sql)
  }
}

extension PredicateTranslator {
  /// A condition in SQL about the object of the present select.
  func sql(_ sql: SQLText) throws(PersistenceError) -> SQLFragment {
    try mapping.condition(sql, on: scope.root, store: store)
  }
}

extension PersistenceError {
  /// SQL that cannot be answered, and why.
  package static func invalidSQL(
    _ reason: String, _ sql: SQLText, nearNames: [String] = []
  ) -> PersistenceError {
    PersistenceError(
      .invalidSQL, "the SQL cannot be answered: \(reason)", nearNames: nearNames,
      details: [Detail(label: "statement", text: "\(sql)")])
  }

  /// A statement that does more than read.
  package static func sqlWrites(_ word: String?, _ sql: SQLText) -> PersistenceError {
    let seen = word.map { ", and this one begins with \($0)" } ?? ""
    return .invalidSQL(
      "only statements that read are possible\(seen); write with objects and `save()`, and change "
        + "tables with a migration", sql)
  }
}
