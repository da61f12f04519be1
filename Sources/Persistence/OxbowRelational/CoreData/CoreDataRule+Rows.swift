internal import OxbowModel

extension CoreDataRule {
  /// The rules of rows: keys, entities, versions, values.
  static func ofRows(_ mapping: StoreMapping) -> [CoreDataRule] {
    mapping.model.entities.flatMap { entity -> [CoreDataRule] in
      guard !mapping.entities[entity.index].table.isEmpty else { return [] }
      let own = mapping.entities[entity.index].columns.filter {
        entity.properties[$0.property].declaringEntity == entity.index
      }
      return (entity.root == entity.index ? heads(of: entity, mapping) : [])
        + own.flatMap { column -> [CoreDataRule] in
          let property = entity.properties[column.property]
          return strays(column, entity, mapping)
            + (property.attribute.map { values(column, $0, entity, mapping) } ?? [])
        }
    } + counts(mapping)
  }

  /// What every row of a table has.
  private static func heads(of root: CompiledEntity, _ mapping: StoreMapping) -> [CoreDataRule] {
    let table = mapping.entities[root.index]
    let rows = "SELECT Z_PK FROM \(quoted(table.table)) WHERE "
    let known = mapping.numbers(root.subtree)
    let abstract = root.subtree.filter { mapping.model.entities[$0].isAbstract }
    let last = "(SELECT max(Z_PK) FROM \(quoted(table.table)))"
    return [
      damage(
        table.table, "Z_ENT or Z_OPT is not a whole number",
        rows + "typeof(Z_ENT) <> 'integer' OR typeof(Z_OPT) <> 'integer'"),
      damage(table.table, "the key is below 1", rows + "Z_PK < 1"),
      damage(table.table, "the version is below 1", rows + "Z_OPT < 1"),
      table.typeColumn == nil
        ? leftover(
          table.table, "the number of another entity, at which Core Data does not look",
          rows + "Z_ENT NOT IN \(known)")
        : damage(
          table.table, "the number of no entity of the table", rows + "Z_ENT NOT IN \(known)"),
      damage(
        table.table, "an object of an abstract entity",
        rows + "Z_ENT IN \(mapping.numbers(abstract))"),
      leftover(
        "Z_PRIMARYKEY.Z_MAX", "behind the largest key of '\(table.table)'",
        "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT = \(table.number) AND ifnull(Z_MAX, 0) < \(last)"
      ),
    ]
  }

  /// Values in a column that other entities of the table do not have.
  private static func strays(
    _ column: MappedColumn, _ entity: CompiledEntity, _ mapping: StoreMapping
  ) -> [CoreDataRule] {
    let table = mapping.entities[entity.index]
    guard entity.index != entity.root, [.attribute, .key].contains(column.role) else { return [] }
    return [
      leftover(
        "\(table.table).\(column.name)", "set in rows of other entities, where it is not read",
        "SELECT Z_PK FROM \(quoted(table.table)) WHERE \(quoted(column.name)) IS NOT NULL "
          + "AND Z_ENT NOT IN \(mapping.numbers(entity.subtree))")
    ]
  }
}

// MARK: - Values

extension CoreDataRule {
  private static func values(
    _ column: MappedColumn, _ attribute: AttributeDescription, _ entity: CompiledEntity,
    _ mapping: StoreMapping
  ) -> [CoreDataRule] {
    let subject = "\(mapping.entities[entity.index].table).\(column.name)"
    let cell = "r.\(quoted(column.name))"
    func rule(_ problem: String, _ condition: String) -> CoreDataRule {
      damage(subject, problem, mapping.rows(of: entity, where: condition))
    }
    let types = attribute.type.typesInCoreData
    let typed =
      "typeof(\(cell)) NOT IN ('null', \(types.map { "'\($0)'" }.joined(separator: ", ")))"
    let isNaN = attribute.type == .decimal ? " AND \(cell) IS NOT 'NaN'" : ""
    var rules = [rule("not of type \(types.joined(separator: " or "))", typed + isNaN)]
    if attribute.type == .decimal {
      rules.append(
        leftover(
          subject, "not a number (NaN), which cannot be read",
          mapping.rows(of: entity, where: "\(cell) IS 'NaN'")))
    }
    if let range = range(of: attribute.type, cell) { rules.append(rule(range.0, range.1)) }
    if column.codec == .taggedBlob {
      rules.append(rule("a large value without its tag", isUntagged(cell)))
    }
    if column.isRequired, attribute.derivation == nil {
      rules.append(
        leftover(
          subject, "null where the model needs a value",
          mapping.rows(of: entity, where: "\(cell) IS NULL")))
    }
    return rules
  }

