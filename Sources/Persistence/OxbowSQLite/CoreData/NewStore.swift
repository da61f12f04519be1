internal import Logging
internal import OxbowCoreData
package import OxbowFoundation
package import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// Makes empty stores, each of which is there whole or not at all.
package enum NewStore {
  /// Makes a store of the plain layout.
  ///
  /// - Throws: ``PersistenceError``: `invalidModel`, `storeUnreachable` for a path that is taken…
  package static func make(
    _ path: String, _ model: ManagedObjectModel
  ) throws(PersistenceError) {
    let compiled = try CompiledModel(model)
    try fill(path, .plain) { connection in
      try SQLiteStore.create(compiled, ModelPart(whole: compiled), connection)
    }
  }

  /// Makes a store of Core Data for a model of an app.
  ///
  /// The store does not keep the model: apps have theirs, and know it by its version hashes.
  ///
  /// - Parameters:
  ///   - path: A path where there is nothing.
  ///   - model: The model.
  ///   - version: How Core Data knows the model.
  ///   - identifier: The store's identifier.
  /// - Returns: What Core Data may do in another way.
  /// - Throws: ``PersistenceError``: `unsupported` for a model with a form that is not known,
  ///   `invalidModel`, `storeUnreachable` for a path that is taken…
  package static func makeForCoreData(
    _ path: String, model: ManagedObjectModel, version: CoreDataVersion,
    identifier: UUID = UUID()
  ) throws(PersistenceError) -> [String] {
    let compiled = try CompiledModel(model)
    let definitions = try CoreDataLayout.definitions(of: compiled)
    try fill(path, .coreData) { connection in
      _ = try connection.create(
        compiled, definitions, version, identifier: identifier.uuidString)
      for trigger in definitions.triggers { try connection.execute(trigger) }
    }
    return definitions.notes
  }

  private static func fill(
    _ path: String, _ layout: StoreLayout, _ body: (Connection) throws -> Void
  ) throws(PersistenceError) {
    do {
      let file = try NewStoreFile(path, layout)
      try file.receive { try file.fill(body) }
    } catch { throw PersistenceError(error, "making") }
  }
}

extension Connection {
  /// Makes the tables of a new store of Core Data.
  func create(
    _ model: CompiledModel, _ definitions: CoreDataDefinitions, _ version: CoreDataVersion,
    identifier: String
  ) throws -> StoreMapping {
    let tables = try CoreDataTables.create(
      definitions, identifier: identifier, properties: try version.properties.bytes(), self)
    return try CoreDataLayout.mapping(of: model, tables, path: path)
  }
}

extension CoreDataVersion {
  /// The version that a store has.
  init(of tables: CoreDataTables, _ path: String) throws(PersistenceError) {
    let properties = try StoreProperties(of: tables, path)
    self.init(hashes: properties.hashes, identifiers: properties.versionIdentifiers)
  }
}

extension SQLValue {
  /// The value as a property list has it; `nil` for NULL.
  var item: StoreProperties.OwnValue? {
    switch self {
    case .null: nil
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .blob(let bytes): .data(bytes)
    }
  }
}

extension SQLiteStore {
  /// Makes an empty store of Core Data where there is nothing; it may be another process that does.
  static func makeForCoreData(
    _ path: String, _ options: SQLiteStoreOptions, _ part: ModelPart
  ) throws {
    guard System.fileID(path) == nil else { return }
    guard options.history == .off else { throw PersistenceError.noHistoryOfCoreData(path) }
    do {
      let notes = try NewStore.makeForCoreData(
        path, model: part.source, version: CoreDataVersion(of: part.source))
      for note in notes { options.logger?.notice("\(note)") }
    } catch {
      guard System.fileID(path) != nil else { throw error }
    }
  }
}
