package import OxbowDocuments

/// One definition, as it came.
package enum PlanEntry {
  case binding(AnyBinding)
  case definition(SharedDefinition)
  case alias(ObjectAlias)
}

extension PlanEntry {
  package var name: String {
    switch self {
    case .binding(let binding): binding.name
    case .definition(let shared): shared.definition.name
    case .alias(let alias): alias.name
    }
  }

  /// Where the definition stands.
  package var location: SourceLocation? {
    switch self {
    case .binding(let binding): binding.location
    case .definition(let shared): shared.definition.location
    case .alias(let alias): alias.location
    }
  }

  /// The definition, where its class is named by text.
  package var definition: ObjectDefinition? {
    if case .definition(let shared) = self { return shared.definition }
    return nil
  }

  /// The alias, where the entry is one.
  package var alias: ObjectAlias? {
    if case .alias(let alias) = self { return alias }
    return nil
  }
}
