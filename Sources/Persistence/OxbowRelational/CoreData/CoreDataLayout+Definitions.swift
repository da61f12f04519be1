// What Core Data creates for a model, to the character, as stores of framework 1044 and later have
// it:
//
//   Entities have numbers from 1: each root in the order of names, whatever their case, followed by
//   the entities below it, in the same order.
//   The columns of a table are in groups by type (`ColumnGroup`); in a group, entity by entity in
//   the order of numbers. Whole numbers of an entity are attributes, then keys, each with the
//   number of its entity behind it, then positions; all by name.
//   A table of links is named after the relationship of the entity with the lower number. Columns
//   that refer to one entity have different names in all tables: the second has "1" behind it.
//   Between relationships of one entity, either may name the table: which one is not known.

package import OxbowModel

/// What a new store of Core Data has before its first object.
package struct CoreDataDefinitions: Sendable {
  /// The entities in the order of their numbers.
  package fileprivate(set) var entities: [CoreDataTables.Entity] = []

  /// The statements that create tables, indexes and, after all rows, triggers.
  package fileprivate(set) var tables: [String] = []
  package fileprivate(set) var indexes: [String] = []
  package var triggers: [String] = []

  /// What Core Data may do in another way.
  package fileprivate(set) var notes: [String] = []
}

extension CoreDataDefinitions {
  /// In what the definitions of another version of a model differ, in words.
  package func differences(from new: CoreDataDefinitions) -> [String] {
    func texts(_ list: [CoreDataTables.Entity]) -> [String] {
      list.map { "\($0.number) \($0.name) below \($0.parent)" }
    }
    return [
      ("the numbers of entities", texts(entities), texts(new.entities)),
      ("tables", tables, new.tables), ("indexes", indexes, new.indexes),
      ("triggers", triggers, new.triggers),
    ].compactMap { what, before, after in
      before.sorted() == after.sorted() ? nil : "\(what) are others"
    }
  }
}

extension CoreDataLayout {
  /// The definitions of a new store.
  ///
  /// - Throws: ``PersistenceError`` with code `unsupported`, which names everything whose form is
  ///   not known.
  package static func definitions(
    of model: CompiledModel
  ) throws(PersistenceError) -> CoreDataDefinitions {
    var definer = CoreDataDefiner(model)
    return try definer.build()
  }
}

/// The order of columns by type.
private enum ColumnGroup: Int, CaseIterable {
  case whole, number, decimal, text, uuid, bytes

  /// The group and the declared type of an attribute's column; `nil` for one without column.
  static func of(_ type: AttributeType) -> (group: ColumnGroup, name: String)? {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: (.whole, "INTEGER")
    case .date: (.number, "TIMESTAMP")
    case .double, .float: (.number, "FLOAT")
    case .decimal: (.decimal, "DECIMAL")
    case .string, .uri: (.text, "VARCHAR")
    case .uuid: (.uuid, "BLOB")
    case .binaryData, .transformable: (.bytes, "BLOB")
    case .undefined, .composite, .objectID: nil
    }
  }
}

extension AttributeType {
  /// The type with which Core Data declares a column; `nil` for what has none.
  var declaredInCoreData: String? { ColumnGroup.of(self)?.name }
}

extension CoreDataLayout {
  /// Entities in the order of the numbers of a new store: roots in the order of names, whatever
  /// their case, each followed by the entities below it.
  static func ordered(_ entities: [CompiledEntity], below parent: Int? = nil) -> [CompiledEntity] {
    entities.filter { $0.parent == parent }
      .sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
      .flatMap { [$0] + ordered(entities, below: $0.index) }
  }
}

/// The columns of a table, or of one entity in it.
private struct ColumnList {
  private var groups = [[String]](repeating: [], count: ColumnGroup.allCases.count)
  private var keys: [String] = []
  private var positions: [String] = []

