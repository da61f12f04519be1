// The rows of a store in another layout: one pass over the rows of the source, in one transaction
// of the target, and nothing but counts in memory.
//
// Cells are copied as they are where both layouts keep a value in the same form, after the check
// that a reader makes. Keys are looked up in the source, because Core Data has no foreign keys.
// Once something is lost that may not be, rows are read for the counts only.

internal import OxbowCoreData
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// One conversion, in a transaction of both databases.
struct StoreTransfer {
  let store: SQLiteStore
  let source: Connection
  let target: NewStoreFile
  let connection: Connection
  private let allowsLoss: Bool
  private let progress: CoreDataConversion.Progress
  let from: StoreMapping
  let to: StoreMapping
  let generator: TransferGenerator

  /// What a new store of Core Data is made of.
  let version: CoreDataVersion?
  private let definitions: CoreDataDefinitions?

  /// The entities by their numbers in the source.
  private let entities: [Int64: CompiledEntity]

  /// The largest keys that occur, by root.
  var lastKeys: [Int: Int64] = [:]

  /// Whether values of the source, and of a plain target, may be in files.
  let readsFiles: Bool
  let hasFiles: Bool
  var result = CoreDataConversion.Summary()

  var model: CompiledModel { to.model }

  init(
    _ store: SQLiteStore, _ source: Connection, _ target: NewStoreFile, _ connection: Connection,
    _ version: CoreDataVersion?, _ allowsLoss: Bool,
    _ progress: @escaping CoreDataConversion.Progress
  ) throws {
    (self.store, self.source, self.target) = (store, source, target)
    (self.connection, self.version) = (connection, version)
    (self.allowsLoss, self.progress) = (allowsLoss, progress)
    from = try store.current().mapping
    switch version {
    case nil:
      to = try SQLiteStore.create(store.model, store.part, connection)
      definitions = nil
      hasFiles = store.model.entities.contains { $0.properties.contains(where: \.isExternal) }
      if hasFiles {
        try connection.create([FilesTable.table])
        try connection.run(FilesTable.raiseLayout)
      }
    case let version?:
      let definitions = try CoreDataLayout.definitions(of: store.model)
      to = try connection.create(
        store.model, definitions, version, identifier: store.identifier.uuidString)
      (self.definitions, hasFiles) = (definitions, false)
      result.notes = definitions.notes
    }
    readsFiles = try source.hasFiles()
    generator = TransferGenerator(from: from, to: to)
    entities = Dictionary(
      from.entities.map { ($0.number, store.model.entities[$0.entity]) }
    ) { first, _ in first }
  }

  mutating func run() throws {
    for entity in model.entities where entity.root == entity.index { try findStrays(below: entity) }
    for entity in model.entities where entity.concrete.contains(entity.index) {
      try copy(entity)
    }
    for (id, join) in to.joins.sorted(by: { $0.value.table < $1.value.table }) {
      try copyLinks(model.property(id).relationship, join)
    }
    try writeMetadata()
    guard isWriting else { return }
    if definitions != nil { for order in generator.orders { try connection.execute(order) } }
    try derive()
    for trigger in definitions?.triggers ?? [] { try connection.execute(trigger) }
  }

  /// Runs `body` for each row of a statement, with the statement that writes.
  mutating func each(
    _ name: String, _ reading: String, count: String, writing: String,
    _ body: (inout Self, Statement, Statement) throws -> Void
  ) throws {
    let (source, connection) = (source, connection)
    let count = Int(try source.integer(count) ?? 0)
    var done = 0
    try source.withStatement(reading) { rows in
      try connection.withStatement(writing) { write in
        while try rows.step() {
          try body(&self, rows, write)
          done += 1
          guard done % 1024 == 0 || done == count else { continue }
          guard progress(name, done, count) else {
            throw PersistenceError(
              .interrupted, "the conversion was interrupted; nothing was written")
          }
        }
      }
    }
  }

  /// Whether the new store is going to be there.
  var isWriting: Bool { result.losses.areAllowed(allowsLoss) }

  mutating func lose(
    _ kind: ConversionLosses.LossKind, _ subject: String, _ place: @autoclosure () -> String? = nil
  ) { result.losses.add(kind, subject, at: place()) }

  private mutating func findStrays(below root: CompiledEntity) throws {
    guard let sql = generator.strays(below: root) else { return }
    for key in try source.integers(sql) { lose(.noEntity, root.name, "\(root.name)/p\(key)") }
  }

  /// Computes the derived attributes that are not what they should be.
  private func derive() throws {
    for fill in DerivationGenerator(mapping: to).fills where !fill.table.isEmpty {
      try connection.run(fill.statement)
      guard let check = fill.check, let count = try connection.integer(check), count > 0 else {
        continue
      }
      throw PersistenceError(
        .invalidStoredValue, "\(fill.subject) cannot be computed for \(count) objects")
    }
  }

