public import OxbowDocuments

/// What a container says about one of its definitions.
public struct DefinitionSummary: Sendable {
  /// The name of the object.
  public let name: String
  /// The type of the object.
  public let type: any Any.Type
  /// The name of the scope.
  public let scope: String
  /// Whether the object may be used by several threads.
  public let isSendable: Bool
  /// Where the definition stands.
  public let location: SourceLocation?
  /// The names of the definitions that it refers to, in order, each once.
  public let references: [String]

  init(_ blueprint: AnyBlueprint) {
    name = blueprint.name
    type = blueprint.type
    scope = blueprint.scope.name
    isSendable = blueprint.isSendable
    location = blueprint.location
    var seen: Set<String> = []
    references = blueprint.edges.map(\.target).filter { seen.insert($0).inserted }
  }
}