  mutating func add(_ name: String, _ type: AttributeType) {
    guard let (group, declaration) = ColumnGroup.of(type) else { return }
    groups[group.rawValue].append("\(plain(name)) \(declaration)")
  }

  mutating func add(key name: String) { keys.append("\(plain(name)) INTEGER") }

  mutating func add(position name: String) { positions.append("\(plain(name)) INTEGER") }

  /// Adds the columns of the next entity behind those of others, group by group.
  mutating func append(_ other: ColumnList) {
    groups[0] += other.groups[0] + other.keys + other.positions
    for index in groups.indices.dropFirst() { groups[index] += other.groups[index] }
  }

  var all: [String] { groups.flatMap(\.self) }
}

/// A name as Core Data writes it, in quotes only where SQLite needs them.
private func plain(_ name: String) -> String {
  let isPlain = name.unicodeScalars.allSatisfy { scalar in
    !scalar.isASCII || scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9" ~= scalar)
  }
  return isPlain ? name : quoted(name)
}

private struct CoreDataDefiner {
  private let model: CompiledModel
  private var result = CoreDataDefinitions()
  private var problems: [PersistenceError] = []

  /// By dense index: the entity's number; and the entities in the order of numbers.
  private var numbers: [Int64]
  private var ordered: [CompiledEntity] = []

  /// The columns of stored properties, and the columns of tables of links that refer to the entity
  /// of a relationship.
  private var columns: [RelationshipID: String] = [:]
  private var linkColumns: [RelationshipID: String] = [:]

  /// The key columns of each root, in the order of the table.
  private var keys: [Int: [String]] = [:]
  private var lists: [Int: ColumnList] = [:]

  /// The names of indexes and columns that exist, in upper case; those of tables differ, because
  /// names in a model differ in more than the case of letters.
  private var indexNames: Set<String> = []
  private var columnNames: [Int: Set<String>] = [:]
  private var suffixes: [Int: [String: Int]] = [:]

  init(_ model: CompiledModel) {
    self.model = model
    numbers = [Int64](repeating: 0, count: model.entities.count)
  }

  mutating func build() throws(PersistenceError) -> CoreDataDefinitions {
    guard !model.entities.isEmpty else {
      throw PersistenceError(
        .unsupported, "no store of Core Data is made for this model: it has no entities")
    }
    number()
    for entity in ordered {
      refuse(in: entity)
      addColumns(of: entity)
    }
    nameLinkColumns()
    let roots = ordered.filter { $0.root == $0.index }
    for root in roots { addTable(of: root) }
    for root in roots { addKeyIndexes(of: root) }
    for entity in ordered { addIndexes(of: entity) }
    for derivation in model.derivations { addTriggers(of: derivation) }
    guard problems.isEmpty else {
      throw .collecting(
        .unsupported, "no store of Core Data is made for this model", problems)
    }
    return result
  }

  private mutating func number() {
    ordered = CoreDataLayout.ordered(model.entities)
    for (place, entity) in ordered.enumerated() {
      numbers[entity.index] = Int64(place) + 1
      result.entities.append(
        .init(
          number: numbers[entity.index], name: entity.name,
          parent: entity.parent.map { numbers[$0] } ?? 0))
    }
  }

  private mutating func refuse(_ what: String, at entity: CompiledEntity) {
    problems.append(PersistenceError(.unsupported, what, at: entity.description.location))
  }

  /// Takes a name that must not be there twice.
  private mutating func take(_ name: String, of root: CompiledEntity, _ what: String) -> String {
    if columnNames[root.index, default: []].insert(name.uppercased()).inserted { return name }
    refuse("\(what) needs the column '\(name)', which the table has already; rename it", at: root)
    return name
  }
}

// MARK: - What is not known