  /// The entity of the object that a key refers to; `nil` for a link that is left out.
  mutating func far(
    _ number: SQLValue, _ key: Int64, _ destination: CompiledEntity,
    _ subject: @autoclosure () -> String, _ place: @autoclosure () -> String
  ) -> CompiledEntity? {
    noteKey(key, root: destination.root)
    guard case .integer(let number) = number else {
      lose(.danglingLink, subject(), place())
      return nil
    }
    if let entity = entities[number], !entity.isAbstract, entity.isKind(of: destination) {
      return entity
    }
    lose(.otherEntity, subject(), place())
    return nil
  }

  /// A key that occurs is never given to a new object.
  mutating func noteKey(_ key: Int64, root: Int) {
    if key < 1 << 62 { lastKeys[root] = max(lastKeys[root] ?? 0, key) }
  }
}

// MARK: - Links

extension StoreTransfer {
  private mutating func copyLinks(
    _ relationship: CompiledRelationship?, _ join: JoinMapping
  ) throws {
    guard let relationship, let sql = generator.links(of: relationship),
      let linking = generator.linking(relationship)
    else { return }
    let subject = "\(model.entities[relationship.entity].name).\(relationship.name)"
    var last: Int64?
    try each(
      subject, sql.rows, count: sql.count, writing: linking.statement
    ) { transfer, rows, link in
      let member = rows.integer(at: 1)
      guard !linking.isInMember || member != last else {
        return transfer.lose(.secondOwner, subject, "\(rows.integer(at: 0)) to \(member)")
      }
      if try transfer.copyLink(relationship, subject, rows, link) { last = member }
    }
  }

  /// - Returns: Whether both ends are there.
  private mutating func copyLink(
    _ relationship: CompiledRelationship, _ subject: String, _ rows: Statement, _ link: Statement
  ) throws -> Bool {
    let (owner, member) = (rows.integer(at: 0), rows.integer(at: 1))
    let ends = [relationship.entity, relationship.destination].map { model.entities[$0] }
    let place = "\(owner) to \(member)"
    guard far(rows.value(at: 2), owner, ends[0], subject, place) != nil,
      far(rows.value(at: 3), member, ends[1], subject, place) != nil
    else { return false }
    guard isWriting else { return true }
    let positions = (4..<max(4, rows.columnCount)).map { rows.value(at: $0) }
    try link.run([.integer(owner), .integer(member)] + positions)
    result.links += 1
    return true
  }
}

// MARK: - Metadata

extension StoreTransfer {
  private mutating func writeMetadata() throws {
    var properties = version?.properties
    for key in try store.bookkeeping.keys(source) {
      let value = try store.bookkeeping.value(of: key, source)
      if properties != nil {
        guard let item = value?.item, properties?.add(item, for: key) == true else {
          lose(.metadataKey, key)
          continue
        }
        if case .real = value { lose(.metadataNumber, key) }
      } else if let value, value.isFinite {
        try connection.run(
          MetadataTables.writeFact, [.text(MetadataTables.ownName(key)), value])
      } else {
        lose(.metadata, key)
      }
    }
    if let properties {
      try connection.run(CoreDataTables.replaceProperties, [.blob(try properties.bytes())])
      try finishCoreData()
    } else {
      try finishPlain()
    }
  }

  private mutating func finishPlain() throws {
    let identifier = MetadataTables.Fact.identifier.rawValue
    try connection.run(
      MetadataTables.writeFact, [.text(identifier), .text(store.identifier.uuidString)])
    guard let tables = try CoreDataTables.read(source) else { return }
    result.historySaves = try tables.history(source)?.saves
    result.isMirrored = tables.isMirrored
    try CoreDataVersion(of: tables, source.path).keep(in: connection)
    for root in to.roots {
      let number = from.entities[root.entity].number
      let noted = try source.integer(CoreDataTables.readLastKey, [.integer(number)]) ?? 0
      let last = max(lastKeys[root.entity] ?? 0, min(noted, 1 << 62))
      try connection.run(MetadataTables.reserveKeys, [.integer(last), .integer(root.number)])
    }
  }

  private mutating func finishCoreData() throws {
    if try source.integer(HistoryTables.exists) == 1 {
      result.historySaves = Int(try source.integer(HistoryTables.count) ?? 0)
    }
    for root in model.entities where root.root == root.index {
      let mapped = from.entities[root.index]
      let noted = try source.integer(
        MetadataTables.readKeys(table: mapped.table, keyColumn: mapped.keyColumn),
        [.integer(mapped.number)])
      let last = max(lastKeys[root.index] ?? 0, noted ?? 0)
      try connection.run(
        CoreDataGenerator(to.dialect).setLastKey,
        [.integer(last), .integer(to.entities[root.index].number)])
    }
  }
}

extension SQLValue {
  /// Whether SQLite keeps it: it makes NULL of NaN.
  var isFinite: Bool {
    if case .real(let number) = self { number.isFinite } else { true }
  }
}
