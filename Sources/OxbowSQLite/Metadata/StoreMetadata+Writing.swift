internal import OxbowModel
internal import OxbowSQL

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension StoreMetadata {
  /// Makes Oxbow's own tables in an empty database, with the facts of a store that has no model
  /// yet; inside a write transaction.
  static func create(_ connection: Connection) throws {
    for definition in MetadataTables.all.flatMap(\.definitions) {
      try connection.execute(definition)
    }
    try write(.identifier, .text(UUID().uuidString), connection)
    try write(.layout, .text(PlainLayout.name), connection)
    try write(.layoutVersion, .integer(Int64(PlainLayout.version)), connection)
    try write(.saves, .integer(0), connection)
  }

  /// Notes the model that the store has from now on; inside a write transaction.
  static func setModel(_ record: ModelRecord, _ connection: Connection) throws {
    try write(.modelHash, .text(record.hash), connection)
    if let document = record.document { try write(.model, .text(document), connection) }
    try connection.run(MetadataTables.clearEntities)
    for entity in record.entities {
      try connection.run(
        MetadataTables.writeEntity,
        [.integer(entity.number), .text(entity.name), .text(entity.hash)])
    }
    try connection.execute(MetadataTables.dropKeys(except: record.roots))
    for root in record.roots { try connection.run(MetadataTables.addKeys, [.integer(root)]) }
  }

  private static func write(
    _ fact: MetadataTables.Fact, _ value: SQLValue, _ connection: Connection
  ) throws {
    try connection.run(MetadataTables.writeFact, [.text(fact.rawValue), value])
  }
}
