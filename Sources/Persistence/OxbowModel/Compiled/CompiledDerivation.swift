/// A derived attribute of a ``CompiledModel``: what it is computed from.
package struct CompiledDerivation: Sendable {
  package let entity: CompiledEntity
  package let property: CompiledProperty

  /// The relationships from the object to what the value is made of: to-one relationships, or one
  /// to-many relationship.
  package let steps: [CompiledRelationship]

  package let end: End

  /// What is taken of the objects at the end.
  package enum End: Sendable {
    /// Nothing: the moment of the save.
    case now
    /// A value, or a form of a text.
    case value(CompiledProperty, Derivation.TextForm?)
    /// Their number.
    case count
    /// The sum of their values.
    case sum(CompiledProperty)
  }

  /// The attribute that is read at the end, or `nil`.
  package var source: CompiledProperty? {
    switch end {
    case .value(let property, _), .sum(let property): property
    case .now, .count: nil
    }
  }

  /// The derived attributes of entities whose model is valid.
  static func all(of entities: [CompiledEntity]) -> [CompiledDerivation] {
    entities.flatMap { entity in
      entity.properties.compactMap { property in
        property.declaringEntity == entity.index ? make(property, entity, entities) : nil
      }
    }
  }

  private static func make(
    _ property: CompiledProperty, _ entity: CompiledEntity, _ entities: [CompiledEntity]
  ) -> CompiledDerivation? {
    guard let derivation = property.attribute?.derivation.flatMap({ Derivation($0) }) else {
      return nil
    }
    var steps: [CompiledRelationship] = []
    var place = entity
    func walk(_ names: some Sequence<String>) {
      for relationship in names.compactMap({ place.property(named: $0)?.relationship }) {
        steps.append(relationship)
        place = entities[relationship.destination]
      }
    }
    let end: End?
    switch derivation {
    case .now: end = .now
    case .count(let name):
      walk([name])
      end = .count
    case .sum(let name, let attribute):
      walk([name])
      end = place.property(named: attribute).map { .sum($0) }
    case .value(let path, let form):
      // One step at a time: each name belongs to the entity before it.
      for name in path.dropLast() { walk([name]) }
      end = path.last.flatMap { place.property(named: $0) }.map { .value($0, form) }
    }
    return end.map {
      CompiledDerivation(entity: entity, property: property, steps: steps, end: $0)
    }
  }
}
