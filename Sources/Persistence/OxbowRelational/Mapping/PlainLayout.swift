// The plain layout: a store that reads well in any SQLite tool. All of this is file format.
//
//   One table for each root entity, named like it, for the objects of all entities below:
//     _id       INTEGER PRIMARY KEY
//     _version  INTEGER NOT NULL, 1 for a new row, one more with each update
//     _type     INTEGER NOT NULL, a number of _oxbow_entities, where there are entities below
//     one column for each stored attribute, named like it; of a composite one, one for each part,
//     named like the path of the part with "_" for each "."
//     one column for each to-one relationship, named like it: the key of the object
//       _<name>_type      the number of the object's entity, where its entity has entities below
//       _<name>_position  the position in the inverse's order, where the inverse is ordered
//   One table <Entity>_<relationship> for each many-to-many relationship and each to-many without
//   inverse, with `owner`, `member`, and `member_position`, `owner_position` for ordered ends.
//
// A column belongs to one (declaring entity, property). Where two entities of a hierarchy declare
// the same name, or names that differ in case only, their columns are <Entity>_<property>. Tables
// are STRICT. A column is NOT NULL when the model requires a value, the root entity declares the
// property and it is not derived, because derived values are computed once the rows are there.
// A BLOB of an attribute is its bytes, or says in which file beside the store they are
// (`FileReference`); a store has the second only where it has the table of files, and is of
// version 2 then. A store with search indexes (`SearchTables`) is of version 4, one with a history
// of its saves (`HistoryTables`) of version 5; it was of version 3 while the history did not count.
// A fetch index of boxes is a table of SQLite's R*Tree and three triggers (`BoxIndex`): whatever
// writes the store keeps it, so it needs no version.
// Foreign keys are deferred and have no action: they check what the delete rules of the context
// have left. Each foreign key, fetch index and uniqueness constraint has an index.

package import OxbowModel

/// Makes the mapping of the plain layout.
package struct PlainLayout {
  package static let name = "plain"
  package static let version = 1

  /// The version of a store that has values in files.
  package static let versionWithFiles = 2

  /// The version of a store that has search indexes, with or without values in files.
  package static let versionWithSearch = 4

  /// The version of a store that has a history, with or without the others.
  package static let versionWithHistory = 5

  /// The last version that there is.
  package static let lastVersion = versionWithHistory

  /// The columns of every table of objects; the type column where there are entities below the
  /// root.
  package static let keyColumn = "_id"
  package static let versionColumn = "_version"
  package static let typeColumn = "_type"

  private let model: CompiledModel
  private let dialect: any Dialect
  private let numbers: [Int64]
  private let part: Set<Int>?
  private var tableNames: NamePool
  private var indexNames: NamePool
  private var tables: [TableSchema] = []
  private var tableOfRoot: [Int: Int] = [:]
  private var entityColumns: [Int: [MappedColumn]] = [:]
  private var joins: [RelationshipID: JoinMapping] = [:]

  /// Maps a model to tables.
  ///
  /// `numbers` has, by dense index, the number that the store keeps for each entity; a new store
  /// counts from 1. Entities that are not in `part` have no table.
  package static func mapping(
    of model: CompiledModel, numbers: [Int64]? = nil, part: ModelPart? = nil,
    in dialect: any Dialect = SQLiteDialect()
  ) -> StoreMapping {
    var layout = PlainLayout(
      model: model, dialect: dialect,
      numbers: numbers ?? model.entities.map { Int64($0.index) + 1 }, part: part?.entities)
    return layout.build()
  }

  private init(
    model: CompiledModel, dialect: any Dialect, numbers: [Int64], part: Set<Int>?
  ) {
    self.model = model
    self.dialect = dialect
    self.numbers = numbers
    self.part = part
    tableNames = NamePool(maximumBytes: dialect.capability.nameBytes)
    indexNames = NamePool(maximumBytes: dialect.capability.nameBytes)
  }

  private func isKept(_ entity: CompiledEntity) -> Bool { part?.contains(entity.index) ?? true }

  private mutating func build() -> StoreMapping {
    let roots = model.entities.filter { $0.root == $0.index && isKept($0) }
    for root in roots { addTable(for: root) }
    for entity in model.entities where isKept(entity) { addJoins(of: entity) }
    for root in roots { addConstraints(for: root) }
    return StoreMapping(
      model: model, dialect: dialect, layout: Self.name, layoutVersion: Self.version,
      tables: tables,
      entities: model.entities.map(mapping(of:)), joins: joins)
  }

  private func mapping(of entity: CompiledEntity) -> EntityMapping {
    EntityMapping(
      entity: entity.index, root: entity.root, number: numbers[entity.index],
      table: tableName(ofRoot: entity.root), keyColumn: Self.keyColumn,
      versionColumn: Self.versionColumn,
      typeColumn: hasType(root: entity.root) ? Self.typeColumn : nil,
      columns: entityColumns[entity.index] ?? [])
  }

  private func hasType(root: Int) -> Bool { model.entities[root].subtree.count > 1 }

  private func tableName(ofRoot root: Int) -> String {
    tableOfRoot[root].map { tables[$0].name } ?? ""
  }
}

