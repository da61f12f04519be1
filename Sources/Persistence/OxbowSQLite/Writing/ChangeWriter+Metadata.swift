internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension ChangeWriter {
  /// Keeps and removes values of the program's own.
  func keep(_ metadata: [ChangeSet.Metadatum]) throws {
    for item in metadata {
      let name = SQLValue.text(MetadataTables.ownName(item.key))
      guard let value = item.value else {
        try connection.run(MetadataTables.removeOwn, [name])
        continue
      }
      try connection.run(MetadataTables.writeFact, [name, SQLValue(metadatum: value, item.key)])
    }
  }
}
