public import OxbowModel
public import OxbowStore

/// One of several stores: where it is, and whose entities it keeps.
public struct SQLiteStoreDescription: Sendable {
  /// The name of a configuration of the model, or `nil` for all entities that no other store has.
  public var configuration: String?

  /// Where the store is.
  public var location: StoreLocation

  /// How it is opened.
  public var options: SQLiteStoreOptions

  /// Describes a store.
  public init(
    _ location: StoreLocation, configuration: String? = nil,
    options: SQLiteStoreOptions = .init()
  ) {
    self.configuration = configuration
    self.location = location
    self.options = options
  }
}

extension PersistentStoreCoordinator {
  /// Opens several stores, each for the entities of a configuration of the model.
  ///
  /// ```swift
  /// let coordinator = try PersistentStoreCoordinator(
  ///   model, stores: [
  ///     .init(.file(cache), configuration: "Cache"), .init(.file(documents)),
  ///   ])
  /// ```
  ///
  /// An entity is in one store, with all entities of its hierarchy, and a fetch goes to the store
  /// of its entity. A relationship does not lead from one store to another. A save that changes
  /// several stores checks and writes all of them, and commits none before all are ready; should a
  /// commit fail after another one has succeeded, the error is `partlySaved` and says what is
  /// saved. The values of the program (`setMetadata(_:for:)`) are kept in the store without a
  /// configuration, or else in the first one that can be written.
  ///
  /// - Throws: ``PersistenceError``: `unknownConfiguration`; `invalidModel` with every entity that
  ///   is in no store or in several, and every relationship between two stores; and whatever
  ///   opening a store throws.
  public convenience init(
    _ model: CompiledModel, stores: [SQLiteStoreDescription]
  ) throws(PersistenceError) {
    let parts = try StoreParts(model, stores.map(\.configuration)).parts
    var opened: [(store: any PersistentStore, entities: Set<Int>)] = []
    do throws(PersistenceError) {
      for (description, part) in zip(stores, parts) {
        let store = try SQLiteStore(
          model, part: part, at: description.location, options: description.options)
        opened.append((store, part.entities))
      }
    } catch {
      for (store, _) in opened { store.close() }
      throw error
    }
    self.init(
      store: CombinedStore(
        opened, model, main: stores.firstIndex { $0.configuration == nil }),
      logger: stores.lazy.compactMap(\.options.logger).first)
  }
}
