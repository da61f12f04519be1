internal import OxbowDocuments

/// Where a content stands in its definition.
struct ContentPlace {
  /// For hidden names: `knight.quest`.
  let path: String
  /// For messages: `object "knight", property "quest"`.
  let text: String
  let location: SourceLocation?
}

extension ObjectDefinition {
  /// The definition with other contents in its arguments and properties.
  func mapContents(
    _ change: (InjectedContent, ContentPlace) -> InjectedContent
  ) -> ObjectDefinition {
    var result = self
    result.initializer?.arguments = map(
      initializer?.arguments ?? [], "init.", "initializer argument", change)
    result.properties = map(properties, "", "property", change)
    result.product?.properties = map(
      product?.properties ?? [], "product.", "product property", change)
    return result
  }

  /// Whether its class, scope or factory component is named by placeholders.
  var hasPlaceholderNames: Bool {
    let sign = UInt8(ascii: "$")
    return scope.utf8.contains(sign) || className?.utf8.contains(sign) == true
      || factoryComponent?.utf8.contains(sign) == true
  }

  /// Whether one of the contents is of a kind, so that the definition has to be changed.
  func holds(where test: (InjectedContent) -> Bool) -> Bool {
    properties.contains { test($0.content) }
      || initializer?.arguments.contains { test($0.content) } == true
      || product?.properties.contains { test($0.content) } == true
  }

  private func map(
    _ assignments: [PropertyAssignment], _ prefix: String, _ noun: String,
    _ change: (InjectedContent, ContentPlace) -> InjectedContent
  ) -> [PropertyAssignment] {
    assignments.map { assignment in
      let place = ContentPlace(
        path: "\(name).\(prefix)\(assignment.name)",
        text: "object \"\(name)\", \(noun) \"\(assignment.name)\"",
        location: assignment.valueLocation)
      return assignment.replacing(change(assignment.content, place))
    }
  }
}

extension InjectedContent {
  /// Whether some text may have placeholders.
  var hasPlaceholders: Bool {
    switch self {
    case .text(let text, _), .reference(let text): text.utf8.contains(UInt8(ascii: "$"))
    case .collection(let elements, _): elements.contains { $0.content.hasPlaceholders }
    case .dictionary(let entries): entries.contains { $0.content.hasPlaceholders }
    case .byType, .definition: false
    }
  }

  /// Whether something is defined in place.
  var hasDefinitions: Bool {
    switch self {
    case .definition: true
    case .collection(let elements, _): elements.contains { $0.content.hasDefinitions }
    case .dictionary(let entries): entries.contains { $0.content.hasDefinitions }
    case .reference, .byType, .text: false
    }
  }

  /// The content with other texts and names, at any depth outside of definitions in place.
  func mapTexts(_ change: (String, SourceLocation?) -> String) -> InjectedContent {
    mapTexts(at: nil, change)
  }

  private func mapTexts(
    at location: SourceLocation?, _ change: (String, SourceLocation?) -> String
  ) -> InjectedContent {
    switch self {
    case .text(let text, let typeName): .text(change(text, location), typeName: typeName)
    case .reference(let name): .reference(change(name, location))
    case .collection(let elements, let typeName):
      .collection(
        elements.map {
          InjectedElement($0.content.mapTexts(at: $0.location, change), at: $0.location)
        }, typeName: typeName)
    case .dictionary(let entries):
      .dictionary(
        entries.map {
          InjectedEntry($0.key, $0.content.mapTexts(at: $0.location, change), at: $0.location)
        })
    case .byType, .definition: self
    }
  }

  /// The content with references in the place of definitions.
  ///
  /// - Parameters:
  ///   - path: Where the content stands.
  ///   - name: Returns the name under which a definition at a path can be found.
  /// - Returns: The content.
  func mapDefinitions(
    path: String, _ name: (ObjectDefinition, String) -> String
  ) -> InjectedContent {
    switch self {
    case .definition(let definition): .reference(name(definition, path))
    case .collection(let elements, let typeName):
      .collection(
        elements.enumerated().map { number, element in
          InjectedElement(
            element.content.mapDefinitions(path: "\(path)[\(number + 1)]", name),
            at: element.location)
        }, typeName: typeName)
    case .dictionary(let entries):
      .dictionary(
        entries.map {
          InjectedEntry(
            $0.key, $0.content.mapDefinitions(path: "\(path)[\($0.key)]", name),
            at: $0.location)
        })
    case .reference, .text, .byType: self
    }
  }
}

/// A reference in a definition, with its place.
struct PlacedReference {
  let target: String
  /// Where it goes, for messages.
  let role: String
  let location: SourceLocation?
}

extension ObjectDefinition {
  /// Everything that the definition refers to by name outside of definitions in place.
  var placedReferences: [PlacedReference] {
    let arguments = (initializer?.arguments ?? []).map { ($0, "initializer argument") }
    let properties = properties.map { ($0, "property") }
    let product = (product?.properties ?? []).map { ($0, "product property") }
    return (arguments + properties + product).flatMap { assignment, noun in
      assignment.content.placed(role: "\(noun) \"\(assignment.name)\"", at: assignment.location)
    }
  }
}

extension InjectedContent {
  fileprivate func placed(role: String, at location: SourceLocation?) -> [PlacedReference] {
    switch self {
    case .reference(let name):
      [PlacedReference(target: name, role: role, location: location)]
    case .text, .byType, .definition: []
    case .collection(let elements, _):
      elements.enumerated().flatMap { number, element in
        element.content.placed(
          role: "\(role), element \(number + 1)", at: element.location ?? location)
      }
    case .dictionary(let entries):
      entries.flatMap {
        $0.content.placed(role: "\(role), key \"\($0.key)\"", at: $0.location ?? location)
      }
    }
  }
}
