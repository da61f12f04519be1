// A migration never rewrites the rows of a history: it says what their names mean from now on, and
// notes itself as a save.

package import OxbowModel

/// What a step of a migration means for the names in a history.
///
/// The names from before keep their numbers and say what they mean now; new names get numbers of
/// their own when the store is opened. A renamed property says what it was called, and was not in
/// the model before. One whose values are of another type from now on, or lead elsewhere, is
/// another property: what a history has of it cannot be read as its values.
package struct HistoryRenaming {
  private let before: Names
  private let after: Names

  /// What entities are called now, by the name that they had; `nil` for what is gone.
  private var entities: [String: String] = [:]

  /// Compares the entities and models before and after a step.
  package init(
    _ before: (entities: [EntityRecord], model: ManagedObjectModel?),
    _ after: (entities: [EntityRecord], model: ManagedObjectModel?)
  ) {
    let numbers = Dictionary(
      after.entities.filter { !$0.isPast }.map { ($0.number, $0.name) },
      uniquingKeysWith: { first, _ in first })
    for entity in before.entities where !entity.isPast {
      entities[entity.name] = numbers[entity.number]
    }
    self.before = Names(before.model)
    self.after = Names(after.model)
  }

  /// Changes the model that a store has, and what the names in its history mean.
  package static func setModel(
    _ record: ModelRecord, _ session: some Session & Catalogue
  ) throws {
    guard case .store(let metadata) = try StoreMetadata.read(session) else {
      return try StoreMetadata.setModel(record, session)
    }
    func model(_ document: String?) -> ManagedObjectModel? {
      document.flatMap { try? ModelDocument(Array($0.utf8), file: session.path).model }
    }
    try StoreMetadata.setModel(record, session)
    let renaming = Self(
      (metadata.entities, model(metadata.model)), (record.entities, model(record.document)))
    try renaming.apply(session)
  }

  /// Writes what the names mean from now on.
  package func apply(_ session: some Session) throws {
    for name in try HistoryNames.read(session) {
      let renamed = renamed(name)
      guard renamed != name else { continue }
      try session.run(
        HistoryTables.renameName(in: session.dialect),
        [
          renamed.nowEntity.map { .text($0) } ?? .null,
          renamed.nowProperty.map { .text($0) } ?? .null, .integer(name.number),
        ])
    }
  }

  private func renamed(_ name: HistoryNames.Name) -> HistoryNames.Name {
    guard let entity = name.nowEntity else { return name }
    var renamed = name
    renamed.nowEntity = entities[entity]
    guard let property = name.nowProperty else { return renamed }
    renamed.nowProperty = renamed.nowEntity.flatMap { self.property(property, of: entity, now: $0) }
    return renamed
  }

  /// What a property is called now.
  private func property(_ name: String, of entity: String, now: String) -> String? {
    // Without a model that a document can hold, a name means what it meant.
    guard let properties = after.properties[now] else { return name }
    let known = before.properties[entity] ?? [:]
    let successor =
      properties.first { $0.value.before == name && known[$0.key] == nil }?.key ?? name
    guard let property = properties[successor] else { return nil }
    let form = known[name].map { $0.form.in(entities) }
    return form == nil || form == property.form ? successor : nil
  }

  /// What the values of a property are.
  private enum Form: Equatable {
    case attribute(AttributeType)
    case relationship(to: String, isToMany: Bool)

    /// The form with what entities are called now.
    func `in`(_ entities: [String: String]) -> Self {
      guard case .relationship(let destination, let isToMany) = self else { return self }
      return .relationship(to: entities[destination] ?? "", isToMany: isToMany)
    }
  }

  /// The properties of each entity, with what they were called before.
  private struct Names {
    private(set) var properties: [String: [String: (before: String?, form: Form)]] = [:]

    init(_ model: ManagedObjectModel?) {
      let entities = model?.flattened.entities ?? []
      let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { a, _ in a })
      for entity in entities {
        var names: [String: (before: String?, form: Form)] = [:]
        var next: EntityDescription? = entity
        var depth = 0
        while let current = next, depth < entities.count {
          for item in current.attributes {
            names[item.name] = (item.renamingIdentifier, .attribute(item.type))
          }
          for item in current.relationships {
            names[item.name] = (
              item.renamingIdentifier,
              .relationship(to: item.destination, isToMany: item.isToMany)
            )
          }
          next = current.parent.flatMap { byName[$0] }
          depth += 1
        }
        properties[entity.name] = names
      }
    }
  }
}

extension HistoryEntry {
  /// What the history of saves says of a step.
  package var noteInHistory: String { "\(id) \(name): \(event)" }
}