extension CoreDataDefiner {
  private mutating func refuse(in entity: CompiledEntity) {
    for property in entity.properties where property.declaringEntity == entity.index {
      let name = "'\(property.name)' of '\(entity.name)'"
      if property.isComposite {
        refuse("\(name) is a composite attribute, whose columns are not known", at: entity)
      }
      if let relationship = property.relationship, relationship.isToMany,
        model.inverse(of: relationship)?.id == relationship.id
      {
        refuse(
          "\(name) is its own inverse, and how Core Data keeps the links of such a to-many "
            + "relationship is not known", at: entity)
      }
    }
  }
}

// MARK: - Columns

extension CoreDataDefiner {
  private mutating func addColumns(of entity: CompiledEntity) {
    let root = model.entities[entity.root]
    var list = ColumnList()
    for property in entity.properties
    where property.declaringEntity == entity.index && property.slot >= 0 {
      let what = "'\(property.name)' of '\(entity.name)'"
      let count = suffixes[root.index, default: [:]][property.base, default: 0]
      suffixes[root.index, default: [:]][property.base] = count + 1
      let base = property.base + (count == 0 ? "" : "\(count)")
      if let relationship = property.relationship {
        addKey(relationship, base, what, of: root, to: &list)
      } else if let attribute = property.attribute, ColumnGroup.of(attribute.type) != nil {
        let name = take("Z" + base, of: root, what)
        list.add(name, attribute.type)
      } else {
        continue
      }
      columns[RelationshipID(entity: entity.index, property: property.index)] = "Z" + base
    }
    for relationship in model.entities.flatMap(ownToMany) {
      guard relationship.destination == entity.index, model.inverse(of: relationship) == nil else {
        continue
      }
      addMemberKey(relationship, of: root, to: &list)
    }
    lists[root.index, default: ColumnList()].append(list)
  }

  private mutating func addKey(
    _ relationship: CompiledRelationship, _ base: String, _ what: String, of root: CompiledEntity,
    to list: inout ColumnList
  ) {
    let key = take("Z" + base, of: root, what)
    list.add(key: key)
    keys[root.index, default: []].append(key)
    if model.entities[relationship.destination].subtree.count > 1 {
      list.add(key: take("Z\(numbers[relationship.destination])_\(base)", of: root, what))
    }
    if model.inverse(of: relationship)?.isOrdered == true {
      list.add(position: take("Z_FOK_" + base, of: root, what))
    }
  }

  /// The key of the owner, in the table of the members of a relationship without inverse.
  private mutating func addMemberKey(
    _ relationship: CompiledRelationship, of root: CompiledEntity, to list: inout ColumnList
  ) {
    let what = "'\(relationship.name)' of '\(model.entities[relationship.entity].name)'"
    let base = "\(numbers[relationship.entity])\(relationship.name.uppercased())"
    let key = take("Z" + base, of: root, what)
    list.add(key: key)
    keys[root.index, default: []].append(key)
    if relationship.isOrdered {
      list.add(position: take("Z_FOK_" + base, of: root, what))
    }
  }

  private func ownToMany(_ entity: CompiledEntity) -> [CompiledRelationship] {
    entity.relationships.compactMap { property in
      guard property.declaringEntity == entity.index, let relationship = property.relationship,
        relationship.isToMany
      else { return nil }
      return relationship
    }
  }
}

// MARK: - Tables

extension CoreDataDefiner {
  private mutating func addTable(of root: CompiledEntity) {
    let columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    create("Z" + root.name.uppercased(), columns + (lists[root.index]?.all ?? []))
    for relationship in owning(below: root) { addJoin(of: relationship) }
  }

  private mutating func create(_ table: String, _ columns: [String]) {
    result.tables.append(
      "CREATE TABLE \(plain(table)) ( \(columns.joined(separator: ", ")) )")
  }

  /// The relationships below a root after which tables of links are named.
  private func owning(below root: CompiledEntity) -> [CompiledRelationship] {
    ordered.filter { $0.root == root.index }.flatMap(ownToMany).filter { relationship in
      guard let inverse = model.inverse(of: relationship), inverse.isToMany else { return false }
      // Of two relationships of one entity, the one with the later name.
      return (numbers[relationship.entity], inverse.name)
        < (numbers[inverse.entity], relationship.name)
    }
  }

