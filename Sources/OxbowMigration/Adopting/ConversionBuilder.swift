internal import OxbowModel
internal import OxbowSQL

/// Makes the statements that fill a store's tables from those of another tool, and those that find
/// the rows for which that is not possible.
struct ConversionBuilder {
  let schema: ForeignSchema
  let mapping: StoreMapping
  let values: ForeignValues
  let match: ForeignMatch

  private(set) var fills: [TableConversion.Fill] = []
  private(set) var checks: [DataCheck] = []
  private(set) var losses: [ForeignLoss] = []
  private(set) var problems: [String]

  init(
    _ schema: ForeignSchema, _ mapping: StoreMapping, _ values: ForeignValues, _ map: ForeignMap
  ) {
    self.schema = schema
    self.mapping = mapping
    self.values = values
    match = ForeignMatcher.match(schema, mapping, map)
    problems = match.problems
    for objects in match.objects { add(objects) }
    for links in match.links { add(links) }
    addLosses()
  }

  var model: CompiledModel { mapping.model }

  /// The conversion; only without ``problems``.
  var conversion: TableConversion {
    let filled = Set(fills.map(\.table.name))
    return TableConversion(
      fills: fills, emptyTables: mapping.tables.filter { !filled.contains($0.name) },
      removals: removals)
  }

  /// Views and triggers first: they refer to tables. A module removes its own tables.
  private var removals: [String] {
    let tables = schema.tables.filter { $0.kind != .shadow }
    let virtual = tables.filter { $0.kind == .virtual } + tables.filter { $0.kind != .virtual }
    return schema.parts.map { "DROP \($0.type.uppercased()) \(quoted($0.name))" }
      + virtual.map { "DROP TABLE \(quoted($0.name))" }
  }

  private mutating func refuse(_ problem: String) { problems.append(problem) }

  private mutating func check(_ statement: String, _ subject: String, advice: String) {
    checks.append(DataCheck(.counted(by: statement), .init(subject, advice: advice)))
  }

  private mutating func lose(
    _ kind: ForeignLoss.Kind, _ subject: String, _ statement: String? = nil
  ) {
    losses.append(
      ForeignLoss(
        kind: kind, subject: subject, condition: statement.map { .counted(by: $0) }))
  }
}

/// What has no target in a model.
package struct ForeignLoss: Sendable {
  /// What kind of thing it is.
  package enum Kind: String, Sendable, Encodable {
    case values, rows, links, table, index, view, trigger
  }

  package let kind: Kind
  package let subject: String

  /// What counts it; `nil` for what is one thing.
  let condition: DataCheck.Condition?

  /// How many there are.
  package var count = 1
}

// MARK: - Names in statements

extension ConversionBuilder {
  /// A column of a table under a short name.
  private func column(_ alias: String, _ name: String) -> String { "\"\(alias)\".\(quoted(name))" }

  /// The number of a row: the key of its object.
  private func key(of table: ForeignSchema.Table, _ alias: String) -> String? {
    if let name = table.keyColumn { return column(alias, name) }
    if table.isWithoutRowID {
      let order = table.primaryKey.map { column(alias, $0) }.joined(separator: ", ")
      return "row_number() OVER (ORDER BY \(order))"
    }
    let name = ["rowid", "_rowid_", "oid"].first { table.column($0) == nil }
    return name.map { "\"\(alias)\".\($0)" }
  }

  /// Where a column of keys leads, or `nil` with a problem.
  private mutating func foreignKey(
    _ name: String, of table: ForeignSchema.Table, to destination: CompiledEntity
  ) -> ForeignKey? {
    let reference = table.reference(of: name)
    let parent =
      reference.map { match.objects(of: $0.table) }
      ?? match.objects.first { $0.entity.isKind(of: destination) }
    guard let parent, parent.entity.isKind(of: destination) else {
      refuse(
        "the column '\(table.name).\(name)' has keys of "
          + (reference.map { "the table '\($0.table)', which" } ?? "a table that")
          + " does not become the entity '\(destination.name)'")
      return nil
    }
    let keys = reference.keys(in: parent.table)
    guard keys.count == 1 else {
      refuse(
        "the column '\(table.name).\(name)' refers to '\(parent.table.name)', whose primary key has "
          + "\(keys.count) columns; give that table an INTEGER PRIMARY KEY with the tool that made it"
      )
      return nil
    }
    guard let key = parent.table.column(keys[0]) else {
      refuse(
        "the column '\(table.name).\(name)' refers to '\(parent.table.name).\(keys[0])', which is not "
          + "there; mend the foreign key with the tool that made it")
      return nil
    }
    guard !parent.table.isWithoutRowID else {
      refuse(
        "the column '\(table.name).\(name)' refers to '\(parent.table.name)', which is WITHOUT ROWID "
          + "and has no numbers for its rows; make it a table with an INTEGER PRIMARY KEY with the "
          + "tool that made it")
      return nil
    }
    return ForeignKey(parent: parent, key: key.name)
  }

