internal import OxbowDocuments

/// Definitions whose type follows from another one's: proxies, and what a method of an object
/// makes.
extension BindingContext {
  /// What is planned already.
  struct Planned {
    var bindings: [String: AnyBinding] = [:]
    /// The names of definitions whose problems are reported.
    var failed: Set<String> = []
    var aliases: [String: String] = [:]
  }

  // MARK: - Proxies

  /// The proxy that a definition with the class name of a kind is.
  func binding(ofProxy kind: ProxyKind) -> AnyBinding? {
    let hasSlot = kind == .threadLocal
    checkProperties(areAmong: ["factoryObject", "protocol"] + (hasSlot ? ["name"] : []))
    let name = text("protocol")
    let slot = hasSlot ? text("name") : nil
    guard let (target, property) = reference("factoryObject") else { return nil }
    return proxy(for: target.type, named: name)?.binding(
      definition.name, kind, of: target.name, slot: slot, scope: scope, at: property.location)
  }

  /// The one proxy class for objects of a type.
  func proxy(for type: any Any.Type, named name: String?) -> ProxyDescriptor? {
    let found = classes.proxies(for: type, named: name)
    if found.count == 1 { return found.first }
    let choices = found.map(\.name).sorted()
    report(
      found.isEmpty
        ? .noProxy(
          name.map { hiddenTexts.mask(of: $0) ?? $0 } ?? "\(type)", for: definition.name,
          known: classes.proxies.map(\.name).sorted()
        ).at(definition.location)
        : .ambiguousProxy("\(type)", for: definition.name, choices: choices).at(definition.location)
    )
    return nil
  }

  private func checkProperties(areAmong names: [String]) {
    for property in definition.properties where !names.contains(property.name) {
      report(
        .unknownProperty(
          property.name, of: definition.name, className: definition.className ?? "", known: names
        ).at(property.location))
    }
  }

  /// The text of a property, which must not be a reference.
  private func text(_ name: String) -> String? {
    guard let property = definition.property(name) else { return nil }
    if case .text(let text, _) = property.content {
      guard text == PlaceholderText.unresolved else { return text }
      markFaulty()
      return nil
    }
    let site = InjectionSite(.property(name), of: property)
    report(
      .valueNotConvertible(
        "reference", site: site.text(in: definition.name), typeName: "String", expected: "a value"
      ).at(property.location))
    return nil
  }

  /// The definition that a property refers to, and the property.
  private func reference(_ name: String) -> (target: AnyBinding, property: PropertyAssignment)? {
    guard let property = definition.property(name), case .reference(let target) = property.content
    else {
      report(
        .incompleteProxy(definition.name, className: definition.className ?? "", property: name)
          .at(definition.location))
      return nil
    }
    let path = InjectionSite.Path.property(name)
    return binding(named: target, role: path.text, at: property.location).map { ($0, property) }
  }

  /// The binding of a name; reports when there is none, unless its own problems are reported.
  private func binding(
    named target: String, role: String, at location: SourceLocation?
  ) -> AnyBinding? {
    if let found = planned.bindings[planned.aliases[target] ?? target] { return found }
    markFaulty()
    if !planned.failed.contains(target) {
      let names = planned.bindings.keys.filter { !HiddenName.isHidden($0) }
      report(
        .missingReference(
          target, in: definition.name, role: role, near: nearNames(to: target, among: names),
          count: names.count
        ).at(location))
    }
    return nil
  }

  // MARK: - Methods

  /// The object that a method of the definition's factory component makes.
  func bindingOfMethod() -> AnyBinding? {
    guard let component = definition.factoryComponent, let call = methodCall(of: component),
      let target = binding(
        named: component, role: "factory component", at: call.location ?? definition.location)
    else { return nil }
    let line = classes.line(of: target.type)
    let means = { (name: MethodName) in call.method.means(name.base, name.labels) }
    for described in line where described.methodNames.contains(where: means) {
      return binding(ofMethodOf: component, described.body)
    }
    report(
      .noSuchMethod(
        call.method.description, of: definition.name, component: component,
        typeName: "\(target.type)", known: line.flatMap(\.methodNames).map(\.description)
      ).at(call.location ?? definition.location))
    return nil
  }

  private func methodCall(of component: String) -> InitializerCall? {
    guard let call = definition.initializer else {
      report(.noMethod(of: definition.name, component: component).at(definition.location))
      return nil
    }
    if call.isStatic == true {
      report(
        .staticMethodOfComponent(of: definition.name, component: component)
          .at(call.location ?? definition.location))
      return nil
    }
    return call
  }
}
