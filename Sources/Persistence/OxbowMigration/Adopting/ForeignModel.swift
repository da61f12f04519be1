package import OxbowModel
package import OxbowRelational

/// A model made from the tables of another tool, to begin with.
///
/// Names are those of the tables, as Swift writes names, so that a conversion finds them again: a
/// table is an entity, a column an attribute, a column with a foreign key a relationship to one,
/// and a table of two foreign keys a relationship of many to many.
package struct ForeignModel {
  package private(set) var entities: [EntityDescription] = []

  /// Describes what the model does not express.
  package private(set) var notes: [String] = []

  private let schema: ForeignSchema
  private let isImpossible: (String) -> Bool

  /// The entities' names, by table in small letters.
  private var types: [String: String] = [:]
  private var inverses: [(entity: String, RelationshipDescription)] = []

  /// Makes a model; `isImpossible` says which names no property of a class can have.
  package init(_ schema: ForeignSchema, isImpossible: @escaping (String) -> Bool = { _ in false }) {
    self.schema = schema
    self.isImpossible = isImpossible
    let joins = joinTables()
    nameTypes(except: joins)
    for table in schema.tables where table.kind != .shadow {
      if table.kind == .virtual {
        notes.append("'\(table.name)' is a table of a module of SQLite, and no entity")
      } else if !joins.contains(table) {
        add(table, joins)
        notes += ForeignNotes(table, in: schema).all
      }
    }
    for table in joins { addLinks(table) }
    for (entity, relationship) in inverses {
      guard let index = entities.firstIndex(where: { $0.name == entity }) else { continue }
      entities[index].relationships.append(relationship)
    }
    for part in schema.parts { notes.append("the \(part.type) '\(part.name)' is not in the model") }
  }

  package var model: ManagedObjectModel { ManagedObjectModel(entities: entities) }

  /// The tables of two keys and nothing else, one for each pair of other tables.
  private func joinTables() -> [ForeignSchema.Table] {
    var pairs: Set<Set<String>> = []
    return schema.tables.filter { table in
      let parents = table.columns.compactMap { table.reference(of: $0.name)?.table.lowercased() }
      guard table.kind == .ordinary, table.columns.count == 2, parents.count == 2,
        parents.allSatisfy({ schema.table($0)?.kind == .ordinary }), parents[0] != parents[1]
      else { return false }
      return pairs.insert(Set(parents)).inserted
    }
  }

  /// Gives each table the name of an entity; one with the name of another gets a number.
  private mutating func nameTypes(except joins: [ForeignSchema.Table]) {
    for table in schema.tables where table.kind == .ordinary && !joins.contains(table) {
      let plain = TableName.ofType(table.name)
      let name = TableName.free(plain, types.values)
      types[table.name.lowercased()] = name
      guard name != plain else { continue }
      notes.append("'\(table.name)' is the entity '\(name)', as another table is '\(plain)'")
    }
  }

  private func type(of table: String) -> String {
    types[table.lowercased()] ?? TableName.ofType(table)
  }

  /// A name of a relationship that an entity has not yet.
  private func free(_ name: String, in entity: String) -> String {
    var taken = Set(inverses.filter { $0.entity == entity }.map(\.1.name))
    if let entity = entities.first(where: { $0.name == entity }) {
      taken.formUnion(entity.attributes.map(\.name) + entity.relationships.map(\.name))
    }
    for table in schema.tables where types[table.name.lowercased()] == entity {
      taken.formUnion(table.columns.map { TableName.ofMember($0.name) })
    }
    return TableName.free(name, isImpossible(name) ? taken.union([name]) : taken)
  }
}

// MARK: - Tables