  /// Names the columns of tables of links, which refer to an entity in the order of its
  /// relationships.
  private mutating func nameLinkColumns() {
    var taken: Set<String> = []
    for relationship in ordered.flatMap(ownToMany) {
      guard let inverse = model.inverse(of: relationship), inverse.isToMany else { continue }
      let base = "Z_\(numbers[relationship.entity])\(inverse.name.uppercased())"
      var (name, count) = (base, 0)
      while !taken.insert(name).inserted {
        count += 1
        name = "\(base)\(count)"
      }
      linkColumns[relationship.id] = name
    }
  }

  private mutating func addJoin(of relationship: CompiledRelationship) {
    guard let inverse = model.inverse(of: relationship), let owner = linkColumns[relationship.id],
      let member = linkColumns[inverse.id]
    else { return }
    let entity = model.entities[relationship.entity]
    let table = "Z_\(numbers[entity.index])\(relationship.name.uppercased())"
    let positions = [(inverse, owner), (relationship, member)].filter(\.0.isOrdered).map {
      "Z_FOK_\($0.1.dropFirst(2))"
    }
    create(
      table,
      ([owner, member] + positions).map { "\(plain($0)) INTEGER" }
        + ["PRIMARY KEY (\(plain(owner)), \(plain(member)))"])
    addIndex("\(table)_\(member)_INDEX", on: table, [plain(member), plain(owner)])
    guard relationship.entity == inverse.entity else { return }
    result.notes.append(
      "the table of links of '\(relationship.name)' and '\(inverse.name)' of '\(entity.name)' is "
        + "named after the former; Core Data may look for '\(inverse.name)'")
  }
}

// MARK: - Indexes

extension CoreDataDefiner {
  private mutating func addIndex(
    _ name: String, on table: String, _ columns: [String], isUnique: Bool = false
  ) {
    guard indexNames.insert(name.uppercased()).inserted else { return }
    result.indexes.append(
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(plain(name)) ON \(plain(table)) "
        + "(\(columns.joined(separator: ", ")))")
  }

  private mutating func addKeyIndexes(of root: CompiledEntity) {
    let table = "Z" + root.name.uppercased()
    for key in keys[root.index] ?? [] {
      addIndex("\(table)_\(key)_INDEX", on: table, [plain(key)])
    }
    if root.subtree.count > 1 { addIndex("\(table)_Z_ENT_INDEX", on: table, ["Z_ENT"]) }
  }

  private mutating func addIndexes(of entity: CompiledEntity) {
    let table = "Z" + model.entities[entity.root].name.uppercased()
    for constraint in entity.description.uniquenessConstraints {
      let columns = constraint.compactMap { column($0, of: entity, isAscending: true) }
      guard columns.count == constraint.count, !columns.isEmpty else {
        refuse(
          "the uniqueness constraint of '\(entity.name)' on \(constraint.joined(separator: ", ")) "
            + "has a property without a column", at: entity)
        continue
      }
      addIndex(
        "Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))", on: table, columns,
        isUnique: true)
    }
    for index in entity.description.fetchIndexes where !isRepeated(index, in: entity) {
      if index.isRTree {
        refuse("the index '\(index.name)' of '\(entity.name)' is one of boxes (RTree)", at: entity)
      }
      let columns = index.elements.compactMap {
        column($0.property, of: entity, isAscending: $0.isAscending)
      }
      guard columns.count == index.elements.count, !columns.isEmpty else { continue }
      addIndex("Z_\(entity.name)_\(index.name)", on: table, columns)
    }
  }

