import OxbowModel
import OxbowRelational
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport

@testable import OxbowSQLite

/// A store in Core Data's form that a test makes with statements, and reads through a store.
///
/// Its mapping has names by Core Data's rules, for models without links of their own tables.
enum HandMadeStore {
  /// Makes the tables of a model, runs statements on them, and opens them.
  static func open(
    _ model: ManagedObjectModel, in scratch: Scratch, journal: String = "WAL",
    isStrict: Bool = false, filledBy fill: (Connection) throws -> Void
  ) throws -> Library {
    let template = try SQLiteStore(try CompiledModel(model), at: .temporary)
    defer { template.close() }
    let mapping = mapping(of: template.model)
    try make(scratch.file(), mapping, journal, isStrict, fill)
    let options = template.options
    var configuration = options.configuration
    configuration.usesWriteAheadLog = journal == "WAL"
    let database = try DatabaseRegistry.acquire(scratch.file(), configuration)
    let state = try database.read { connection in
      try connection.transaction(.read) { try SQLiteStore.prove(mapping, options, connection) }
    }
    return Library(SQLiteStore(template, database, state), support: scratch)
  }

  private static func make(
    _ path: String, _ mapping: StoreMapping, _ journal: String, _ isStrict: Bool,
    _ fill: (Connection) throws -> Void
  ) throws {
    let connection = try Connection(
      path: path, configuration: Connection.Configuration(role: .sole))
    defer { connection.close() }
    try connection.execute("PRAGMA journal_mode = \(journal)")
    for table in mapping.tables { try connection.execute(definition(of: table, mapping, isStrict)) }
    try fill(connection)
  }

  /// A table as Core Data declares it; or with types that prove what its cells have.
  private static func definition(
    of table: TableSchema, _ mapping: StoreMapping, _ isStrict: Bool
  ) -> String {
    let codecs = Dictionary(
      mapping.entities.filter { $0.table == table.name }.flatMap(\.columns)
        .map { ($0.name, $0.codec) }, uniquingKeysWith: { first, _ in first })
    let columns = table.columns.map { column in
      guard let codec = codecs[column.name] else {
        return "\(column.name) INTEGER" + (column.name == "Z_PK" ? " PRIMARY KEY" : "")
      }
      return isStrict
        ? "\(column.name) \(mapping.dialect.codecs.type(of: codec).rawValue) NOT NULL"
        : "\(column.name) \(declared(codec))"
    }
    return "CREATE TABLE \(table.name) (\(columns.joined(separator: ", ")))"
      + (isStrict ? " STRICT" : "")
  }

  private static func declared(_ codec: ColumnCodec) -> String {
    switch codec {
    case .double, .float: "FLOAT"
    case .decimalNumber: "DECIMAL"
    case .dateNumber: "TIMESTAMP"
    case .text, .uriText: "VARCHAR"
    case .blob, .uuidBlob, .taggedBlob: "BLOB"
    default: "INTEGER"
    }
  }

  static func mapping(of model: CompiledModel) -> StoreMapping {
    let dialect = SQLiteDialect(codecs: CoreDataCodecs())
    let entities = model.entities.map { entity in
      EntityMapping(
        entity: entity.index, root: entity.root, number: Int64(entity.index) + 1,
        table: "Z" + model.entities[entity.root].name.uppercased(), keyColumn: "Z_PK",
        versionColumn: "Z_OPT",
        typeColumn: model.entities[entity.root].subtree.count > 1 ? "Z_ENT" : nil,
        columns: entity.properties.flatMap { columns(of: $0, dialect.codecs) })
    }
    return StoreMapping(
      model: model, dialect: dialect, layout: "coreData", layoutVersion: 1,
      tables: model.entities.filter { $0.root == $0.index }.map { table(of: $0, entities) },
      entities: entities, joins: [:])
  }

  private static func columns(
    of property: CompiledProperty, _ codecs: any CodecSet
  ) -> [MappedColumn] {
    func column(
      _ name: String, _ role: MappedColumn.Role, _ slot: Int, _ codec: ColumnCodec,
      isRequired: Bool = false
    ) -> MappedColumn {
      MappedColumn(
        name: name, role: role, property: property.index, slot: slot, codec: codec,
        isRequired: isRequired, isDeclaredRequired: false)
    }
    let name = property.name.uppercased()
    if let attribute = property.attribute {
      return codecs.codec(of: attribute.type, isExternal: property.isExternal).map {
        [column("Z\(name)", .attribute, property.slot, $0, isRequired: !attribute.isOptional)]
      } ?? []
    }
    guard let relationship = property.relationship, !relationship.isToMany else { return [] }
    let key = column("Z\(name)", .key, property.slot, .key)
    guard relationship.entitySlot >= 0 else { return [key] }
    let number = relationship.destination + 1
    return [key, column("Z\(number)_\(name)", .entity, relationship.entitySlot, .entityNumber)]
  }

  private static func table(of root: CompiledEntity, _ entities: [EntityMapping]) -> TableSchema {
    var names = ["Z_PK", "Z_ENT", "Z_OPT"]
    for name in root.subtree.flatMap({ entities[$0].columns }).map(\.name)
    where !names.contains(name) { names.append(name) }
    return TableSchema(
      name: entities[root.index].table, columns: names.map { ColumnSchema($0, .any) },
      primaryKey: ["Z_PK"], isStrict: false)
  }
}
