extension TypedComponent {
  func product(of component: String, in context: BlueprintContext) -> AnyBlueprint? {
    guard let call = context.definition.initializer,
      let method = methods.first(where: { call.method.means($0.name, $0.labels) }),
      let bound = call.bind(to: method.labels, in: context)
    else { return nil }
    return method.body.blueprint(bound, of: component, in: context)
  }
}