// MARK: - Tables of objects

extension PlainLayout {
  private mutating func addTable(for root: CompiledEntity) {
    let name = tableNames.take(safeTableName(root.name))
    var table = TableSchema(name: name, primaryKey: [Self.keyColumn])
    table.columns = [
      ColumnSchema(Self.keyColumn, .integer, isRequired: true),
      ColumnSchema(Self.versionColumn, .integer, isRequired: true),
    ]
    if hasType(root: root.index) {
      table.columns.append(ColumnSchema(Self.typeColumn, .integer, isRequired: true))
    }
    var names = ColumnNames(of: root, in: model, dialect)
    for entity in root.subtree.map({ model.entities[$0] }) {
      let inherited = entity.parent.flatMap { entityColumns[$0] } ?? []
      let own = entity.properties.filter { $0.declaringEntity == entity.index }
        .flatMap { columns(of: $0, in: entity, &names) }
      entityColumns[entity.index] = inherited + own
      table.columns += own.map {
        ColumnSchema(
          $0.name, dialect.codecs.type(of: $0.codec), isRequired: $0.isDeclaredRequired)
      }
    }
    tableOfRoot[root.index] = tables.count
    tables.append(table)
  }

  private func safeTableName(_ name: String) -> String {
    let isTaken =
      dialect.isReserved(table: name) || name.lowercased().hasPrefix(MetadataTables.prefix)
    return isTaken ? "_" + name : name
  }

  private func columns(
    of property: CompiledProperty, in entity: CompiledEntity, _ names: inout ColumnNames
  ) -> [MappedColumn] {
    switch property.kind {
    case .attribute(let attribute):
      guard property.slot >= 0,
        let codec = dialect.codecs.codec(of: attribute.type, isExternal: property.isExternal)
      else { return [] }
      return [
        MappedColumn(
          name: names.take(columnName(ofPath: property.name), in: entity.name), role: .attribute,
          property: property.index, slot: property.slot, codec: codec,
          isRequired: !attribute.isOptional,
          isDeclaredRequired: !attribute.isOptional && attribute.derivation == nil
            && entity.root == entity.index)
      ]
    case .relationship(let relationship):
      return relationship.isToMany
        ? [] : keyColumns(of: relationship, property, in: entity, &names)
    }
  }

  private func columnName(ofPath name: String) -> String {
    name.split(separator: ".").joined(separator: "_")
  }

  private func keyColumns(
    of relationship: CompiledRelationship, _ property: CompiledProperty, in entity: CompiledEntity,
    _ names: inout ColumnNames
  ) -> [MappedColumn] {
    let isRequired = !relationship.mayBeEmpty
    let isDeclared = isRequired && entity.root == entity.index
    let name = names.take(property.name, in: entity.name)
    func column(_ name: String, _ role: MappedColumn.Role, slot: Int, _ codec: ColumnCodec)
      -> MappedColumn
    {
      MappedColumn(
        name: name, role: role, property: property.index, slot: slot, codec: codec,
        isRequired: isRequired && role != .position,
        isDeclaredRequired: isDeclared && role != .position)
    }
    var columns = [column(name, .key, slot: property.slot, .key)]
    if relationship.entitySlot >= 0 {
      columns.append(
        column(
          names.takeHidden("_\(name)_type"), .entity, slot: relationship.entitySlot, .entityNumber))
    }
    if model.inverse(of: relationship)?.isOrdered == true {
      columns.append(column(names.takeHidden("_\(name)_position"), .position, slot: -1, .position))
    }
    return columns
  }
}

/// The names of one table's columns.
private struct ColumnNames {
  private var pool: NamePool
  private let ambiguous: Set<String>

  init(of root: CompiledEntity, in model: CompiledModel, _ dialect: any Dialect) {
    let own = [PlainLayout.keyColumn, PlainLayout.versionColumn, PlainLayout.typeColumn]
    pool = NamePool(
      reserved: own + dialect.hiddenColumns, maximumBytes: dialect.capability.nameBytes)
    var seen: [String: Int] = [:]
    for entity in root.subtree.map({ model.entities[$0] }) {
      for property in entity.properties where property.declaringEntity == entity.index {
        let name = property.name.split(separator: ".").joined(separator: "_")
        seen[name.lowercased(), default: 0] += 1
      }
    }
    ambiguous = Set(seen.filter { $0.value > 1 }.keys)
  }

  mutating func take(_ property: String, in entity: String) -> String {
    let qualified = "\(entity)_\(property)"
    return ambiguous.contains(property.lowercased())
      ? pool.take(qualified) : pool.take(property, qualified)
  }

  mutating func takeHidden(_ name: String) -> String { pool.take(name) }
}

// MARK: - Tables of links

