internal import OxbowDocuments

/// A definition whose type depends on another one's.
///
/// Most are known by a class name that stands for no class: one file for each; a class of the program
/// with the same name goes first.
package protocol DefinitionExpansion {
  var className: String { get }
  /// Whether such a definition can stand behind a lazy proxy.
  var canBeLazy: Bool { get }
  /// The definition whose type has to be known first.
  func target(of definition: ObjectDefinition) -> String?
  func binding(in context: ExpansionContext) -> AnyBinding?
  /// The problem of a definition that waits for itself.
  func circle(of definition: ObjectDefinition, target: String) -> ContainerError.Problem
}

extension DefinitionExpansion {
  package var canBeLazy: Bool { false }

  package func circle(of definition: ObjectDefinition, target: String) -> ContainerError.Problem {
    .cyclicProxies(definition.name, of: target, at: definition.location)
  }
}

/// What an expansion knows, and where it reports.
package final class ExpansionContext {
  /// The context of the definition as a class would have it.
  package let drafting: BindingContext
  private let bindings: [String: AnyBinding]
  private let failed: Set<String>
  private let aliases: [String: String]

  init(
    _ drafting: BindingContext, bindings: [String: AnyBinding], failed: Set<String>,
    aliases: [String: String]
  ) {
    self.aliases = aliases
    self.drafting = drafting
    self.bindings = bindings
    self.failed = failed
  }

  package var definition: ObjectDefinition { drafting.definition }
  package var name: String { drafting.bindingName }
  package var scope: any Scope { drafting.scope }
  package var classes: ClassRegistry { drafting.classes }

  package func report(_ problem: ContainerError.Problem) { drafting.report(problem) }

  /// The text of a property, which must not be a reference.
  func text(_ name: String) -> String? {
    guard let property = definition.property(name) else { return nil }
    if case .text(let text, _) = property.content {
      guard text == PlaceholderText.unresolved else { return text }
      drafting.markFaulty()
      return nil
    }
    report(
      .valueNotConvertible(
        "reference", place: "object \"\(definition.name)\", property \"\(name)\"",
        typeName: "String", at: property.location, expected: "a value"))
    return nil
  }

  /// The definition that a property refers to, and the property's place.
  func reference(_ name: String) -> (target: AnyBinding, property: PropertyAssignment)? {
    guard let property = definition.property(name), case .reference(let target) = property.content
    else {
      report(
        .incompleteProxy(
          definition.name, className: definition.className ?? "", property: name,
          at: definition.location))
      return nil
    }
    return binding(named: target, role: "property \"\(name)\"", at: property.location)
      .map { ($0, property) }
  }

  /// The definition of a name; reports when there is none, unless its own problems are reported.
  func binding(
    named target: String, role: String, at location: SourceLocation?
  ) -> AnyBinding? {
    if let binding = bindings[AliasTable.end(of: target, aliases)] { return binding }
    drafting.markFaulty()
    if !failed.contains(target) {
      let names = bindings.keys.filter { !HiddenName.isHidden($0) }
      report(
        .missingReference(
          target, in: definition.name, role: role, at: location,
          near: nearNames(to: target, among: names), count: names.count))
    }
    return nil
  }

  /// Reports every property that the expansion does not know.
  func allow(_ names: [String]) {
    for property in definition.properties where !names.contains(property.name) {
      report(
        .unknownProperty(
          property.name, of: definition.name, className: definition.className ?? "",
          at: property.location, known: names, near: nearNames(to: property.name, among: names)))
    }
  }

  /// The one proxy class for objects of a type.
  func proxy(for type: any Any.Type, named name: String?) -> ProxyDescriptor? {
    let found = classes.proxies(for: type, named: name)
    if found.count == 1 { return found.first }
    let choices = found.map(\.name).sorted()
    report(
      found.isEmpty
        ? .noProxy(
          name ?? "\(type)", for: definition.name, at: definition.location,
          known: classes.proxies.map(\.name).sorted())
        : .ambiguousProxy(
          "\(type)", for: definition.name, at: definition.location, choices: choices))
    return nil
  }
}

/// `class="LazyProxyFactory"` and the like.
extension ProxyKind: DefinitionExpansion {
  package var className: String { rawValue }

  package func target(of definition: ObjectDefinition) -> String? {
    guard case .reference(let name)? = definition.property("factoryObject")?.content else {
      return nil
    }
    return name
  }

  package func binding(in context: ExpansionContext) -> AnyBinding? {
    let hasSlot = self == .threadLocal
    context.allow(["factoryObject", "protocol"] + (hasSlot ? ["name"] : []))
    let name = context.text("protocol")
    let slot = hasSlot ? context.text("name") : nil
    guard let (target, property) = context.reference("factoryObject") else { return nil }
    return context.proxy(for: target.type, named: name)?.binding(
      context.definition.name, self, of: target.name, slot: slot, scope: context.scope,
      at: property.location)
  }
}