extension ForeignModel {
  private mutating func add(_ table: ForeignSchema.Table, _ joins: [ForeignSchema.Table]) {
    var entity = EntityDescription(type(of: table.name))
    // A conversion finds the table by it where two have one name.
    if entity.name != TableName.ofType(table.name) || isNameOfOthers(table) {
      entity.renamingIdentifier = table.name
    }
    var names: [String: String] = [:]
    for column in table.columns where column.name != table.keyColumn {
      if let reference = table.reference(of: column.name),
        let parent = schema.table(reference.table), parent.kind == .ordinary,
        !joins.contains(parent)
      {
        var relationship = relationship(column, reference, parent, table, names.values)
        if isNameOfOthers(column, in: table) { relationship.renamingIdentifier = column.name }
        names[column.name] = relationship.name
        entity.relationships.append(relationship)
      } else {
        let attribute = attribute(column, of: table, names.values)
        names[column.name] = attribute.name
        entity.attributes.append(attribute)
      }
    }
    for reference in table.references where reference.columns.count > 1 {
      notes.append(
        "the foreign key (\(reference.columns.joined(separator: ", "))) of '\(table.name)' has several "
          + "columns, and is not a relationship")
    }
    addIndexes(of: table, names, to: &entity)
    entities.append(entity)
  }

  /// Whether another table becomes the same name.
  private func isNameOfOthers(_ table: ForeignSchema.Table) -> Bool {
    types.keys.count { ForeignName.fits($0, table.name) } > 1
  }

  /// Whether another column of the table becomes the same name.
  private func isNameOfOthers(
    _ column: ForeignSchema.Column, in table: ForeignSchema.Table
  ) -> Bool {
    table.columns.count { ForeignName.fits($0.name, column.name) } > 1
  }

  private mutating func attribute(
    _ column: ForeignSchema.Column, of table: ForeignSchema.Table, _ taken: some Sequence<String>
  ) -> AttributeDescription {
    let type = column.attributeType ?? column.found
    if column.attributeType == nil {
      let declared = column.type.isEmpty ? "no type" : "the type '\(column.type)'"
      notes.append(
        "'\(table.name).\(column.name)' has \(declared); it is taken for "
          + (type ?? .string).rawValue)
    }
    var name = TableName.ofMember(column.name)
    if isImpossible(name) { name += "Value" }
    name = TableName.free(name, taken)
    var attribute = AttributeDescription(name, type ?? .string, isOptional: !column.isRequired)
    // A conversion finds the column by it.
    if !ForeignName.fits(column.name, name) || isNameOfOthers(column, in: table) {
      attribute.renamingIdentifier = column.name
    }
    if let text = column.defaultText, text.uppercased() != "NULL" {
      attribute.defaultValue = Self.value(text, type ?? .string)
      if attribute.defaultValue == nil {
        notes.append("the DEFAULT \(text) of '\(table.name).\(column.name)' is not in the model")
      }
    }
    return attribute
  }

  /// The value of a declared default; `nil` for one that is computed.
  private static func value(_ text: String, _ type: AttributeType) -> AttributeValue? {
    let isQuoted = text.count > 1 && text.first == "'" && text.last == "'"
    guard type != .date, isQuoted || type != .string else { return nil }
    let plain =
      isQuoted ? String(text.dropFirst().dropLast().replacing("''", with: "'")) : text
    return AttributeValue(text: plain, type: type)
  }

  private func addIndexes(
    of table: ForeignSchema.Table, _ names: [String: String], to entity: inout EntityDescription
  ) {
    let keys =
      table.keyColumn == nil && !table.primaryKey.isEmpty
      ? [ForeignSchema.Index(name: nil, columns: table.primaryKey, isUnique: true)] : []
    for index in table.indexes + keys where index.isPlain {
      let properties = index.columns.compactMap { names[$0] }
      guard properties.count == index.columns.count else { continue }
      let isKey =
        properties.count == 1 && entity.relationships.contains { $0.name == properties[0] }
      if index.isUnique {
        entity.uniquenessConstraints.append(properties)
      } else if let name = index.name, !isKey {
        entity.fetchIndexes.append(
          FetchIndexDescription(name, elements: properties.map { .init($0) }))
      }
    }
  }
}