  /// What is outside the values of a type.
  private static func range(of type: AttributeType, _ cell: String) -> (String, String)? {
    switch type {
    case .integer16: ("more than 16 bits", "\(cell) NOT BETWEEN -32768 AND 32767")
    case .integer32: ("more than 32 bits", "\(cell) NOT BETWEEN -2147483648 AND 2147483647")
    case .boolean: ("neither 0 nor 1", "\(cell) NOT IN (0, 1)")
    case .uuid: ("a UUID of other than 16 bytes", "length(\(cell)) <> 16")
    case .float: ("not a number of 32 bits", "NOT \(isSingle)(\(cell))")
    default: nil
    }
  }

  private static func isUntagged(_ cell: String) -> String {
    let name = "CAST(substr(\(cell), 2, 36) AS TEXT)"
    return "length(\(cell)) > 0 AND substr(\(cell), 1, 1) <> x'0\(TaggedCell.inlineTag)' AND NOT "
      + "(substr(\(cell), 1, 1) = x'0\(TaggedCell.fileTag)' AND length(\(cell)) = 38 "
      + "AND substr(\(cell), 38) = x'00' AND \(name) NOT GLOB '*[^0-9A-F-]*')"
  }

  /// The counts that triggers keep.
  private static func counts(_ mapping: StoreMapping) -> [CoreDataRule] {
    mapping.model.derivations.flatMap { derivation -> [CoreDataRule] in
      let (entity, name) = (derivation.entity, derivation.property.name)
      let table = mapping.entities[entity.index]
      guard !table.table.isEmpty,
        let column = table.column(ofProperty: derivation.property.index).map({ table.columns[$0] })
      else { return [] }
      let subject = "\(table.table).\(column.name)"
      let untriggered = leftover(
        subject, "derived, and no trigger keeps it",
        "SELECT '\(entity.name)' WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema "
          + "WHERE type = 'trigger' AND instr(name, '_\(name)_') > 0)")
      guard case .count = derivation.end, let members = derivation.steps.first,
        let end = mapping.members(of: members)
      else { return [untriggered] }
      let count =
        "(SELECT count(*) FROM \(quoted(end.table)) AS x WHERE x.\(quoted(end.column)) = r.Z_PK)"
      return [
        untriggered,
        damage(
          subject, "not the number of '\(members.name)'",
          mapping.rows(of: entity, where: "r.\(quoted(column.name)) IS NOT \(count)")),
      ]
    }
  }
}

extension StoreMapping {
  /// The table whose rows are the members of a to-many relationship, and the column of its owner.
  func members(of relationship: CompiledRelationship) -> (
    table: String, column: String
  )? {
    if let end = join(of: relationship) { return (end.table, end.column) }
    guard let inverse = model.inverse(of: relationship) else { return nil }
    let table = entities[inverse.entity]
    return table.column(ofProperty: inverse.property).map { (table.table, table.columns[$0].name) }
  }
}

extension AttributeType {
  /// The types that SQLite has for the values.
  fileprivate var typesInCoreData: [String] {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: ["integer"]
    case .double, .float, .date, .decimal: ["integer", "real"]
    case .string, .uri: ["text"]
    case .binaryData, .uuid, .transformable, .undefined, .composite, .objectID: ["blob"]
    }
  }
}
