internal import OxbowFoundation

extension StoreMetadata {
  /// Makes Oxbow's own tables in an empty database, with the facts of a store that has no model
  /// yet; inside a write transaction.
  package static func create(_ session: some Session) throws {
    try session.create(MetadataTables.all)
    try begin(session)
    try write(.saves, .integer(0), session)
  }

  /// Notes the first facts of a store in tables that are there.
  package static func begin(_ session: some Session) throws {
    try write(.identifier, .text(UUID().uuidString), session)
    try write(.layout, .text(PlainLayout.name), session)
    try write(.layoutVersion, .integer(Int64(PlainLayout.version)), session)
  }

  /// Notes the model that the store has from now on; inside a write transaction.
  package static func setModel(_ record: ModelRecord, _ session: some Session) throws {
    try write(.modelHash, .text(record.hash), session)
    if let document = record.document { try write(.model, .text(document), session) }
    let (entities, past) = (record.entities.filter { !$0.isPast }, record.entities.filter(\.isPast))
    let before = try pastEntities(session)
    try session.run(MetadataTables.clearEntities, [])
    for entity in entities {
      try session.run(
        "\(session.dialect.insert) \(MetadataTables.entityRow)",
        [.integer(entity.number), .text(entity.name), .text(entity.hash)])
    }
    for root in record.roots { try session.run(MetadataTables.addKeys, [.integer(root)]) }
    guard past != before else { return }
    try write(.pastEntities, .text(past.map { "\($0.number) \($0.name)\n" }.joined()), session)
    let comesAgain = entities.contains { entity in before.contains { $0.number == entity.number } }
    if comesAgain { try session.execute(MetadataTables.raiseKeys) }
  }

  /// The entities that the model has no more.
  static func pastEntities(_ session: some Session) throws -> [EntityRecord] {
    let text = try session.text(MetadataTables.readPastEntities, []) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let number = Int64(words[0]) else { return nil }
      return EntityRecord(number: number, name: String(words[1]), hash: "", isPast: true)
    }
  }

  private static func write(
    _ fact: MetadataTables.Fact, _ value: SQLValue, _ session: some Session
  ) throws {
    try session.writeFact(fact.rawValue, value)
  }
}
