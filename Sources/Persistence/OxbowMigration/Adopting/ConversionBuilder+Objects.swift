internal import OxbowModel
internal import OxbowRelational

extension ConversionBuilder {
  struct Filling {
    let objects: ForeignMatch.Objects
    var rows: ForeignRows
  }

  mutating func add(_ objects: ForeignMatch.Objects) {
    let (table, entity) = (objects.table, objects.entity)
    let own = mapping.entities[entity.index]
    var filling = Filling(objects: objects, rows: ForeignRows(table))
    guard let key = filling.rows.key,
      let target = mapping.tables.first(where: { $0.name == own.table })
    else {
      return refuse("the table '\(table.name)' has columns with the names of all keys of SQLite")
    }
    if !table.isWithoutRowID {
      check(
        filling.rows.countImpossible(key),
        "rows of '\(table.name)' whose key is below 1 or the largest number",
        advice: "give them other keys with the tool that made them")
    }
    filling.rows.fill(own.keyColumn, key)
    filling.rows.fill(own.versionColumn, "1")
    if let type = own.typeColumn { filling.rows.fill(type, "\(own.number)") }
    for column in own.columns { add(column, to: &filling) }
    addUniqueness(filling)
    fills.append(
      TableConversion.Fill(
        table: target, columns: filling.rows.columns, select: filling.rows.select,
        count: filling.rows.count,
        lastKey: table.lastKey.map { .init(root: mapping.entities[own.root].number, key: $0) }))
  }

  mutating func add(_ column: MappedColumn, to filling: inout Filling) {
    let property = filling.objects.entity.properties[column.property]
    switch column.role {
    case .attribute:
      if let attribute = property.attribute { add(attribute, column, to: &filling) }
    case .key:
      if let relationship = property.relationship { add(relationship, column, to: &filling) }
    // They are added with the key.
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
        filling.rows.fill(target.name, value.literal)
      } else if target.isRequired, table.rows > 0 {
        refuse(
          "\(name) is required and has no default value, and no column of '\(table.name)' is it; say "
            + "which one (--map \(table.name).COLUMN=\(entity.name).\(attribute.name)), or make it "
            + "optional")
      }
      return
    }
    let old = filling.rows.column(source)
    let new = values.text(old, as: attribute.type)
    check(
      filling.rows.count(losing: old, as: new),
      "values of '\(table.name).\(source)' that are not of type \(attribute.type.rawValue) for \(name)",
      advice: "change them with the tool that made them, or the attribute's type")
    if target.isRequired { requireValues(in: source, of: filling.rows, name) }
    filling.rows.fill(target.name, new)
  }

  mutating func requireValues(in column: String, of rows: ForeignRows, _ property: String) {
    check(
      rows.count(without: rows.column(column)),
      "rows of '\(rows.table.name)' without a value in '\(column)' for \(property), which is required",
      advice: "give them one with the tool that made them, or make it optional")
  }
}

// MARK: - Uniqueness

extension ConversionBuilder {
  mutating func addUniqueness(_ filling: Filling) {
    let (table, entity) = (filling.objects.table, filling.objects.entity)
    let own = mapping.entities[entity.index]
    for constraint in constraints(of: entity) {
      let values = constraint.compactMap { name -> String? in
        entity.property(named: name).flatMap { own.column(ofProperty: $0.index) }
          .flatMap { filling.rows.value(of: own.columns[$0].name) }
      }
      guard values.count == constraint.count else { continue }
      check(
        filling.rows.countRepeated(values),
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
