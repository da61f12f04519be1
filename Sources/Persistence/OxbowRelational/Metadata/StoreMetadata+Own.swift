package import OxbowModel

// Values of programs are facts as well, under names of their own.

extension Session {
  /// What programs keep with the store, by key.
  package func ownMetadata() throws -> [String: SQLValue] {
    var values: [String: SQLValue] = [:]
    for row in try rows(MetadataTables.readOwnFacts, []) {
      if case .text(let name) = row[0] { values[MetadataTables.ownKey(name)] = row[1] }
    }
    return values
  }
}

extension SQLValue {
  /// What is written for a value of a program.
  ///
  /// - Throws: ``PersistenceError``: `validation` for one that no column can have.
  package init(metadatum value: AttributeValue, _ key: String) throws(PersistenceError) {
    guard let stored = ColumnCodec(of: value).encode(value) else {
      throw PersistenceError(
        .validation, "'\(value)' cannot be kept with the store as '\(key)'; nothing was saved")
    }
    self = stored
  }

  /// What was written, read as a value of `type` by an engine's codecs.
  ///
  /// - Throws: ``PersistenceError``: `invalidStoredValue` where it is not one, `unsupported` for a
  ///   type that no column can have.
  package func metadatum(
    _ key: String, as type: AttributeType, by codecs: any CodecSet
  ) throws(PersistenceError) -> AttributeValue {
    guard let codec = codecs.codec(of: type) else {
      throw PersistenceError(
        .unsupported, "no store keeps a value of type \(type), as which '\(key)' was asked for")
    }
    guard let value = codec.decode(self) else {
      throw PersistenceError(
        .invalidStoredValue,
        "the value that is kept with the store as '\(key)' is \(typeName), and "
          + "\(codec.expectation) was asked for; ask for it as the type that it was set with")
    }
    return value
  }
}