  /// The key of the object that a column leads to; NULL where there is none.
  private func lookup(_ value: String, _ foreignKey: ForeignKey) -> String {
    let table = foreignKey.parent.table
    let key = key(of: table, "p") ?? "NULL"
    return "(SELECT \(key) FROM \(quoted(table.name)) AS \"p\" WHERE "
      + "\(column("p", foreignKey.key)) = \(value))"
  }

  private func count(_ table: ForeignSchema.Table, where condition: String) -> String {
    "SELECT count(*) FROM \(quoted(table.name)) AS \"t\" WHERE \(condition)"
  }
}

// MARK: - Tables of objects

extension ConversionBuilder {
  /// What is known of one table while its columns are gone through.
  private struct Filling {
    let objects: ForeignMatch.Objects
    var sources: [(column: String, value: String)] = []
    var joins = ""
  }

  private mutating func add(_ objects: ForeignMatch.Objects) {
    let (table, entity) = (objects.table, objects.entity)
    let own = mapping.entities[entity.index]
    guard let key = key(of: table, "t"),
      let target = mapping.tables.first(where: { $0.name == own.table })
    else {
      return refuse("the table '\(table.name)' has columns with the names of all keys of SQLite")
    }
    if !table.isWithoutRowID {
      check(
        count(table, where: "\(key) < 1"), "rows of '\(table.name)' whose key is below 1",
        advice: "give them other keys")
    }
    var filling = Filling(objects: objects)
    filling.sources = [(own.keyColumn, key), (own.versionColumn, "1")]
    if let type = own.typeColumn { filling.sources.append((type, "\(own.number)")) }
    for column in own.columns { add(column, key: key, to: &filling) }
    addUniqueness(filling)
    fills.append(
      TableConversion.Fill(
        table: target, columns: filling.sources.map(\.column),
        select: "SELECT \(filling.sources.map(\.value).joined(separator: ", ")) FROM "
          + "\(quoted(table.name)) AS \"t\"\(filling.joins)",
        count: "SELECT count(*) FROM \(quoted(table.name))",
        lastKey: table.lastKey.map { .init(root: mapping.entities[own.root].number, key: $0) }))
  }

  private mutating func add(_ column: MappedColumn, key: String, to filling: inout Filling) {
    let property = filling.objects.entity.properties[column.property]
    switch column.role {
    case .attribute:
      if let attribute = property.attribute { add(attribute, column, to: &filling) }
    case .key:
      if let relationship = property.relationship { add(relationship, column, key, to: &filling) }
    // They come with the key.
    case .entity, .position: break
    }
  }

  private mutating func add(
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
      "values of '\(table.name).\(source)' that are no \(attribute.type.rawValue) for \(name)",
      advice: "change them with the tool that made them, or the attribute's type")
    if target.isRequired { requireValues(of: old, source, in: table, name) }
    filling.sources.append((target.name, new))
  }

  private mutating func requireValues(
    of value: String, _ column: String, in table: ForeignSchema.Table, _ property: String
  ) {
    check(
      count(table, where: "\(value) IS NULL"),
      "rows of '\(table.name)' without a value in '\(column)' for \(property), which is required",
      advice: "give them one with the tool that made them, or make it optional")
  }
}

// MARK: - Relationships with keys

extension ConversionBuilder {
  private mutating func add(
    _ relationship: CompiledRelationship, _ target: MappedColumn, _ key: String,
    to filling: inout Filling
  ) {
    let (table, entity) = (filling.objects.table, filling.objects.entity)
    let destination = model.entities[relationship.destination]
    let name = "'\(entity.name).\(relationship.name)'"
    guard let source = filling.objects.columns[target.property] else {
      return addFromInverse(of: relationship, target, key, to: &filling)
    }
    guard let foreignKey = foreignKey(source, of: table, to: destination) else { return }
    let old = column("t", source)
    let new = lookup(old, foreignKey)
    check(
      count(table, where: "\(old) IS NOT NULL AND \(new) IS NULL"),
      "rows of '\(table.name)' whose '\(source)' leads to no row of '\(foreignKey.parent.table.name)'",
      advice: "mend or remove them with the tool that made them")
    if target.isRequired { requireValues(of: old, source, in: table, name) }
    if relationship.isOneToOne {
      check(
        "SELECT count(*) FROM (SELECT 1 FROM \(quoted(table.name)) AS \"t\" WHERE \(old) IS NOT NULL "
          + "GROUP BY \(old) HAVING count(*) > 1)",
        "rows of '\(foreignKey.parent.table.name)' that several rows of '\(table.name)' refer to, "
          + "though \(name) is one to one",
        advice: "make the other end to-many in the model, or mend the rows")
    }
    filling.sources.append((target.name, new))
    addBeside(relationship, new, key, foreignKey.parent.entity, to: &filling)
  }

