internal import OxbowFoundation
internal import OxbowModel
internal import OxbowSQL

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
    let (entities, past) = (record.entities.filter { !$0.isPast }, record.entities.filter(\.isPast))
    let before = try pastEntities(connection)
    try connection.run(MetadataTables.clearEntities)
    for entity in entities {
      try connection.run(
        MetadataTables.writeEntity,
        [.integer(entity.number), .text(entity.name), .text(entity.hash)])
    }
    for root in record.roots { try connection.run(MetadataTables.addKeys, [.integer(root)]) }
    guard past != before else { return }
    try write(.pastEntities, .text(past.map { "\($0.number) \($0.name)\n" }.joined()), connection)
    let comesAgain = entities.contains { entity in before.contains { $0.number == entity.number } }
    if comesAgain { try connection.execute(MetadataTables.raiseKeys) }
  }

  /// The entities that the model has no more.
  static func pastEntities(_ connection: Connection) throws -> [EntityRecord] {
    let text = try connection.text(MetadataTables.readPastEntities) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let number = Int64(words[0]) else { return nil }
      return EntityRecord(number: number, name: String(words[1]), hash: "", isPast: true)
    }
  }

  private static func write(
    _ fact: MetadataTables.Fact, _ value: SQLValue, _ connection: Connection
  ) throws {
    try connection.run(MetadataTables.writeFact, [.text(fact.rawValue), value])
  }
}
