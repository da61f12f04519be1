// The layout of Core Data's stores: which table and column has what of a model.
//
//   One table for each root entity, "Z" and its name in upper case, for the objects of all below:
//     Z_PK   INTEGER PRIMARY KEY
//     Z_ENT  a number of Z_PRIMARYKEY; read only where there are entities below
//     Z_OPT  the version
//     Z<NAME>         an attribute, or the key of a to-one relationship
//     Z<n>_<NAME>     the number of the key's entity, where the destination n has entities below
//     Z_FOK_<NAME>    the position in the inverse's order, where the inverse is ordered
//     Z<n><NAME>      the key of the owner of a to-many relationship without inverse; n declares it
//   Where siblings declare the same name, the second, in the order of numbers, has "1" behind it.
//   One table Z_<n><NAME> for two to-many relationships that are inverses, named after either; the
//   column Z_<k><NAME> has the members of NAME, and Z_FOK_<k><NAME> their positions.
//
// A computed name is only looked for: what is not there is an error, with names that are near.

package import OxbowModel

/// Makes the mapping of a store of Core Data.
package struct CoreDataLayout {
  package static let name = "coreData"

  /// The column with the number of an object's entity, which is written always.
  static let typeColumn = "Z_ENT"

  let model: CompiledModel
  let store: CoreDataTables
  let path: String
  private let part: ModelPart
  private let dialect = SQLiteDialect(codecs: CoreDataCodecs())

  /// The tables of the store, by their names in upper case.
  private let schemas: [String: TableSchema]

  /// The entities of the store by name and by number.
  private let entities: [String: CoreDataTables.Entity]
  private let entitiesByNumber: [Int64: CoreDataTables.Entity]

  /// By dense index: the entity's number, and its columns.
  private(set) var numbers: [Int64]
  private var columns: [[MappedColumn]?]

  /// The tables of roots, by dense index, and what makes a property's name one of its table.
  private var tables: [Int: TableSchema] = [:]
  private var suffixes: [PropertyPlace: String] = [:]

  /// What has a column of a table already.
  private var owners: [String: String] = [:]
  private var used: [TableSchema] = []
  private var usedNames: Set<String> = []

  private struct PropertyPlace: Hashable {
    let entity: Int
    let property: Int
  }

  /// Maps a model to the tables of a store.
  ///
  /// - Throws: ``PersistenceError`` with code `modelMismatch` for an entity, a table or a column
  ///   that the model needs and the store lacks; `storeCorrupt` for a table that another tool has
  ///   made.
  package static func mapping(
    of model: CompiledModel, _ store: CoreDataTables, part: ModelPart? = nil, path: String
  ) throws(PersistenceError) -> StoreMapping {
    var layout = CoreDataLayout(model, store, part ?? ModelPart(whole: model), path: path)
    return try layout.build()
  }

  private init(
    _ model: CompiledModel, _ store: CoreDataTables, _ part: ModelPart, path: String
  ) {
    (self.model, self.store, self.part, self.path) = (model, store, part, path)
    schemas = Dictionary(store.schemas.map { ($0.name.uppercased(), $0) }) { first, _ in first }
    entities = Dictionary(store.entities.map { ($0.name, $0) }) { first, _ in first }
    entitiesByNumber = Dictionary(store.entities.map { ($0.number, $0) }) { first, _ in first }
    numbers = [Int64](repeating: 0, count: model.entities.count)
    columns = [[MappedColumn]?](repeating: nil, count: model.entities.count)
  }

  private mutating func build() throws(PersistenceError) -> StoreMapping {
    let entities = model.entities.filter { part.entities.contains($0.index) }
    for entity in entities { numbers[entity.index] = try number(of: entity) }
    for root in entities where root.root == root.index { try addTable(of: root) }
    for entity in entities { try addColumns(of: entity) }
    var joins: [RelationshipID: JoinMapping] = [:]
    for entity in entities {
      for relationship in ownRelationships(of: entity) where relationship.storage == .joinRows {
        joins[relationship.id] = try join(of: relationship)
      }
    }
    return StoreMapping(
      model: model, dialect: dialect, layout: Self.name, layoutVersion: 1,
      tables: used, entities: model.entities.map(mapping(of:)), joins: joins)
  }

  private func mapping(of entity: CompiledEntity) -> EntityMapping {
    EntityMapping(
      entity: entity.index, root: entity.root, number: numbers[entity.index],
      table: tables[entity.root]?.name ?? "", keyColumn: "Z_PK", versionColumn: "Z_OPT",
      typeColumn: model.entities[entity.root].subtree.count > 1 ? "Z_ENT" : nil,
      numberColumn: "Z_ENT",
      columns: columns[entity.index] ?? [])
  }

  func ownRelationships(of entity: CompiledEntity) -> [CompiledRelationship] {
    entity.properties.compactMap {
      $0.declaringEntity == entity.index ? $0.relationship : nil
    }
  }
}

