internal import OxbowDocuments

/// A definition whose object a method of another object makes.
struct FactoryMethodExpansion: DefinitionExpansion {
  let className = ""
  let canBeLazy = true

  func target(of definition: ObjectDefinition) -> String? { definition.factoryComponent }

  func circle(of definition: ObjectDefinition, target: String) -> ContainerError.Problem {
    .cyclicInitializers(
      [definition.name, target, definition.name], at: definition.location)
  }

  func binding(in context: ExpansionContext) -> AnyBinding? {
    let definition = context.definition
    guard let component = definition.factoryComponent,
      let call = call(of: component, in: context),
      let target = context.binding(
        named: component, role: "factory component", at: call.location ?? definition.location)
    else { return nil }
    let line = context.classes.line(of: target.type)
    for described in line where described.methodNames.contains(where: means(call.method)) {
      return context.drafting.binding(ofMethodOf: component, described.body)
    }
    let known = line.flatMap(\.methodNames).map(\.description)
    context.report(
      .noSuchMethod(
        call.method.description, of: definition.name, component: component,
        typeName: "\(target.type)", at: call.location ?? definition.location, choices: known,
        near: nearNames(to: call.method.description, among: known)))
    return nil
  }

  private func call(of component: String, in context: ExpansionContext) -> InitializerCall? {
    let definition = context.definition
    guard let call = definition.initializer else {
      context.report(
        .noMethod(of: definition.name, component: component, at: definition.location))
      return nil
    }
    if call.isStatic == true {
      context.report(
        .staticMethodOfComponent(
          of: definition.name, component: component, at: call.location ?? definition.location))
      return nil
    }
    return call
  }

  private func means(_ wanted: MethodName) -> (MethodName) -> Bool {
    { wanted.means($0.base, $0.labels) }
  }
}
