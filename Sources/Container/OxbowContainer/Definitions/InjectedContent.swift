public import OxbowDocuments

/// What a file can set a property to.
///
/// This file is the only one that looks into contents. A new case is added here, where it is read,
/// and in `BindingContext+Values.swift`, where it becomes an `InjectionValue`; the compiler shows
/// both.
public indirect enum InjectedContent: Sendable {
  /// The object with a name.
  case reference(String)
  /// The value of a text in the property's type.
  ///
  /// `typeName` is the class that the file says the value has, if it says one; it is checked
  /// against the property's type where both are known.
  case text(String, typeName: String? = nil)
  /// The one object that fits the property's type; for a collection all that fit its elements.
  case byType
  /// No object and no value: nil.
  case null
  /// An array or a set, by what the property is.
  case collection([InjectedElement], typeName: String? = nil)
  /// A dictionary whose keys are texts.
  case dictionary([InjectedEntry])
  /// An object that only this property refers to, defined in place; its name is not used.
  case definition(ObjectDefinition)
}

/// One element of a collection in a file.
public struct InjectedElement: Sendable {
  /// What the element is.
  public let content: InjectedContent
  /// Where it is written.
  public let location: SourceLocation?

  /// Creates an element.
  public init(_ content: InjectedContent, at location: SourceLocation? = nil) {
    self.content = content
    self.location = location
  }
}

/// One entry of a dictionary in a file.
public struct InjectedEntry: Sendable {
  /// The key.
  public let key: String
  /// What the key means.
  public let content: InjectedContent
  /// Where the entry is written.
  public let location: SourceLocation?

  /// Creates an entry.
  public init(_ key: String, _ content: InjectedContent, at location: SourceLocation? = nil) {
    self.key = key
    self.content = content
    self.location = location
  }
}

// MARK: - One content

extension InjectedContent {
  /// Calls `body` with this content and then with everything inside of it, each with its site.
  ///
  /// A definition in place is one content: what it injects is found by visiting it.
  func visit(at site: InjectionSite, _ body: (InjectedContent, InjectionSite) -> Void) {
    body(self, site)
    switch self {
    case .reference, .text, .byType, .null, .definition: break
    case .collection(let elements, _):
      for (index, element) in elements.enumerated() {
        element.content.visit(at: site.element(index, at: element.location), body)
      }
    case .dictionary(let entries):
      for entry in entries {
        entry.content.visit(at: site.entry(entry.key, at: entry.location), body)
      }
    }
  }

  /// The content with others in place of those that have nothing inside.
  func map(
    at site: InjectionSite, _ change: (InjectedContent, InjectionSite) -> InjectedContent
  ) -> InjectedContent {
    switch self {
    case .reference, .text, .byType, .null, .definition: change(self, site)
    case .collection(let elements, let typeName):
      .collection(
        elements.enumerated().map { index, element in
          let part = site.element(index, at: element.location)
          return InjectedElement(element.content.map(at: part, change), at: element.location)
        }, typeName: typeName)
    case .dictionary(let entries):
      .dictionary(
        entries.map { entry in
          let part = site.entry(entry.key, at: entry.location)
          return InjectedEntry(entry.key, entry.content.map(at: part, change), at: entry.location)
        })
    }
  }

  /// Whether it is nil.
  var isNull: Bool { if case .null = self { true } else { false } }

  /// Whether this content or one inside of it is of a kind.
  func contains(where test: (InjectedContent) -> Bool) -> Bool {
    switch self {
    case .reference, .text, .byType, .null, .definition: test(self)
    case .collection(let elements, _): elements.contains { $0.content.contains(where: test) }
    case .dictionary(let entries): entries.contains { $0.content.contains(where: test) }
    }
  }

  /// The content with another text or name.
  func mapText(_ change: (String) -> String) -> InjectedContent {
    switch self {
    case .text(let text, let typeName): .text(change(text), typeName: typeName)
    case .reference(let name): .reference(change(name))
    case .byType, .null, .collection, .dictionary, .definition: self
    }
  }

  /// Whether preparation has to replace something: a placeholder, or a definition in place.
  var isUnfinished: Bool {
    switch self {
    case .text(let text, _), .reference(let text): text.mayHavePlaceholders
    case .definition: true
    case .byType, .null: false
    case .collection, .dictionary: contains { $0.isUnfinished }
    }
  }
}

extension String {
  /// Whether the text has the character with which placeholders begin.
  var mayHavePlaceholders: Bool {
    let sign = UInt8(ascii: "$")
    return utf8.withContiguousStorageIfAvailable { $0.contains(sign) } ?? utf8.contains(sign)
  }
}

// MARK: - All contents of a definition

extension ObjectDefinition {
  /// Calls `body` with everything that the definition injects, at any depth, each with its site.
  ///
  /// - Parameters:
  ///   - outer: The path of a definition in place.
  ///   - body: Gets a content before those that are inside of it.
  package func visit(
    under outer: InjectionSite.Path? = nil,
    _ body: (InjectedContent, InjectionSite) -> Void
  ) {
    func visit(_ assignments: [PropertyAssignment], _ path: (String) -> InjectionSite.Path) {
      for assignment in assignments {
        let own = path(assignment.name)
        let site = InjectionSite(outer.map { .inner(own, of: $0) } ?? own, of: assignment)
        assignment.content.visit(at: site, body)
      }
    }
    visit(initializer?.arguments ?? []) { .argument($0) }
    visit(properties) { .property($0) }
    visit(product?.properties ?? []) { .productProperty($0) }
  }

  /// The definition with other contents in place of those that have nothing inside.
  func mapContents(
    _ change: (InjectedContent, InjectionSite) -> InjectedContent
  ) -> ObjectDefinition {
    func map(
      _ assignments: [PropertyAssignment], _ path: (String) -> InjectionSite.Path
    ) -> [PropertyAssignment] {
      assignments.map { assignment in
        let site = InjectionSite(path(assignment.name), of: assignment)
        return assignment.replacing(assignment.content.map(at: site, change))
      }
    }
    var result = self
    result.initializer?.arguments = map(initializer?.arguments ?? []) { .argument($0) }
    result.properties = map(properties) { .property($0) }
    result.product?.properties = map(product?.properties ?? []) { .productProperty($0) }
    return result
  }

  /// Whether one of the contents is of a kind.
  func holds(where test: (InjectedContent) -> Bool) -> Bool {
    properties.contains { test($0.content) }
      || initializer?.arguments.contains { test($0.content) } == true
      || product?.properties.contains { test($0.content) } == true
  }

  /// Whether its class, scope or factory component is named by placeholders.
  var hasPlaceholderNames: Bool {
    scope.mayHavePlaceholders || className?.mayHavePlaceholders == true
      || factoryComponent?.mayHavePlaceholders == true
  }
}