  /// The other end of a relationship of one to one has the key, and this one gets it too.
  private mutating func addFromInverse(
    of relationship: CompiledRelationship, _ target: MappedColumn, _ key: String,
    to filling: inout Filling
  ) {
    let (table, entity) = (filling.objects.table, filling.objects.entity)
    let other = model.inverse(of: relationship).flatMap { inverse -> ForeignMatch.Objects? in
      guard relationship.isOneToOne else { return nil }
      return match.objects.first {
        $0.columns[inverse.property] != nil && $0.entity.isKind(of: model.entities[inverse.entity])
      }
    }
    guard let other, let inverse = model.inverse(of: relationship),
      let source = other.columns[inverse.property]
    else {
      if target.isRequired, table.rows > 0 {
        refuse(
          "'\(entity.name).\(relationship.name)' is required, and no column of '\(table.name)' is it; "
            + "say which one (--map \(table.name).COLUMN=\(entity.name).\(relationship.name)), or "
            + "make it optional")
      }
      return
    }
    // The other table says what is wrong with the reference.
    guard let keyOfOther = self.key(of: other.table, "o"),
      let own = other.table.reference(of: source).keys(in: table).first,
      table.column(own) != nil
    else { return }
    filling.joins +=
      " LEFT JOIN \(quoted(other.table.name)) AS \"o\" ON \(column("o", source)) = "
      + column("t", own)
    filling.sources.append((target.name, keyOfOther))
    addBeside(relationship, keyOfOther, key, other.entity, to: &filling)
    guard target.isRequired else { return }
    check(
      count(
        table,
        where: "NOT EXISTS (SELECT 1 FROM \(quoted(other.table.name)) AS \"o\" WHERE "
          + "\(column("o", source)) = \(column("t", own)))"),
      "rows of '\(table.name)' that no row of '\(other.table.name)' refers to, though "
        + "'\(entity.name).\(relationship.name)' is required",
      advice: "make it optional, or mend the rows")
  }

  /// The entity of the object that a key leads to, and the place in its order.
  private func addBeside(
    _ relationship: CompiledRelationship, _ value: String, _ key: String, _ entity: CompiledEntity,
    to filling: inout Filling
  ) {
    let own = mapping.entities[filling.objects.entity.index]
    if let index = own.column(.entity, ofProperty: relationship.property) {
      let number = mapping.entities[entity.index].number
      filling.sources.append(
        (own.columns[index].name, "CASE WHEN \(value) IS NOT NULL THEN \(number) END"))
    }
    if let index = own.column(.position, ofProperty: relationship.property) {
      filling.sources.append((own.columns[index].name, positions(of: value, orderedBy: key)))
    }
  }
}

// MARK: - Uniqueness

