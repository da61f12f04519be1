internal import OxbowCoreData
internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// A file has nothing of ours, so a save is not counted: whether it is durable is found out by
// reading again what it has written.

extension CoreDataBookkeeping {
  /// What was reserved and not used is left alone after a save: other programs take the next key
  /// from the last one that was handed out.
  var keepsReservedKeys: Bool { false }

  var keyCounter: String { "Z_MAX in Z_PRIMARYKEY" }

  func reserve(
    _ count: Int64, _ root: EntityMapping, _ mapping: StoreMapping, _ connection: Connection
  ) throws -> Range<Int64> {
    let generator = CoreDataGenerator(mapping.dialect)
    let sql = generator.lastKeys(root, referring: mapping.columns(referringToRoot: root.root))
    let name = mapping.model.entities[root.root].name
    guard let row = try connection.rows(sql, [.integer(root.number)]).first,
      case .integer(let noted) = row[0]
    else {
      throw PersistenceError(
        .notAStore,
        "the store '\(connection.path)' has no number in Z_MAX for '\(name)' in Z_PRIMARYKEY; restore "
          + "a copy")
    }
    guard case .integer(let used) = row[1] else {
      throw PersistenceError(
        .invalidStoredValue,
        "the store '\(connection.path)' refers to an object of '\(name)' by a key that is not a whole "
          + "number, \(row[1]); another program wrote it: restore a copy")
    }
    guard let keys = max(noted, used).keys(after: count) else {
      throw PersistenceError(
        .invalidStoredValue,
        "the store '\(connection.path)' has no key left for a new object of '\(name)': Z_MAX is "
          + "\(noted), the largest key \(used); another program wrote them: restore a copy")
    }
    try connection.run(
      generator.setLastKey, [.integer(keys.upperBound - 1), .integer(root.number)])
    return keys
  }

  func begin(
    _ changes: inout ChangeSet, _ writer: borrowing ChangeWriter
  ) throws -> CoreDataSave? {
    var save = try CoreDataSave(changes, writer)
    try save.moveOut(&changes, writer)
    return save
  }

  func keep(_ metadata: [ChangeSet.Metadatum], _ connection: Connection) throws {
    let bytes = try CoreDataTables.propertyList(connection)
    let values = try metadata.map { item in
      guard !StoreProperties.isOwnedByCoreData(item.key) else {
        throw PersistenceError(
          .validation,
          "'\(item.key)' is a key of Core Data's own, under which a program keeps nothing; nothing was "
            + "saved")
      }
      return (key: item.key, value: try item.value.map { try Self.own($0, item.key) })
    }
    let changed = try PersistenceError.inStore(connection.path, "metadata") {
      () throws(DocumentError) in
      do { return try StoreProperties.changing(bytes, values, file: connection.path) } catch {
        throw error as? DocumentError ?? DocumentError(message: "\(error)", location: nil)
      }
    }
    try connection.run(CoreDataTables.replaceProperties, [.blob(changed)])
  }

  /// A value as the metadata have it, which reads as it was set.
  private static func own(
    _ value: AttributeValue, _ key: String
  ) throws(PersistenceError) -> StoreProperties.OwnValue {
    switch value {
    case .integer(let number): return .integer(number)
    case .boolean(let truth): return .boolean(truth)
    case .string(let text): return .text(text)
    case .date(let date): return .date(date.timeIntervalSinceReferenceDate)
    case .data(let data): return .data(Array(data))
    case .uuid(let uuid): return .data(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .url(let url): return .text(url.absoluteString)
    case .double(let number): return .real(number)
    case .decimal(let number):
      guard let text = DecimalNumber.written(number) else { break }
      return Int64(text).map { .integer($0) } ?? .real(Double(text) ?? 0)
    }
    throw PersistenceError(
      .validation, "'\(value)' cannot be kept with the store as '\(key)'; nothing was saved")
  }

  func note(
    _ update: StoreUpdate, _ objects: [ObjectReference], _ writer: inout ChangeWriter
  ) throws {
    try requireWhole(update, writer)
    try requireVersions(of: update.fetch.entity, objects, writer)
    guard try writer.connection.integer(CoreDataHistory.exists) != nil else { return }
    var record = CoreDataRecord()
    let properties = Set(update.assignments.map(\.property))
    for object in objects { record.add(.update, object, properties) }
    try record.write(
      author: update.author, context: update.contextName, writer.mapping, writer.connection)
  }

  /// Refuses to give a row a version that Core Data does not have.
  private func requireVersions(
    of entity: Int, _ objects: [ObjectReference], _ writer: borrowing ChangeWriter
  ) throws {
    let mapping = writer.mapping
    let sql = CoreDataGenerator(mapping.dialect).rows(
      mapping.entities[entity], beyondVersion: CoreDataSave.largestVersion)
    let keys = mapping.dialect.array(of: objects.map(\.key))
    guard let key = try writer.connection.integers(sql, [keys]).first else { return }
    throw PersistenceError.versionsUsedUp(writer.id(entity, key))
  }

  /// Refuses to set attributes whose values may be in files: two rows would have one file.
  private func requireWhole(
    _ update: StoreUpdate, _ writer: borrowing ChangeWriter
  ) throws {
    let entity = writer.mapping.model.entities[update.fetch.entity]
    for assignment in update.assignments {
      let property = entity.properties[assignment.property]
      let isOfBytes = [.binaryData, .transformable].contains(property.attribute?.type)
      let isConstant = if case .value = assignment.value { true } else { false }
      guard property.isExternal || isOfBytes && !isConstant else { continue }
      throw PersistenceError(
        .unsupported,
        "'\(property.name)' cannot be set for many objects at once in a store of Core Data, because its "
          + "values, or those that it would get, may be in files; fetch the objects and set it")
    }
  }

  func end(_ writer: borrowing ChangeWriter) throws -> SaveMark { writer.mark }

  func isDurable(_ mark: SaveMark, _ connection: Connection) -> Bool? {
    guard case .row(let sql, let key, let version) = mark,
      let rows = try? connection.rows(sql, [.integer(key)])
    else { return nil }
    guard let version else { return rows.isEmpty }
    guard case .integer(let found)? = rows.first?[0] else { return false }
    // A later version may follow this save, or others that took its place.
    return found > version ? nil : found == version
  }
}

extension Connection {
  /// Registers the functions that triggers of derived attributes call; Core Data hears of new
  /// values by them.
  func registerTriggerFunctions() throws {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ] {
      try register(name, -1, function: { context, _, _ in giveNothing(context) })
    }
  }
}
