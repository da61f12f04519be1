package import OxbowModel
internal import OxbowSQL
internal import OxbowStore

// Values of a program's own are facts in the store's table of facts, in the form that a column of
// their type would have.

extension SQLiteStore {
  package func metadata(
    _ key: String, _ type: AttributeType
  ) throws(PersistenceError) -> AttributeValue? {
    let name = MetadataTables.ownName(key)
    guard let codec = ColumnCodec(type) else { throw .noMetadata(key, "a value of type \(type)") }
    let stored = try read { connection, _ in
      try connection.rows(MetadataTables.readOwn, [.text(name)]).first?.first
    }
    guard let stored else { return nil }
    guard let value = codec.decode(stored) else {
      throw .otherMetadata(key, stored, codec.expectation)
    }
    return value
  }

  package func metadataKeys() throws(PersistenceError) -> [String] {
    try read { connection, _ in try connection.ownMetadata().keys.sorted() }
  }
}

extension Connection {
  /// What programs keep with the store, by key.
  func ownMetadata() throws -> [String: SQLValue] {
    var values: [String: SQLValue] = [:]
    for row in try rows(MetadataTables.readOwnFacts) {
      if case .text(let name) = row[0] { values[MetadataTables.ownKey(name)] = row[1] }
    }
    return values
  }
}

extension ChangeWriter {
  /// Keeps and removes values of the program's own.
  func keep(_ metadata: [ChangeSet.Metadatum]) throws {
    for item in metadata {
      let name = SQLValue.text(MetadataTables.ownName(item.key))
      guard let value = item.value else {
        try connection.run(MetadataTables.removeOwn, [name])
        continue
      }
      guard let stored = ColumnCodec(of: value).encode(value) else {
        throw PersistenceError.noMetadata(item.key, "'\(value)'")
      }
      try connection.run(MetadataTables.writeFact, [name, stored])
    }
  }
}

extension PersistenceError {
  /// A value of a program that is asked for as another type.
  static func otherMetadata(
    _ key: String, _ stored: SQLValue, _ expectation: String
  ) -> PersistenceError {
    PersistenceError(
      .invalidStoredValue,
      "the value that is kept with the store as '\(key)' is \(stored.typeName), and \(expectation) "
        + "was asked for; ask for it as the type that it was set with")
  }

  fileprivate static func noMetadata(_ key: String, _ what: String) -> PersistenceError {
    PersistenceError(
      .validation, "\(what) cannot be kept with the store as '\(key)'; nothing was saved")
  }
}
