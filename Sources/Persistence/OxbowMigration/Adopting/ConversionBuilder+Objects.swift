internal import OxbowModel
internal import OxbowRelational

extension ConversionBuilder {
  /// What is known of one table while its columns are gone through.
  struct Filling {
    let objects: ForeignMatch.Objects
    var sources: [(column: String, value: String)] = []
    var joins = ""
  }

  mutating func add(_ objects: ForeignMatch.Objects) {
    let (table, entity) = (objects.table, objects.entity)
    let own = mapping.entities[entity.index]
    guard let key = key(of: table, "t"),
      let target = mapping.tables.first(where: { $0.name == own.table })
    else {
      return refuse("the table '\(table.name)' has columns with the names of all keys of SQLite")
    }
    if !table.isWithoutRowID {
      check(
        count(
          table,
          where: "\(key) < \(RowHeaderCheck.keys.lowerBound) OR \(key) > "
            + "\(RowHeaderCheck.keys.upperBound)"),
        "rows of '\(table.name)' whose key is below 1 or the largest number",
        advice: "give them other keys with the tool that made them")
    }
    var filling = Filling(objects: objects)
    filling.sources = [(own.keyColumn, key), (own.versionColumn, "1")]
    if let type = own.typeColumn { filling.sources.append((type, "\(own.number)")) }
    for column in own.columns { add(column, to: &filling) }
    addUniqueness(filling)
    fills.append(
      TableConversion.Fill(
        table: target, columns: filling.sources.map(\.column),
        select: "SELECT \(filling.sources.map(\.value).joined(separator: ", ")) FROM "
          + "\(quoted(table.name)) AS \"t\"\(filling.joins)",
        count: "SELECT count(*) FROM \(quoted(table.name))",
        lastKey: table.lastKey.map { .init(root: mapping.entities[own.root].number, key: $0) }))
  }

  mutating func add(_ column: MappedColumn, to filling: inout Filling) {
    let property = filling.objects.entity.properties[column.property]
    switch column.role {
    case .attribute:
      if let attribute = property.attribute { add(attribute, column, to: &filling) }
    case .key:
      if let relationship = property.relationship { add(relationship, column, to: &filling) }
    // They come with the key.
    case .entity, .position: break
    }
  }

  mutating func add(
    _ attribute: AttributeDescription, _ target: MappedColumn, to filling: inout Filling
  ) {
    let (table, entity) = (filling.objects.table, filling.objects.entity)
    let name = "'\(entity.name).\(attribute.name)'"
    guard let source = filling.objects.columns[target.property] else {
      guard attribute.derivation == nil else { return }
      if let value = attribute.defaultValue.flatMap({ target.codec.encode($0) }) {
        filling.sources.append((target.name, value.literal))
      } else if target.isRequired, table.rows > 0 {
        refuse(
          "\(name) is required and has no default value, and no column of '\(table.name)' is it; say "
            + "which one (--map \(table.name).COLUMN=\(entity.name).\(attribute.name)), or make it "
            + "optional")
      }
      return
    }
    let old = column("t", source)
    let new = values.text(old, as: attribute.type)
    check(
      count(table, where: "\(old) IS NOT NULL AND \(new) IS NULL"),
      "values of '\(table.name).\(source)' that are not of type \(attribute.type.rawValue) for \(name)",
      advice: "change them with the tool that made them, or the attribute's type")
    if target.isRequired { requireValues(of: old, source, in: table, name) }
    filling.sources.append((target.name, new))
  }

  mutating func requireValues(
    of value: String, _ column: String, in table: ForeignSchema.Table, _ property: String
  ) {
    check(
      count(table, where: "\(value) IS NULL"),
      "rows of '\(table.name)' without a value in '\(column)' for \(property), which is required",
      advice: "give them one with the tool that made them, or make it optional")
  }
}

// MARK: - Uniqueness

extension ConversionBuilder {
  mutating func addUniqueness(_ filling: Filling) {
    let (table, entity) = (filling.objects.table, filling.objects.entity)
    let sources = Dictionary(filling.sources.map { ($0.column, $0.value) }) { first, _ in first }
    let own = mapping.entities[entity.index]
    for constraint in constraints(of: entity) {
      let columns = constraint.compactMap { name -> String? in
        entity.property(named: name).flatMap { own.column(ofProperty: $0.index) }
          .flatMap { sources[own.columns[$0].name] }
      }
      guard columns.count == constraint.count else { continue }
      let names = columns.indices.map { "\"c\($0)\"" }
      let list = zip(columns, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
      check(
        "SELECT count(*) FROM (SELECT 1 FROM (SELECT \(list) FROM \(quoted(table.name)) AS \"t\""
          + "\(filling.joins)) WHERE \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) "
          + "GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1)",
        "values of '\(entity.name)' (\(constraint.joined(separator: ", "))) that several rows of "
          + "'\(table.name)' have, though they are unique",
        advice: "mend the rows, or take the constraint out of the model")
    }
  }

  private func constraints(of entity: CompiledEntity) -> [[String]] {
    entity.description.uniquenessConstraints
      + (entity.parent.map { constraints(of: model.entities[$0]) } ?? [])
  }
}