// MARK: - Entities and their tables

extension CoreDataLayout {
  /// The number of an entity: by its name, or by the one that it had before a migration.
  private func number(of entity: CompiledEntity) throws(PersistenceError) -> Int64 {
    let names = [entity.name, entity.description.renamingIdentifier].compactMap(\.self)
    for name in names {
      if let found = entities[name] { return found.number }
    }
    let stored = store.entities.map(\.name)
    throw PersistenceError(
      .modelMismatch,
      "the store '\(path)' has no entity '\(entity.name)' in Z_PRIMARYKEY; give the version of the "
        + "model that it was written for",
      nearNames: PersistenceError.nearNames(to: entity.name, among: stored))
  }

  private mutating func addTable(of root: CompiledEntity) throws(PersistenceError) {
    guard let stored = entitiesByNumber[numbers[root.index]],
      let name = store.table(of: stored, named: root.name), let table = schemas[name.uppercased()]
    else {
      throw missing(
        "table", "Z" + root.name.uppercased(), "of the entity '\(root.name)'",
        among: schemas.values.map(\.name))
    }
    try check(table)
    tables[root.index] = table
    use(table)
    addSuffixes(below: root)
  }

  private mutating func use(_ table: TableSchema) {
    if usedNames.insert(table.name).inserted { used.append(table) }
  }

  /// Refuses a table that was made anew: keys and values in it may be texts.
  private func check(_ table: TableSchema) throws(PersistenceError) {
    if let damage = table.keyDamage {
      throw PersistenceError(.storeCorrupt, "'\(path)': \(damage)")
    }
    for column in ["Z_ENT", "Z_OPT"] where table.column(named: column) == nil {
      throw missing("column", column, "of the table '\(table.name)'", among: table)
    }
  }

  /// Numbers the columns of siblings that have the same name.
  private mutating func addSuffixes(below root: CompiledEntity) {
    var counts: [String: Int] = [:]
    for entity in root.subtree.sorted(by: { numbers[$0] < numbers[$1] }) {
      for property in model.entities[entity].properties
      where property.declaringEntity == entity && property.slot >= 0 {
        let count = counts[property.columnBase, default: 0]
        counts[property.columnBase] = count + 1
        guard count > 0 else { continue }
        suffixes[PropertyPlace(entity: entity, property: property.index)] = "\(count)"
      }
    }
  }
}

// MARK: - Columns

extension CoreDataLayout {
  private mutating func addColumns(of entity: CompiledEntity) throws(PersistenceError) {
    var all = entity.parent.flatMap { columns[$0] } ?? []
    for property in entity.properties where property.declaringEntity == entity.index {
      let own = try columns(of: property, in: entity)
      for column in own { try take(column, "'\(property.name)' of '\(entity.name)'", entity.root) }
      all += own
    }
    columns[entity.index] = all
  }

  /// Refuses a column that another property has, as making a store does.
  private mutating func take(
    _ column: MappedColumn, _ what: String, _ root: Int
  ) throws(PersistenceError) {
    let place = "\(tables[root]?.name ?? "").\(column.name)"
    if let other = owners.updateValue(what, forKey: place) {
      throw PersistenceError(
        .unsupported,
        "the store '\(path)' has one column, '\(place)', for \(other) and for \(what), and which of "
          + "them Core Data keeps there is not known; rename one in a new version of the app's model"
      )
    }
  }

