internal import OxbowCoreData
internal import OxbowDocuments
package import OxbowModel
internal import OxbowRelational

/// Gives a store of Core Data another version of its model that differs in version hashes, and in
/// nothing that tables, numbers or values depend on: what is optional, counts, modifiers.
///
/// Metadata and the model in the store are written in one transaction, with the file locked
/// against all others.
package struct CoreDataRehashing: Sendable {
  /// The model that the store has; what it shall have, and its version.
  package let old: ManagedObjectModel
  package let new: ManagedObjectModel
  package let version: CoreDataVersion

  private let path: String
  private let hashes: [String: [UInt8]]

  /// Whether the store has a history of saves.
  package let hasHistory: Bool

  /// Whether the store keeps a model, and cannot keep the new one.
  package let dropsModel: Bool

  /// The archive of the new model, if Xcode compiled it.
  private let archive: [UInt8]?

  /// - Parameters:
  ///   - path: The store.
  ///   - model: The new model: a document or a compiled one, or a store that keeps it.
  ///   - document: A model of the app, for a store that keeps none.
  /// - Throws: ``PersistenceError``: `notAStore` for another kind of store; `unsupported` for a
  ///   mirrored one, and for a model whose hashes are unknown.
  package init(
    of path: String, to model: String, from document: String? = nil
  ) throws(PersistenceError) {
    guard let store = try CoreDataInspection.at(path) else {
      throw PersistenceError(
        .notAStore, "'\(path)' is not a store of Core Data; 'oxbowctl migrate' is for Oxbow's own")
    }
    guard !store.isMirrored else {
      throw PersistenceError(
        .unsupported,
        "the store '\(path)' is mirrored to CloudKit and is not migrated here; its app migrates it")
    }
    if let document {
      old = try ModelDocument.version(
        of: document, fitting: store.hashes, kept: try? store.model?.model
      ).document.model
    } else {
      old = try store.requireModel().model
    }
    let given = try CoreDataModel(at: model)
    (new, version) = (given.document.model, try given.version)
    archive = try Self.archive(of: given.document)
    dropsModel = store.keepsModel && archive == nil
    (self.path, hashes, hasHistory) = (store.path, store.hashes, store.history != nil)
  }

  /// Whether the store has the version already.
  package var isDone: Bool { version.hashes == hashes }

  private static func archive(of document: ModelDocument) throws(PersistenceError) -> [UInt8]? {
    guard document.path.hasSuffix(".mom") else { return nil }
    do throws(DocumentError) {
      return try DocumentFile.bytes(of: document.path, limits: ModelArchive.limits)
    } catch { throw PersistenceError(.invalidModel, error.message, at: error.location) }
  }
}

// MARK: - What differs

extension CoreDataRehashing {
  /// Why the store cannot have the version in place, in words; empty if it can.
  package func obstacles() throws(PersistenceError) -> [String] {
    let (before, after) = (try CompiledModel(old), try CompiledModel(new))
    let (tables, newTables) = (
      try CoreDataLayout.definitions(of: before), try CoreDataLayout.definitions(of: after)
    )
    let others = tables.differences(from: newTables)
    let texts =
      others
      + new.entities.flatMap { entity in
        old.entity(named: entity.name).map {
          $0.differencesInValues(from: entity, hasHistory)
            + (others.isEmpty ? $0.movedProperties(in: entity) : [])
        } ?? []
      }
      + new.entities.filter { entity in
        Self.isRenamed(
          entity.renamingIdentifier, old.entity(named: entity.name)?.renamingIdentifier)
          && entity.renamingIdentifier != entity.name
          && old.entities.contains { $0.name == entity.renamingIdentifier }
      }
      .map { "'\($0.name)' keeps the objects of another entity" }
    guard texts.isEmpty else { return texts }
    do {
      return try UntouchedFile.read(path) {
        try lostObjects(before, after, $0) + missingValues(before, after, $0)
      }
    } catch { throw PersistenceError(error, "reading") }
  }

  /// Whether a version gives a new name; what was renamed in a former one keeps its identifier.
  fileprivate static func isRenamed(_ new: String?, _ old: String?) -> Bool {
    new != nil && new != old
  }

  /// The entities that have objects, and become abstract.
  private func lostObjects(
    _ before: CompiledModel, _ after: CompiledModel, _ connection: Connection
  ) throws -> [String] {
    guard let tables = try CoreDataTables.read(connection) else { return [] }
    let mapping = try CoreDataLayout.mapping(of: before, tables, path: path)
    return try before.entities.compactMap { entity in
      guard !entity.isAbstract, after.entity(named: entity.name)?.isAbstract == true else {
        return nil
      }
      let count = try connection.integer(mapping.countRows(ofOnly: entity)) ?? 0
      return count == 0
        ? nil : "'\(entity.name)' is abstract, and objects of it would be lost: \(count)"
    }
  }

