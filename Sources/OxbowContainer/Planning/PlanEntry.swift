package import OxbowDocuments

/// One definition, as it came.
package enum PlanEntry {
  case blueprint(AnyBlueprint)
  /// In a box, because planning hands entries on several times and a definition has many parts.
  indirect case definition(ObjectDefinition)
}

extension PlanEntry {
  package var name: String {
    switch self {
    case .blueprint(let blueprint): blueprint.name
    case .definition(let definition): definition.name
    }
  }

  /// Where the definition stands.
  package var location: SourceLocation? {
    switch self {
    case .blueprint(let blueprint): blueprint.location
    case .definition(let definition): definition.location
    }
  }

  /// The definition, where its class is named by text.
  package var definition: ObjectDefinition? {
    if case .definition(let definition) = self { return definition }
    return nil
  }
}
