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
