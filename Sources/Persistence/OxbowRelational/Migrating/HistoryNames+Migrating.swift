// A migration never rewrites the rows of a history: it says what their names mean from now on, and
// notes itself as a save.

package import OxbowModel

/// What a step of a migration means for the names in a history.
///
/// The names from before keep their numbers and say what they mean now; new names get numbers of
/// their own when the store is opened. Which property is which one is what the step itself goes
/// by: the values that a column keeps are those of the name that it gets. A property whose values
/// are of another type from now on, or lead elsewhere, is another property: what a history has of
/// it cannot be read as its values.
package struct HistoryRenaming {
  private let before: CompiledModel
  private let after: CompiledModel

  /// What entities are called now, by the name that they had.
  private let entities: [String: String]

  /// The properties of an entity after, each with the one that it was before.
  private let origins: (String) -> [String: String]

  package init(
    from before: CompiledModel, to after: CompiledModel, entities: [String: String],
    origins: @escaping (String) -> [String: String]
  ) {
    (self.before, self.after, self.entities, self.origins) = (before, after, entities, origins)
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
    guard let successor = origins(now).first(where: { $0.value == name })?.key,
      let old = before.entity(named: entity)?.property(named: name),
      let new = after.entity(named: now)?.property(named: successor)
    else { return nil }
    return form(of: old, before).in(entities) == form(of: new, after) ? successor : nil
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

  private func form(of property: CompiledProperty, _ model: CompiledModel) -> Form {
    switch property.kind {
    case .attribute(let attribute): .attribute(attribute.type)
    case .relationship(let relationship):
      .relationship(
        to: model.entities[relationship.destination].name, isToMany: relationship.isToMany)
    }
  }
}

extension HistoryEntry {
  /// What the history of saves says of a step.
  package var noteInHistory: String { "\(id) \(name): \(event)" }
}