  /// The properties that the new model requires and objects do not have.
  private func missingValues(
    _ before: CompiledModel, _ after: CompiledModel, _ connection: Connection
  ) throws -> [String] {
    guard let tables = try CoreDataTables.read(connection) else { return [] }
    let mapping = try CoreDataLayout.mapping(of: after, tables, path: path)
    return try after.entities.flatMap { entity in
      try entity.properties.compactMap { property in
        let former = before.entity(named: entity.name)?.property(named: property.name)
        guard property.declaringEntity == entity.index, !property.mayBeEmpty,
          former?.mayBeEmpty == true,
          let query = mapping.rows(without: property, of: entity)
        else { return nil }
        let count = try connection.integer("SELECT count(*) FROM (\(query))") ?? 0
        return count == 0
          ? nil
          : "'\(property.name)' of '\(entity.name)' is required, and missing in \(count) of its objects"
      }
    }
  }
}

extension EntityDescription {
  /// What differs in the values that an entity's columns have; `self` is the one before.
  fileprivate func differencesInValues(
    from new: EntityDescription, _ hasHistory: Bool
  ) -> [String] {
    let attributes = new.attributes.filter { attribute in
      guard let old = self.attributes.first(where: { $0.name == attribute.name }) else {
        return false
      }
      return takesOthers(attribute.name, attribute.renamingIdentifier, old.renamingIdentifier)
        || (old.type, old.allowsExternalStorage)
          != (attribute.type, attribute.allowsExternalStorage)
        || old.derivation != attribute.derivation
        || hasHistory
          && old.preservesValueInHistoryOnDeletion != attribute.preservesValueInHistoryOnDeletion
    }
    let relationships = new.relationships.filter { relationship in
      guard let old = self.relationships.first(where: { $0.name == relationship.name }) else {
        return false
      }
      return takesOthers(
        relationship.name, relationship.renamingIdentifier, old.renamingIdentifier)
        || (old.destination, old.inverse, old.isToMany, old.isOrdered)
          != (
            relationship.destination, relationship.inverse, relationship.isToMany,
            relationship.isOrdered
          )
    }
    return (attributes.map(\.name) + relationships.map(\.name)).map {
      "'\($0)' of '\(name)' keeps other values"
    }
  }

  /// The properties that one of two versions alone declares here: where tables are the same, they
  /// have moved within a hierarchy.
  fileprivate func movedProperties(in new: EntityDescription) -> [String] {
    storedNames.subtracting(new.storedNames).sorted().map {
      "'\($0)' of '\(name)' becomes one of another entity"
    }
      + new.storedNames.subtracting(storedNames).sorted().map {
        "'\($0)' of '\(name)' was one of another entity"
      }
  }

  /// Whether a property takes the values of another one of the entity, whose former name it names.
  private func takesOthers(_ name: String, _ identifier: String?, _ before: String?) -> Bool {
    guard CoreDataRehashing.isRenamed(identifier, before), identifier != name else { return false }
    return attributes.contains { $0.name == identifier }
      || relationships.contains { $0.name == identifier }
  }
}

// MARK: - Writing

extension CoreDataRehashing {
  /// Gives the store at a path the version: this store, or a copy of it.
  ///
  /// - Throws: ``PersistenceError``: `storeLocked` while another program has it open,
  ///   `migrationRefused` if it has changed since it was looked at.
  package func apply(to path: String) throws(PersistenceError) {
    do {
      let path = System.realPath(path)
      let lock = try LockFile.current(
        besideStore: path, usage: .alone, milliseconds: 5000, isRemoved: true)
      defer { lock.close() }
      let connection = try Connection(path: path, configuration: .init(role: .sole))
      defer { connection.close() }
      // A program that has a log open keeps others from having the file alone.
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
      try connection.transaction(.write) { try rewrite(connection) }
    } catch { throw PersistenceError(error, "migrating") }
  }

  private func rewrite(_ connection: Connection) throws {
    guard let tables = try CoreDataTables.read(connection),
      try StoreProperties(of: tables, connection.path).hashes == hashes
    else {
      throw PersistenceError(
        .migrationRefused,
        "the store '\(connection.path)' has changed since it was looked at; nothing was done: try "
          + "again")
    }
    let kept = tables.model == nil ? nil : archive
    var values: [(key: String, value: StoreProperties.OwnValue?)] = [
      ("NSStoreModelVersionHashes", .hashes(version.hashes)),
      ("NSStoreModelVersionIdentifiers", .texts(version.identifiers)),
      ("NSStoreModelVersionHashesDigest", .text(version.digest)),
      ("NSStoreModelVersionChecksumKey", .text(version.checksum)),
    ]
    if tables.model != nil, kept == nil {
      values.append(
        ("NSPersistenceFrameworkVersion", .integer(NewStoreProperties.frameworkVersion)))
    }
    let list = try StoreProperties.changing(tables.properties, values, file: connection.path)
    try connection.run(CoreDataTables.replaceProperties, [.blob(list)])
    // The table is made anew, so that programs that have the store open see another schema.
    try connection.execute("DROP TABLE IF EXISTS Z_MODELCACHE")
    try connection.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    guard let kept else { return try connection.execute("DROP TABLE Z_MODELCACHE") }
    try connection.run(
      "INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(ModelArchive.compressed(kept))])
  }
}
