#if PostgreSQL
  package import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  // Values of a program's own are facts in the store's table of facts.

  extension PostgresStore {
    package func metadata(
      _ key: String, _ type: AttributeType
    ) throws(PersistenceError) -> AttributeValue? {
      let statements = FactStatements(names)
      let name = MetadataTables.ownName(key)
      let stored = try read(nil) { statements.values(try $0.run(statements.read(name)))[name] }
      return try stored?.metadatum(key, as: type, by: mapping.dialect.codecs)
    }

    package func metadatum(
      _ value: AttributeValue, _ key: String, as type: AttributeType
    ) throws(PersistenceError) -> AttributeValue {
      try SQLValue(metadatum: value, key).metadatum(key, as: type, by: mapping.dialect.codecs)
    }

    package func metadataKeys() throws(PersistenceError) -> [String] {
      let statement = FactStatements(names).readNames(beginning: MetadataTables.ownName(""))
      return try read(nil) { session in
        let result = try session.run(statement)
        return (0..<result.count).compactMap { result.text($0, 0) }.map(MetadataTables.ownKey)
      }
    }
  }
#endif
