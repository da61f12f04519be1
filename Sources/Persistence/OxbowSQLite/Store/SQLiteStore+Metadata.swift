package import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// Values of a program's own are facts in the store's table of facts, in the form that a column of
// their type would have.

extension SQLiteStore {
  package func metadata(
    _ key: String, _ type: AttributeType
  ) throws(PersistenceError) -> AttributeValue? {
    let name = MetadataTables.ownName(key)
    let stored = try read { connection, _ in
      try connection.rows(MetadataTables.readFact, [.text(name)]).first?.first
    }
    return try stored?.metadatum(key, as: type)
  }

  package func metadatum(
    _ value: AttributeValue, _ key: String, as type: AttributeType
  ) throws(PersistenceError) -> AttributeValue {
    try SQLValue(metadatum: value, key).metadatum(key, as: type)
  }

  package func metadataKeys() throws(PersistenceError) -> [String] {
    try read { connection, _ in try connection.ownMetadata().keys.sorted() }
  }
}