  /// Whether an index of several properties is there under a name of its own too: models in stores
  /// have such indexes once more, in the form of before 2017.
  private func isRepeated(_ index: FetchIndexDescription, in entity: CompiledEntity) -> Bool {
    index.elements.count > 1
      && index.name == index.elements.map(\.property).joined(separator: "_")
      && entity.description.fetchIndexes.contains {
        $0.name != index.name && $0.elements == index.elements
      }
  }

  private func column(
    _ property: String, of entity: CompiledEntity, isAscending: Bool
  ) -> String? {
    guard let property = entity.property(named: property) else { return nil }
    return columns[RelationshipID(entity: property.declaringEntity, property: property.index)].map {
      "\(plain($0)) COLLATE BINARY \(isAscending ? "ASC" : "DESC")"
    }
  }
}

// MARK: - Triggers

extension CoreDataDefiner {
  /// The triggers that keep a count, as in stores of framework 1344.
  private mutating func addTriggers(of derivation: CompiledDerivation) {
    let entity = derivation.entity
    let name = derivation.property.name
    guard case .count = derivation.end, entity.root == entity.index,
      let inverse = derivation.steps.first.flatMap({ model.inverse(of: $0) }), !inverse.isToMany,
      let key = columns[inverse.id],
      let column = columns[
        RelationshipID(entity: entity.index, property: derivation.property.index)]
    else {
      refuse(
        "'\(name)' of '\(entity.name)' is a derived attribute other than the count of a to-many "
          + "relationship of a root entity whose inverse is to-one; the triggers of any other are not "
          + "known", at: entity)
      return
    }
    result.triggers +=
      CoreDataCount(
        table: "Z" + entity.name.uppercased(),
        members: "Z" + model.entities[model.entities[inverse.entity].root].name.uppercased(),
        key: key, column: column, entity: entity.name, name: name
      ).triggers
  }
}

/// A column that counts the rows whose key refers to its row.
private struct CoreDataCount {
  let table: String
  let members: String
  let key: String
  let column: String
  let entity: String
  let name: String

  var triggers: [String] {
    [
      trigger(
        "PARAMETER_INSERT", "INSERT", "NEW", "IFNULL(\(column), 0) + 1"),
      trigger("PARAMETER_UPDATE_INCREMENT", "UPDATE OF \(key)", "NEW", "\(column) + 1"),
      trigger("PARAMETER_UPDATE_DECREMENT", "UPDATE OF \(key)", "OLD", "\(column) - 1"),
      trigger("PARAMETER_DELETE", "DELETE", "OLD", "\(column) - 1"),
      "CREATE TRIGGER Z_DA_\(table)_\(entity)_\(name)_SOURCE_INSERT AFTER INSERT ON \(table) FOR "
        + "EACH ROW BEGIN UPDATE \(table) SET \(column) = (SELECT IFNULL(COUNT(\(key)), 0) FROM "
        + "\(members) WHERE \(key) = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; "
        + "\(call("InsertUpdated", "NEW.Z_PK")) END",
    ]
  }

  private func trigger(
    _ suffix: String, _ event: String, _ row: String, _ value: String
  ) -> String {
    "CREATE TRIGGER Z_DA_\(members)_\(entity)_\(name)_\(suffix) AFTER \(event) ON \(members) FOR "
      + "EACH ROW WHEN (\(row).\(key) NOT NULL) BEGIN UPDATE \(table) SET \(column) = \(value) "
      + "WHERE Z_PK = \(row).\(key); \(call("Updated", "\(row).\(key)")) END"
  }

  /// The call by which Core Data hears of a value that it did not write.
  private func call(_ kind: String, _ row: String) -> String {
    "SELECT NSCoreDataDATrigger\(kind)AffectedObjectValue('\(table)', Z_ENT, Z_PK, '\(name)', "
      + "\(column)) FROM \(table) WHERE Z_PK = \(row);"
  }
}

extension CompiledProperty {
  /// The name as columns have it.
  fileprivate var base: String { name.uppercased() }
}