  private func columns(
    of property: CompiledProperty, in entity: CompiledEntity
  ) throws(PersistenceError) -> [MappedColumn] {
    guard property.slot >= 0, let table = tables[entity.root] else { return [] }
    let suffix = suffixes[PropertyPlace(entity: entity.index, property: property.index)] ?? ""
    func column(
      _ names: [String], _ role: MappedColumn.Role, slot: Int, _ codec: ColumnCodec
    ) throws(PersistenceError) -> MappedColumn {
      MappedColumn(
        name: try find(names, in: table, "of '\(property.name)' of '\(entity.name)'"), role: role,
        property: property.index, slot: slot, codec: codec,
        isRequired: !property.mayBeEmpty && [.attribute, .key].contains(role),
        isDeclaredRequired: false)
    }
    let base = property.columnBase
    guard let relationship = property.relationship else {
      let codec = property.attribute.flatMap {
        dialect.codecs.codec(of: $0.type, isExternal: property.isExternal)
      }
      guard let codec else { return [] }
      return [try column(["Z\(base)\(suffix)"], .attribute, slot: property.slot, codec)]
    }
    var columns = [try column(["Z\(base)\(suffix)"], .key, slot: property.slot, .key)]
    if relationship.entitySlot >= 0 {
      let name = "Z\(numbers[relationship.destination])_\(base)"
      columns.append(
        try column(
          [name + suffix, name], .entity, slot: relationship.entitySlot, .entityNumber))
    }
    if model.inverse(of: relationship)?.isOrdered == true {
      let name = "Z_FOK_\(base)"
      columns.append(try column([name + suffix, name], .position, slot: -1, .position))
    }
    return columns
  }

  /// The first of the names that a table has, as the table writes it.
  private func find(
    _ names: [String], in table: TableSchema, _ what: @autoclosure () -> String
  ) throws(PersistenceError) -> String {
    for name in names {
      if let found = table.column(like: name) { return found }
    }
    throw missing(
      "column", names.first ?? "", "\(what()) in the table '\(table.name)'", among: table)
  }
}

// MARK: - Links

extension CoreDataLayout {
  private mutating func join(
    of relationship: CompiledRelationship
  ) throws(PersistenceError) -> JoinMapping {
    guard let inverse = model.inverse(of: relationship) else {
      return try memberKey(of: relationship)
    }
    guard inverse.id != relationship.id else {
      throw PersistenceError(
        .unsupported,
        "the relationship \(name(of: relationship)) is its own inverse, and how Core Data keeps the "
          + "links of such a to-many relationship is not known")
    }
    let names = [relationship, inverse].map { "Z_\(numbers[$0.entity])\($0.columnBase)" }
    for table in names.compactMap({ schemas[$0] }) {
      guard let members = column("Z_", of: relationship, inverse, in: table),
        let owners = column("Z_", of: inverse, relationship, in: table)
      else { continue }
      use(table)
      return JoinMapping(
        table: table.name, ownerColumn: owners, memberColumn: members,
        memberPositionColumn: try position(of: relationship, inverse, in: table),
        ownerPositionColumn: try position(of: inverse, relationship, in: table),
        ownerRoot: model.entities[relationship.entity].root,
        memberRoot: model.entities[relationship.destination].root)
    }
    throw missing(
      "table", names[0], "of the links of \(name(of: relationship))",
      among: schemas.values.map(\.name))
  }

  private func position(
    of relationship: CompiledRelationship, _ inverse: CompiledRelationship, in table: TableSchema
  ) throws(PersistenceError) -> String? {
    guard relationship.isOrdered else { return nil }
    if let found = column("Z_FOK_", of: relationship, inverse, in: table) { return found }
    throw missing(
      "column", "Z_FOK_\(numbers[inverse.entity])\(relationship.columnBase)",
      "of the order of \(name(of: relationship)) in the table '\(table.name)'", among: table)
  }