// MARK: - Relationships

extension ForeignModel {
  private mutating func relationship(
    _ column: ForeignSchema.Column, _ reference: ForeignSchema.Reference,
    _ parent: ForeignSchema.Table, _ table: ForeignSchema.Table, _ taken: some Sequence<String>
  ) -> RelationshipDescription {
    let (own, other) = (type(of: table.name), type(of: parent.name))
    let name = TableName.free(
      name(column.name, reference.keys.first ?? parent.primaryKey.first, in: table), taken)
    let isUnique = table.indexes.contains {
      $0.isUnique && $0.isPlain && $0.columns == [column.name]
    }
    let plain = TableName.ofMember(table.name)
    let inverse = free(isUnique ? plain : TableName.plural(plain), in: other)
    let rule: DeleteRule =
      switch reference.onDelete {
      case "CASCADE": .cascade
      case "SET NULL", "SET DEFAULT": .nullify
      default: .deny
      }
    inverses.append(
      (
        other,
        RelationshipDescription(
          inverse, to: own, inverse: name, isToMany: !isUnique, deleteRule: rule)
      ))
    return RelationshipDescription(
      name, to: other, inverse: inverse, isOptional: !column.isRequired)
  }

  /// The name of a relationship: that of its column without the name of the key.
  private func name(_ column: String, _ key: String?, in table: ForeignSchema.Table) -> String {
    let plain = TableName.ofMember(column)
    let others = Set(table.columns.map { TableName.ofMember($0.name) })
    for ending in ["id", key ?? "id"] where plain.lowercased().hasSuffix(ending.lowercased()) {
      let short = String(plain.dropLast(ending.count))
      if !short.isEmpty, !others.contains(short) { return short }
    }
    return plain
  }

  private mutating func addLinks(_ table: ForeignSchema.Table) {
    let parents = table.columns.compactMap { table.reference(of: $0.name)?.table }
      .compactMap { schema.table($0)?.name }
    guard parents.count == 2 else { return }
    let (first, second) = (type(of: parents[0]), type(of: parents[1]))
    let there = free(TableName.plural(TableName.ofMember(parents[1])), in: first)
    let back = free(TableName.plural(TableName.ofMember(parents[0])), in: second)
    inverses.append(
      (first, RelationshipDescription(there, to: second, inverse: back, isToMany: true)))
    inverses.append(
      (second, RelationshipDescription(back, to: first, inverse: there, isToMany: true)))
  }
}

/// Names of tables and columns as Swift writes names.
private enum TableName {
  private static func words(_ name: String) -> [String] {
    name.split { !($0.isLetter || $0.isNumber) }.map { word in
      let isShouted = word.count > 1 && !word.contains(where: \.isLowercase)
      return isShouted ? word.lowercased() : String(word)
    }
  }

  private static func capitalized(_ word: String) -> String {
    (word.first?.uppercased() ?? "") + word.dropFirst()
  }

  static func ofType(_ name: String) -> String {
    let result = words(name).map(capitalized).joined()
    return result.first?.isLetter == true ? result : "Table" + result
  }

  static func ofMember(_ name: String) -> String {
    let words = words(name)
    let first = words.first.map { ($0.first?.lowercased() ?? "") + $0.dropFirst() } ?? ""
    let result = first + words.dropFirst().map(capitalized).joined()
    return result.first?.isLetter == true ? result : "column" + capitalized(result)
  }

  /// A name that others have not, in any case: with a number where one has it.
  static func free(_ name: String, _ taken: some Sequence<String>) -> String {
    let taken = Set(taken.map { $0.lowercased() })
    guard taken.contains(name.lowercased()) else { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0.lowercased()) } ?? name
  }

  static func plural(_ name: String) -> String { name.hasSuffix("s") ? name : name + "s" }
}
