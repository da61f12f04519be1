public import OxbowFoundation
public import OxbowModel
internal import OxbowRelational
public import OxbowStore

/// What a store's file says of itself, read without its model.
public struct SQLiteStoreDigest: Sendable {
  /// The store's identifier, made when the store was.
  public let identifier: UUID

  /// The version hash of the model.
  public let modelHash: String

  /// The version hash of each entity, by name.
  public let entityHashes: [String: String]

  /// The version of the table layout.
  public let layoutVersion: Int

  /// The size of the database, in bytes.
  public let databaseBytes: Int

  /// The size of its write-ahead log, in bytes.
  public let logBytes: Int

  /// The number of large values in files beside the store, including those that were replaced or
  /// deleted and will be removed when no reader can need them.
  public let fileCount: Int

  /// The size of these files, in bytes.
  public let fileBytes: Int

  /// The keys of the values that programs keep with the store, in order.
  public var metadataKeys: [String] { values.keys.sorted() }

  private let values: [String: SQLValue]

  /// Returns the value that a program keeps with the store under a key, or `nil` without one.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidStoredValue` when it is of another type.
  public func metadata<T: AttributeConvertible>(
    _ key: String, as type: T.Type = T.self
  ) throws(PersistenceError) -> T? {
    guard let stored = values[key] else { return nil }
    let value = try stored.metadatum(key, as: T.attributeType, by: SQLiteDialect().codecs)
    return try T(metadatum: value, key)
  }

  init(_ metadata: StoreMetadata, _ connection: Connection) throws {
    identifier = metadata.identifier
    modelHash = metadata.modelHash
    entityHashes = Dictionary(
      metadata.entities.map { ($0.name, $0.hash) }, uniquingKeysWith: { first, _ in first })
    layoutVersion = metadata.layoutVersion
    databaseBytes = try connection.databaseBytes()
    logBytes = System.size(connection.path + "-wal") ?? 0
    (fileCount, fileBytes) = try connection.fileTotals()
    values = try connection.ownMetadata()
  }
}

extension SQLiteStoreFile {
  /// Reads what the store says of itself: identifier, hashes, sizes, values of programs.
  ///
  /// It needs no model and writes nothing; the store may be open, in this process and in others.
  ///
  /// - Throws: ``PersistenceError``: `notAStore`, `storeUnreachable`.
  public func digest() throws(PersistenceError) -> SQLiteStoreDigest {
    try perform("reading") {
      guard System.fileID(path) != nil else { throw DatabaseRegistry.Unreachable.missing(path) }
      if let unfit = DatabaseRegistry.Unreachable.unfit(path) { throw unfit }
      return try ReadOnlyProbe.read(System.realPath(path), busyMilliseconds: 5000) { connection in
        try SQLiteStoreDigest(try requireStore(connection), connection)
      }
    }
  }
}