  /// The column of a table of links that has the members of a relationship: its number is that of
  /// the members' entity, or, after some migrations, another one.
  private func column(
    _ prefix: String, of relationship: CompiledRelationship, _ inverse: CompiledRelationship,
    in table: TableSchema
  ) -> String? {
    let base = relationship.columnBase
    for entity in [inverse.entity, relationship.destination] {
      if let found = table.column(like: "\(prefix)\(numbers[entity])\(base)") { return found }
    }
    let numbered = table.columns.map(\.name).filter {
      $0.uppercased().dropPrefix(prefix)?.dropDigits() == base[...]
    }
    if let only = numbered.first, numbered.count == 1 { return only }
    // Names that refer to one entity differ in all tables.
    let suffixed = table.columns.map(\.name).filter {
      let rest = $0.uppercased().dropPrefix(prefix)?.dropDigits()?.dropPrefix(base)
      return rest.map { !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) } ?? false
    }
    return suffixed.count == 1 ? suffixed[0] : nil
  }

  /// A to-many relationship without inverse, whose members have the key of their owner: the table
  /// of the members is one of links too.
  private func memberKey(
    of relationship: CompiledRelationship
  ) throws(PersistenceError) -> JoinMapping {
    let root = model.entities[relationship.destination].root
    let (number, base) = (numbers[relationship.entity], relationship.columnBase)
    guard let table = tables[root] else {
      throw missing(
        "table", "", "of the members of \(name(of: relationship))",
        among: schemas.values.map(\.name))
    }
    return JoinMapping(
      table: table.name,
      ownerColumn: try find(["Z\(number)\(base)"], in: table, "of \(name(of: relationship))"),
      memberColumn: "Z_PK",
      memberPositionColumn: relationship.isOrdered
        ? try find(
          ["Z_FOK_\(number)\(base)", "Z_FOK_\(base)"], in: table,
          "of the order of \(name(of: relationship))") : nil,
      ownerPositionColumn: nil, ownerRoot: model.entities[relationship.entity].root,
      memberRoot: root, isMemberKey: true)
  }

  private func name(of relationship: CompiledRelationship) -> String {
    "'\(relationship.name)' of '\(model.entities[relationship.entity].name)'"
  }
}

// MARK: - What is missing

extension CoreDataLayout {
  private func missing(
    _ kind: String, _ name: String, _ what: String, among names: [String]
  ) -> PersistenceError {
    PersistenceError(
      .modelMismatch,
      "the store '\(path)' lacks the \(kind) '\(name)' \(what); give the version of the model that "
        + "it was written for",
      nearNames: PersistenceError.nearNames(to: name, among: names.sorted()))
  }

  private func missing(
    _ kind: String, _ name: String, _ what: String, among table: TableSchema
  ) -> PersistenceError { missing(kind, name, what, among: table.columns.map(\.name)) }
}

extension TableSchema {
  /// What is wrong with the key of a table of Core Data; `nil` where nothing is.
  package var keyDamage: String? {
    guard primaryKey != ["Z_PK"] || column(named: "Z_PK")?.type != .integer else { return nil }
    return "the table \(name) was made anew by another tool: its column Z_PK is not an INTEGER "
      + "PRIMARY KEY, so Core Data does not open the store"
  }

  /// The name of a column, whatever the case of its letters.
  fileprivate func column(like name: String) -> String? {
    column(named: name)?.name ?? columns.first { $0.name.uppercased() == name }?.name
  }
}

extension CompiledProperty {
  /// The name as columns have it; of a part of a composite attribute, that of the part.
  fileprivate var columnBase: String {
    guard name.utf8.contains(UInt8(ascii: ".")) else { return name.uppercased() }
    return (name.split(separator: ".").last.map(String.init) ?? name).uppercased()
  }
}

extension CompiledRelationship {
  fileprivate var columnBase: String { name.uppercased() }
}

extension StringProtocol {
  fileprivate func dropPrefix(_ prefix: String) -> Self.SubSequence? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }

  /// Without the number at its beginning; `nil` without one.
  fileprivate func dropDigits() -> Self.SubSequence? {
    let rest = drop(while: \.isASCIIDigit)
    return rest.startIndex == startIndex ? nil : rest
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
