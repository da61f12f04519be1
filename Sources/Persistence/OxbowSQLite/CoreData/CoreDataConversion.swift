internal import OxbowCoreData
internal import OxbowDocuments
internal import OxbowFoundation
package import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// Writes the objects of a store of Core Data into a new store of the plain layout, or the reverse.
package struct CoreDataConversion: Sendable {
  /// What came along.
  package struct Summary: Sendable {
    package var objects = 0
    /// The links that are not in a row of their objects.
    package var links = 0
    /// The large values that are in files of the new store.
    package var files = 0
    package var losses = ConversionLosses()
    /// The saves that the store's history has, which stays behind; `nil` if it keeps none.
    package var historySaves: Int?
    package var isMirrored = false
    /// What Core Data may do in another way with the new store.
    package var notes: [String] = []
  }

  /// How far an entity or a relationship is: its name, its rows so far, and all of them; `false`
  /// ends the conversion.
  package typealias Progress = (String, Int, Int) -> Bool

  private let path: String
  private let layout: StoreLayout
  private let document: String?

  /// - Parameters:
  ///   - path: The store.
  ///   - layout: The layout of the new one, which is not that of the store.
  ///   - document: A model of the app, where the store of Core Data does not keep one; for a new
  ///     store of Core Data, the model whose version hashes it gets (`CoreDataModel`).
  package init(
    of path: String, to layout: StoreLayout = .plain, model document: String? = nil
  ) {
    (self.path, self.layout, self.document) = (path, layout, document)
  }

  /// Writes the new store, which is there whole or not at all.
  ///
  /// - Parameters:
  ///   - destination: A path where there is nothing.
  ///   - allowsLoss: Whether what has no place in the new store may be left out.
  ///   - progress: Called once in a while.
  /// - Returns: The counts.
  /// - Throws: ``PersistenceError``: `migrationRefused` with what would be lost, `unsupported` for
  ///   another kind of store or a model that Core Data's layout is not known for,
  ///   `storeUnreachable` for a destination that is taken, `invalidStoredValue` for a cell that
  ///   does not fit the model, `interrupted`, and what opening the store throws.
  package func write(
    to destination: String, allowsLoss: Bool = false,
    _ progress: @escaping Progress = { _, _, _ in true }
  ) throws(PersistenceError) -> Summary {
    do {
      let target = try NewStoreFile(destination, layout, like: path)
      let made = try model()
      var options = SQLiteStoreOptions(isReadOnly: true, createsStore: false)
      options.leavesNoTrace = true
      let store = try SQLiteStore(CompiledModel(made.model), at: .file(path), options: options)
      defer { store.close() }
      return try target.receive {
        // The closure runs again if another program has changed the file meanwhile.
        try store.database.read { source in
          try source.transaction(.read) {
            try target.fill { connection in
              var transfer = try StoreTransfer(
                store, source, target, connection, try made.version?(source), allowsLoss, progress)
              try transfer.run()
              try transfer.result.losses.refuse(path, destination, allowsLoss)
              return transfer.result
            }
          }
        }
      }
    } catch { throw PersistenceError(error, "converting") }
  }

  /// The model of the store, and what finds out how Core Data knows it.
  private func model() throws(PersistenceError) -> (
    model: ManagedObjectModel, version: ((Connection) throws -> CoreDataVersion)?
  ) {
    guard layout == .plain else {
      guard try CoreDataInspection.at(path) == nil else {
        throw PersistenceError(
          .unsupported,
          "'\(path)' is a store of Core Data already; copy it with its log and its folder of values"
        )
      }
      return try plainModel()
    }
    if let model = try StoredModel.ofCoreData(path, document: document) { return (model, nil) }
    throw PersistenceError(
      .unsupported,
      "'\(path)' is not a store of Core Data; 'oxbowctl store backup' copies a store of Oxbow, and "
        + "'--layout coreData' makes a store of Core Data of it")
  }

  private func plainModel() throws(PersistenceError) -> (
    ManagedObjectModel, (Connection) throws -> CoreDataVersion
  ) {
    if let document {
      let given = try CoreDataModel(at: document)
      let version = try given.version
      return (given.document.model, { _ in version })
    }
    let document = try StoredModel.document(of: path)
    return (
      document.model,
      { source in
        try CoreDataVersion.kept(by: source) ?? CoreDataVersion(of: document)
      }
    )
  }
}

/// A model for new stores of Core Data.
package struct CoreDataModel {
  package let document: ModelDocument

  /// The version of a store that it was read from.
  private let stored: CoreDataVersion?

  /// Reads a model of the app, or the one of a store of the app with its version hashes.
  package init(at path: String) throws(PersistenceError) {
    let isDocument =
      System.isDirectory(path)
      || [".mom", "contents", "elements", ".omo"].contains(where: path.hasSuffix)
    guard !isDocument, let store = try CoreDataInspection.at(path) else {
      (document, stored) = (try ModelDocument(contentsOf: path), nil)
      return
    }
    document = try store.requireModel()
    stored = CoreDataVersion(hashes: store.hashes, identifiers: store.versionIdentifiers)
  }

  /// How Core Data knows the model.
  ///
  /// - Throws: ``PersistenceError`` with code `unsupported` where that cannot be computed.
  package var version: CoreDataVersion {
    get throws(PersistenceError) {
      if let stored { return stored }
      return try CoreDataVersion(of: document)
    }
  }
}

// MARK: - The version that a plain store keeps

extension CoreDataVersion {
  /// The key of the hash that the model had for Oxbow.
  private static let hashKey = "modelHash"

  /// The version that the store was converted with, if the model is still that one: what Oxbow does
  /// not read of a model is in the hashes too.
  fileprivate static func kept(by source: Connection) throws -> CoreDataVersion? {
    guard case .blob(let bytes)? = try source.rows(MetadataTables.readCoreData).first?.first,
      let list = try? StoreProperties(bytes, file: source.path),
      let hash = list.own[hashKey]?.text,
      hash == (try source.text(MetadataTables.readModelHash))
    else { return nil }
    return CoreDataVersion(hashes: list.hashes, identifiers: list.versionIdentifiers)
  }

  /// Notes in a plain store that its model has this version.
  func keep(in connection: Connection) throws {
    var properties = self.properties
    let hash = try connection.text(MetadataTables.readModelHash) ?? ""
    _ = properties.add(.text(hash), for: Self.hashKey)
    try connection.run(
      MetadataTables.writeFact,
      [.text(MetadataTables.Fact.coreData.rawValue), .blob(try properties.bytes())])
  }
}
