internal import OxbowDocuments

extension DefinitionSummary {
  /// What a definition says itself, its class not looked at.
  init(structureOf definition: ObjectDefinition) {
    let scope = Scopes.named(definition.scope)
    var arrows = StructuralArrows(owner: definition.name)
    arrows.read(definition, under: [])
    self.init(
      name: definition.name, className: definition.className, typeName: nil,
      scope: definition.scope, scopeMeaning: scope?.meaning ?? "a scope that does not exist",
      sharing: scope?.sharing, isSendable: nil, isLazy: definition.isLazy,
      isEager: definition.isEager, isPrimary: definition.isPrimary,
      isAbstract: definition.isAbstract, parent: definition.parent,
      summary: definition.summary, location: definition.location, needs: arrows.needs,
      placesByType: arrows.placesByType)
  }
}

/// Collects the arrows that a definition's text shows.
private struct StructuralArrows {
  let owner: String
  private(set) var needs: [DefinitionSummary.Need] = []
  private(set) var placesByType: [String] = []

  init(owner: String) { self.owner = owner }

  /// Reads a definition, or one that stands in place of a value inside of it.
  mutating func read(_ definition: ObjectDefinition, under roles: [String]) {
    if let target = definition.factoryComponent {
      add(
        target, .constructor, under: roles + ["factory component"],
        at: definition.initializer?.location ?? definition.location)
    }
    for argument in definition.initializer?.arguments ?? [] {
      read(argument, .constructor, under: roles + ["initializer argument \"\(argument.name)\""])
    }
    let proxy = DefinitionSummary.How.ofProxy(className: definition.className)
    for property in definition.properties {
      let proxied = property.name == "factoryObject" ? proxy : nil
      read(
        property, proxied ?? .property,
        under: roles + [proxied == nil ? "property \"\(property.name)\"" : "proxy"])
    }
    for property in definition.product?.properties ?? [] {
      read(property, .property, under: roles + ["product property \"\(property.name)\""])
    }
  }

  private mutating func read(
    _ assignment: PropertyAssignment, _ how: DefinitionSummary.How, under roles: [String]
  ) {
    read(assignment.content, how, under: roles, at: assignment.location)
  }

  private mutating func read(
    _ content: InjectedContent, _ how: DefinitionSummary.How, under roles: [String],
    at location: SourceLocation?
  ) {
    switch content {
    case .reference(let name): add(name, how, under: roles, at: location)
    case .byType: placesByType.append(roles.joined(separator: ", "))
    case .text: break
    case .collection(let elements, _):
      for (number, element) in elements.enumerated() {
        read(
          element.content, how, under: roles + ["element \(number + 1)"],
          at: element.location ?? location)
      }
    case .dictionary(let entries):
      for entry in entries {
        read(
          entry.content, how, under: roles + ["key \"\(entry.key)\""],
          at: entry.location ?? location)
      }
    case .definition(let inner): read(inner, under: roles)
    }
  }

  private mutating func add(
    _ target: String, _ how: DefinitionSummary.How, under roles: [String],
    at location: SourceLocation?
  ) {
    needs.append(
      DefinitionSummary.Need(
        owner: owner, role: roles.joined(separator: ", "), target: target, how: how,
        location: location))
  }
}

extension DefinitionSummary.How {
  /// How the object behind a proxy arrives, for the class names that stand for a proxy.
  fileprivate static func ofProxy(className: String?) -> Self? {
    switch className {
    case ProxyKind.lazy.rawValue: .lazyProxy
    case ProxyKind.threadLocal.rawValue: .threadProxy
    case ProxyKind.taskLocal.rawValue: .taskProxy
    default: nil
    }
  }
}