extension ConversionBuilder {
  private mutating func addUniqueness(_ filling: Filling) {
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

// MARK: - Links

extension ConversionBuilder {
  private mutating func add(_ links: ForeignMatch.Links) {
    let table = links.table
    guard let join = mapping.joins[links.relationship.id],
      let target = mapping.tables.first(where: { $0.name == join.table }),
      let owner = end(links.ownerColumn, links.relationship.entity, links),
      let member = end(links.memberColumn, links.relationship.destination, links)
    else { return }
    let (ownerKey, memberKey) = (column("t", links.ownerColumn), column("t", links.memberColumn))
    let isWhole = "\(ownerKey) IS NOT NULL AND \(memberKey) IS NOT NULL"
    let distinct =
      "(SELECT \(owner) AS \"o\", \(member) AS \"m\", min(\(order(of: table))) AS \"n\" FROM "
      + "\(quoted(table.name)) AS \"t\" WHERE \(isWhole) GROUP BY 1, 2)"
    let subject = "'\(model.entities[links.relationship.entity].name).\(links.relationship.name)'"
    lose(
      .links, "rows of '\(table.name)' with one end only",
      count(table, where: "\(ownerKey) IS NULL OR \(memberKey) IS NULL"))
    lose(
      .links, "links of \(subject) that '\(table.name)' has more than once",
      "SELECT (\(count(table, where: isWhole))) - (SELECT count(*) FROM \(distinct))")
    var columns = [(join.ownerColumn, "\"o\""), (join.memberColumn, "\"m\"")]
    if let position = join.memberPositionColumn {
      columns.append((position, positions(of: "\"o\"", orderedBy: "\"n\"")))
    }
    if let position = join.ownerPositionColumn {
      columns.append((position, positions(of: "\"m\"", orderedBy: "\"n\"")))
    }
    fills.append(
      TableConversion.Fill(
        table: target, columns: columns.map(\.0),
        select: "SELECT \(columns.map(\.1).joined(separator: ", ")) FROM \(distinct)",
        count: "SELECT count(*) FROM \(distinct)"))
  }

  /// The key of the object at one end of a link.
  private mutating func end(
    _ name: String, _ entity: Int, _ links: ForeignMatch.Links
  ) -> String? {
    guard let foreignKey = foreignKey(name, of: links.table, to: model.entities[entity]) else {
      return nil
    }
    let old = column("t", name)
    let new = lookup(old, foreignKey)
    check(
      count(links.table, where: "\(old) IS NOT NULL AND \(new) IS NULL"),
      "rows of '\(links.table.name)' whose '\(name)' leads to no row of "
        + "'\(foreignKey.parent.table.name)'",
      advice: "remove them with the tool that made them")
    return new
  }

  /// What the places of links follow: the order in which they were made, as far as it is known.
  private func order(of table: ForeignSchema.Table) -> String {
    table.isWithoutRowID ? "1" : key(of: table, "t") ?? "1"
  }
}

// MARK: - What goes

extension ConversionBuilder {
  private mutating func addLosses() {
    for objects in match.objects {
      let table = objects.table
      for name in objects.unused where name != table.keyColumn {
        lose(
          .values, "values of '\(table.name).\(name)'",
          count(table, where: "\(column("t", name)) IS NOT NULL"))
      }
      addIndexes(of: table, to: objects.entity, objects.columns)
    }
    for links in match.links {
      for name in links.table.columns.map(\.name)
      where name != links.ownerColumn && name != links.memberColumn {
        lose(
          .values, "values of '\(links.table.name).\(name)'",
          count(links.table, where: "\(column("t", name)) IS NOT NULL"))
      }
    }
    for table in match.rest {
      // Not every module tells how many rows it has; its table goes all the same.
      losses.append(
        table.kind == .virtual
          ? ForeignLoss(
            kind: .table, subject: "the table '\(table.name)' of a module of SQLite", condition: nil
          )
          : ForeignLoss(
            kind: .rows, subject: "rows of '\(table.name)'", condition: nil, count: table.rows))
    }
    for part in schema.parts {
      lose(part.type == "view" ? .view : .trigger, "the \(part.type) '\(part.name)'")
    }
  }

  /// The indexes that the model has no counterpart for.
  private mutating func addIndexes(
    of table: ForeignSchema.Table, to entity: CompiledEntity, _ columns: [Int: String]
  ) {
    let own = mapping.entities[entity.index]
    let target = mapping.tables.first { $0.name == own.table }
    var names: [String: String] = [:]
    for (property, name) in columns {
      names[name] = own.column(ofProperty: property).map { own.columns[$0].name }
    }
    if let key = table.keyColumn, names[key] == nil { names[key] = own.keyColumn }
    for index in table.indexes + table.keyIndexes {
      let wanted = index.columns.map { names[$0] ?? "" }
      let isKept = target?.indexes.contains { other in
        let found = other.columns.map(\.name)
        return index.isUnique
          ? other.isUnique && Set(found) == Set(wanted)
          : found.starts(with: wanted)
      }
      guard isKept != true || !index.isPlain else { continue }
      let list = index.columns.joined(separator: ", ")
      lose(
        .index,
        index.name.map { "the index '\($0)'" } ?? "the uniqueness of '\(table.name)' (\(list))")
    }
  }
}

extension ForeignSchema.Table {
  /// The primary key, where it is no number of the row.
  fileprivate var keyIndexes: [ForeignSchema.Index] {
    primaryKey.isEmpty || keyColumn != nil
      ? [] : [.init(name: nil, columns: primaryKey, isUnique: true)]
  }
}
