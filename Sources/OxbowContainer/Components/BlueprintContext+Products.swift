internal import OxbowDocuments

/// What is set and called on an object that something else makes.
package struct ProductParts<Product> {
  package var injections: [Injection<Product>] = []
  package var callbacks = Callbacks<Product>()
}

extension BlueprintContext {
  /// Reports a `product` part of a class that makes none.
  package func refuseProduct(of className: @autoclosure () -> String) {
    guard let part = definition.product else { return }
    report(.noFactory(definition.name, className: className(), at: part.location))
  }

  /// What the definition's `product` part sets, on a product known as a `Product`.
  package func productInjections<Product>(for type: Product.Type) -> [Injection<Product>] {
    guard let part = definition.product,
      let component = productComponent(part.className, of: type, at: part.location)
    else { return [] }
    return part.properties.compactMap { injection($0, through: component, on: type) }
  }

  /// What the definition sets on the product of a method, and has called; nil when that is a problem.
  ///
  /// Only a definition that sets or calls something needs the product's class to be described.
  package func methodProductParts<Product>(
    _ properties: [PropertyAssignment], of type: Product.Type
  ) -> ProductParts<Product>? {
    let names = [definition.methodBeforeInjection, definition.methodAfterInjection]
    let isPlain = properties.isEmpty && names.allSatisfy { $0 == nil }
    if isPlain, definition.className == nil { return ProductParts() }
    refuseProduct(of: "\(Product.self)")
    guard
      let component = productComponent(
        definition.className, of: type, at: definition.classLocation)
    else { return nil }
    let injections = properties.map { injection($0, through: component, on: type) }
    guard let callbacks = callbacks(on: type, of: component.type, className: component.name),
      injections.allSatisfy({ $0 != nil })
    else { return nil }
    return ProductParts(injections: injections.compactMap(\.self), callbacks: callbacks)
  }

  private func injection<Product>(
    _ assignment: PropertyAssignment, through component: ComponentDescriptor,
    on type: Product.Type
  ) -> Injection<Product>? {
    let path = Substring(assignment.name)
    switch component.body.injection(assignment, path: path, on: type, in: self) {
    case .found(let injection): return injection
    case .faulty: return nil
    case .noSuchProperty:
      reportUnknownProperty(
        assignment, className: component.name, known: classes.propertyNames(of: component))
      return nil
    }
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

  /// The methods that the definition has called; nil when its class does not describe one of them.
  func callbacks<Known>(
    on known: Known.Type, of type: any Any.Type, className: String
  ) -> Callbacks<Known>? {
    guard definition.methodBeforeInjection != nil || definition.methodAfterInjection != nil else {
      return Callbacks()
    }
    var isFaulty = false
    let all = [definition.methodBeforeInjection, definition.methodAfterInjection].map {
      name -> [Callback<Known>] in
      guard let name else { return [] }
      if let callback = classes.callback(name, on: known, of: type) { return [callback] }
      isFaulty = true
      let names = classes.callbackNames(of: type)
      report(
        .unknownCallback(
          name, of: definition.name, className: className, at: definition.location,
          known: names, near: nearNames(to: name, among: names)))
      return []
    }
    return isFaulty ? nil : Callbacks(before: all[0], after: all[1])
  }
}