extension PlainLayout {
  private mutating func addJoins(of entity: CompiledEntity) {
    for property in entity.properties where property.declaringEntity == entity.index {
      guard let relationship = property.relationship, relationship.storage == .joinRows
      else { continue }
      let join = JoinMapping(
        table: tableNames.take(safeTableName("\(entity.name)_\(relationship.name)")),
        ownerColumn: "owner", memberColumn: "member",
        memberPositionColumn: relationship.isOrdered ? "member_position" : nil,
        ownerPositionColumn: model.inverse(of: relationship)?.isOrdered == true
          ? "owner_position" : nil,
        ownerRoot: entity.root, memberRoot: model.entities[relationship.destination].root)
      joins[relationship.id] = join
      tables.append(table(of: join))
    }
  }

  private mutating func table(of join: JoinMapping) -> TableSchema {
    let positions = [join.memberPositionColumn, join.ownerPositionColumn].compactMap(\.self)
    return TableSchema(
      name: join.table,
      columns: [join.ownerColumn, join.memberColumn].map {
        ColumnSchema($0, .integer, isRequired: true)
      } + positions.map { ColumnSchema($0, .integer) },
      primaryKey: [join.ownerColumn, join.memberColumn],
      foreignKeys: [
        ForeignKeySchema(
          column: join.ownerColumn, table: tableName(ofRoot: join.ownerRoot), key: Self.keyColumn),
        ForeignKeySchema(
          column: join.memberColumn, table: tableName(ofRoot: join.memberRoot),
          key: Self.keyColumn),
      ],
      indexes: [index(on: join.table, [join.memberColumn, join.ownerColumn])],
      isWithoutRowID: true)
  }
}

// MARK: - Constraints and indexes

extension PlainLayout {
  private mutating func addConstraints(for root: CompiledEntity) {
    guard let position = tableOfRoot[root.index] else { return }
    for entity in root.subtree.map({ model.entities[$0] }) {
      addKeys(of: entity, to: position)
      addIndexes(of: entity, to: position)
    }
  }

  private mutating func addKeys(of entity: CompiledEntity, to table: Int) {
    for column in entityColumns[entity.index] ?? [] where column.role == .key {
      let property = entity.properties[column.property]
      guard property.declaringEntity == entity.index, let relationship = property.relationship
      else { continue }
      // "No action" leaves keys that lead nowhere, on purpose.
      if model.inverse(of: relationship)?.deleteRule != .noAction {
        tables[table].foreignKeys.append(
          ForeignKeySchema(
            column: column.name,
            table: tableName(ofRoot: model.entities[relationship.destination].root),
            key: Self.keyColumn))
      }
      let order = (entityColumns[entity.index] ?? []).first {
        $0.role == .position && $0.property == column.property
      }
      let names = [column.name] + (order.map { [$0.name] } ?? [])
      tables[table].indexes.append(index(on: tables[table].name, names))
    }
  }

  private mutating func addIndexes(of entity: CompiledEntity, to table: Int) {
    for constraint in entity.description.uniquenessConstraints {
      let columns = constraint.compactMap { columnName($0, of: entity) }
      guard columns.count == constraint.count else { continue }
      var index = index(on: tables[table].name, columns, isUnique: true)
      if entity.index != entity.root {
        index.condition = IndexSchema.Condition(
          column: Self.typeColumn, values: entity.concrete.map { numbers[$0] }.sorted())
      }
      tables[table].indexes.append(index)
    }
    for description in entity.description.fetchIndexes {
      let columns = description.elements.compactMap { element in
        columnName(element.property, of: entity).map {
          IndexSchema.Column($0, isAscending: element.isAscending)
        }
      }
      guard columns.count == description.elements.count, !columns.isEmpty else { continue }
      guard !description.isRTree else {
        addBoxes(description, columns.map(\.name), of: entity, to: table)
        continue
      }
      let name = indexNames.take("\(tables[table].name)_\(description.name)")
      tables[table].indexes.append(IndexSchema(name: name, columns: columns))
    }
  }

  private mutating func addBoxes(
    _ index: FetchIndexDescription, _ columns: [String], of entity: CompiledEntity, to table: Int
  ) {
    let types = index.elements.map { entity.property(named: $0.property)?.attribute?.type }
    let areWhole = types.allSatisfy { $0 != .double && $0 != .float }
    let name = BoxIndex.name(indexNames.take("\(tables[table].name)_\(index.name)"))
    var schema = IndexSchema(name: name, columns: columns.map { IndexSchema.Column($0) })
    schema.method = .boxes(areWhole: areWhole)
    tables[table].indexes.append(schema)
  }

  private func columnName(_ property: String, of entity: CompiledEntity) -> String? {
    guard let index = entity.property(named: property)?.index else { return nil }
    return entityColumns[entity.index]?.first {
      $0.property == index && ($0.role == .attribute || $0.role == .key)
    }?.name
  }

  private mutating func index(on table: String, _ columns: [String], isUnique: Bool = false)
    -> IndexSchema
  {
    let name = "\(table)_\(columns.joined(separator: "_"))" + (isUnique ? "_unique" : "_index")
    return IndexSchema(
      name: indexNames.take(name), columns: columns.map { IndexSchema.Column($0) },
      isUnique: isUnique)
  }
}
