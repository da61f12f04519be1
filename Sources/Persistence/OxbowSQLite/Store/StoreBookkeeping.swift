internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// What a file keeps about itself beside its objects: a store asks this, and no table by its name.
///
/// Each layout has one. The file says which it is (`DatabaseContents`), not the options.
protocol StoreBookkeeping: SaveBookkeeping {
  /// The store's identifier.
  var identifier: UUID { get }

  /// Checks that the store was written for a model; for writing, that nothing in it differs.
  ///
  /// - Throws: ``PersistenceError`` with code `modelMismatch`, which says what differs.
  func check(
    _ model: CompiledModel, _ part: ModelPart, _ path: String, isReadOnly: Bool
  ) throws

  /// Which table and column keeps what of a model.
  func mapping(
    of model: CompiledModel, _ part: ModelPart, _ path: String
  ) throws -> StoreMapping

  /// Makes what the model and the options ask for beside the tables of objects.
  func prepare(
    _ database: Database, _ mapping: StoreMapping, _ part: ModelPart, _ options: SQLiteStoreOptions
  ) throws

  /// Whether the store has the model for which it was opened, now that its tables have changed.
  func isCurrent(_ part: ModelPart, _ connection: Connection) throws -> Bool

  /// See ``PersistentStore/keepsReservedKeys``.
  var keepsReservedKeys: Bool { get }

  /// What a program keeps with the store under a key; `nil` without a value.
  func value(of key: String, _ connection: Connection) throws -> SQLValue?

  /// The keys of these values, in order.
  func keys(_ connection: Connection) throws -> [String]

  /// Refuses a store that cannot have a history of ours.
  func requireHistory(_ path: String) throws(PersistenceError)
}
