package import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// Values of a program's own are facts in the store's table of facts, in the form that a column of
// their type would have.

extension SQLiteStore {
  package func metadata(
    _ key: String, _ type: AttributeType
  ) throws(PersistenceError) -> AttributeValue? {
    let (stored, codecs) = try read { connection, state in
      (try self.bookkeeping.value(of: key, connection), state.mapping.dialect.codecs)
    }
    return try stored?.metadatum(key, as: type, by: codecs)
  }

  package func metadatum(
    _ value: AttributeValue, _ key: String, as type: AttributeType
  ) throws(PersistenceError) -> AttributeValue {
    let codecs = try read { _, state in state.mapping.dialect.codecs }
    return try SQLValue(metadatum: value, key).metadatum(key, as: type, by: codecs)
  }

  package func metadataKeys() throws(PersistenceError) -> [String] {
    try read { connection, _ in try self.bookkeeping.keys(connection) }
  }
}
