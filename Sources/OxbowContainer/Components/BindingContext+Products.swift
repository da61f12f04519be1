internal import OxbowDocuments

/// What is set and called on an object that something else makes: checked, not linked.
struct ProductPlan {
  /// The class of the product; nil where nothing is set or called.
  var component: AnyComponent?
  var properties: [PlannedProperty] = []
  var callbacks: PlannedCallbacks?

  func injectors<Product>(on type: Product.Type, _ linker: Linker) throws -> [Injector<Product>] {
    guard let component else { return [] }
    return try properties.map { try component.injector(for: $0, on: type, linker) }
  }

  func callbacks<Product>(on type: Product.Type) -> Callbacks<Product> {
    callbacks?.callbacks(on: type) ?? Callbacks()
  }
}

extension BindingContext {
  /// Reports a `product` part of a class that makes none.
  func refuseProduct(of className: @autoclosure () -> String) {
    guard let part = definition.product else { return }
    report(.noFactory(definition.name, className: className(), at: part.location))
  }

  /// What the definition's `product` part sets.
  func planProduct<Product>(of type: Product.Type) -> ProductPlan {
    guard let part = definition.product,
      let component = productComponent(part.className, of: type, at: part.location)
    else { return ProductPlan() }
    return ProductPlan(component: component.body, properties: plan(part.properties, of: component))
  }

  /// What the definition sets on the product of a method, and has called; nil when that is a problem.
  ///
  /// Only a definition that sets or calls something needs the product's class to be described.
  func planMethodProduct<Product>(
    _ properties: [PropertyAssignment], of type: Product.Type
  ) -> ProductPlan? {
    let names = [definition.methodBeforeInjection, definition.methodAfterInjection]
    let isPlain = properties.isEmpty && names.allSatisfy { $0 == nil }
    if isPlain, definition.className == nil { return ProductPlan() }
    refuseProduct(of: "\(Product.self)")
    guard
      let component = productComponent(
        definition.className, of: type, at: definition.classLocation)
    else { return nil }
    return ProductPlan(
      component: component.body, properties: plan(properties, of: component),
      callbacks: planCallbacks(of: component.type, className: component.name))
  }

  private func plan(
    _ properties: [PropertyAssignment], of component: ComponentDescriptor
  ) -> [PlannedProperty] {
    plan(properties, of: component.body) { classes.propertyNames(of: component) }
  }

  private func productComponent<Product>(
    _ className: String?, of type: Product.Type, at location: SourceLocation?
  ) -> ComponentDescriptor? {
    guard let className else {
      if let found = classes.component(of: type) { return found }
      report(.unknownClass("\(Product.self)", of: definition.name, at: location, near: []))
      return nil
    }
    let found = classes.component(
      named: className, of: definition.name, at: location, report: { report($0) })
    guard let found else { return nil }
    if TypeFit.of(found.type, in: type) == .misfit {
      report(
        .wrongProduct(
          className, of: definition.name, typeName: "\(Product.self)", at: location))
      return nil
    }
    return found
  }

  // MARK: - Callbacks

  /// The methods that the definition has called; reports those that its class does not describe.
  func planCallbacks(of type: any Any.Type, className: String) -> PlannedCallbacks? {
    let (before, after) = (definition.methodBeforeInjection, definition.methodAfterInjection)
    guard before != nil || after != nil else { return nil }
    let names = classes.callbackNames(of: type)
    for name in [before, after].compactMap(\.self) where !names.contains(name) {
      report(
        .unknownCallback(
          name, of: definition.name, className: className, at: definition.location,
          known: names, near: nearNames(to: name, among: names)))
    }
    return PlannedCallbacks(before: before, after: after, of: type, classes)
  }
}
