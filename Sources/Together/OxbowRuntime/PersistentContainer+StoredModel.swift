public import OxbowContext
public import OxbowModel
public import OxbowSQLite
public import OxbowStore

// Stores that say their model themselves: those of Core Data, and Oxbow's own.

extension PersistentContainer {
  /// Opens a store that exists, for the model that it keeps.
  ///
  /// ```swift
  /// let store = try PersistentContainer(
  ///   store: .file("App.sqlite"), options: SQLiteStoreOptions(isReadOnly: true))
  /// ```
  ///
  /// It may be a store that Core Data or SwiftData has written, if the options say `isReadOnly`;
  /// nothing is made beside it then. Stores of before 2015 do not keep their model: give it
  /// (``init(_:store:types:options:contexts:)``).
  ///
  /// - Parameters:
  ///   - location: The store's file.
  ///   - types: Classes of the model's entities, by the names of these; the others have plain
  ///     managed objects.
  ///   - options: How it is opened.
  ///   - contexts: What its contexts have from the beginning.
  /// - Throws: ``PersistenceError``: `unsupported` for a store without a model, `classMismatch`
  ///   where a class does not fit the model, `modelMismatch` for tables that do not,
  ///   `storeCorrupt`, `storeUnreachable` and others.
  public convenience init(
    store location: StoreLocation, types: [any ModelObject.Type] = [],
    options: SQLiteStoreOptions = SQLiteStoreOptions(), contexts: ContextOptions = ContextOptions()
  ) throws(PersistenceError) {
    try self.init(
      location, model: location.storedModel(), classes: types, options: options,
      contexts: contexts)
  }

  /// Opens a store of Core Data for the version of a model that it was written for.
  ///
  /// ```swift
  /// let store = try PersistentContainer(
  ///   "Notes.momd", store: .file("App.sqlite"), options: SQLiteStoreOptions(isReadOnly: true))
  /// ```
  ///
  /// - Parameters:
  ///   - model: The path of an `.xcdatamodeld` or `.momd` folder, or of one version. Version hashes
  ///     decide between versions.
  ///   - location: The store's file.
  ///   - types: Classes of the model's entities, by the names of these; the others have plain
  ///     managed objects.
  ///   - options: How it is opened.
  ///   - contexts: What its contexts have from the beginning.
  /// - Throws: ``PersistenceError``: `modelMismatch` with what differs if no version is the
  ///   store's, and as ``init(store:types:options:contexts:)``.
  public convenience init(
    _ model: String, store location: StoreLocation, types: [any ModelObject.Type] = [],
    options: SQLiteStoreOptions = SQLiteStoreOptions(), contexts: ContextOptions = ContextOptions()
  ) throws(PersistenceError) {
    try self.init(
      location, model: location.storedModel(document: model), classes: types, options: options,
      contexts: contexts)
  }
}

extension StoreLocation {
  /// The model of the store there.
  func storedModel(document: String? = nil) throws(PersistenceError) -> ManagedObjectModel {
    guard case .file(let path) = self else {
      throw PersistenceError(
        .unsupported, "only a store in a file says its model; give the model of this one")
    }
    return try StoredModel.of(path, document: document)
  }

  /// The model for which a store is opened whose model classes declare: a store of Core Data may
  /// keep a model of its own, and the classes are those of its entities.
  func model(
    declaredBy types: [any ModelObject.Type], _ options: SQLiteStoreOptions
  ) throws(PersistenceError) -> ManagedObjectModel {
    if case .file(let path) = self, options.isReadOnly || StoredModel.isOfCoreData(path),
      let model = try StoredModel.kept(byCoreData: path)
    {
      return model
    }
    return ManagedObjectModel(types: types)
  }
}
