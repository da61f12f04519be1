internal import OxbowDocuments

/// What a component needs to turn one definition from a file into a blueprint, and where it reports.
package final class BlueprintContext {
  package let definition: ObjectDefinition
  package let blueprintName: String
  package let scope: any Scope
  package let classes: ClassRegistry
  private let values: ValueConverters
  package private(set) var problems: [ContainerError.Problem] = []

  package init(
    _ definition: ObjectDefinition, named name: String, scope: any Scope, classes: ClassRegistry,
    values: ValueConverters
  ) {
    self.definition = definition
    self.blueprintName = name
    self.scope = scope
    self.classes = classes
    self.values = values
  }

  package func report(_ problem: ContainerError.Problem) { problems.append(problem) }

  package func reportUnknownProperty(
    _ assignment: PropertyAssignment, className: String, known: [String]
  ) {
    report(
      .unknownProperty(
        assignment.name, of: definition.name, className: className, at: assignment.location,
        known: known, near: nearNames(to: assignment.name, among: known)))
  }

  /// The reference that delivers what a property is set to; nil when that is a problem.
  package func ref<Value>(
    for assignment: PropertyAssignment, role: @autoclosure () -> String, slot: Slot<Value>
  ) -> Ref<Value>? {
    switch assignment.content {
    case .reference(let name): return slot.reference(to: name)
    case .text(let text, _):
      return constant(text, for: assignment, role: role(), typeName: slot.typeName)
    case .byType, .collection, .dictionary, .definition:
      report(.unsupportedContent(of: definition.name, role: role(), at: assignment.location))
      return nil
    }
  }

  private func constant<Value>(
    _ text: String, for assignment: PropertyAssignment, role: @autoclosure () -> String,
    typeName: String
  ) -> Ref<Value>? {
    do throws(ValueConverters.Failure) {
      return .constant(try values.convert(text, to: Value.self))
    } catch {
      let place = "object \"\(definition.name)\", \(role())"
      switch error {
      case .noConverter:
        report(.noConverter(place: place, typeName: typeName, at: assignment.valueLocation))
      case .notConvertible(let expected, let near):
        report(
          .valueNotConvertible(
            text, place: place, typeName: typeName, at: assignment.valueLocation,
            expected: expected, near: near))
      }
      return nil
    }
  }

  /// Reports a `product` part of a class that makes none.
  package func refuseProduct(of className: @autoclosure () -> String) {
    guard let part = definition.product else { return }
    report(.noFactory(definition.name, className: className(), at: part.location))
  }

  /// What the definition's `product` part sets, on a product known as a `Product`.
  package func productInjections<Product>(for type: Product.Type) -> [Injection<Product>] {
    guard let part = definition.product else { return [] }
    guard let component = productComponent(part, of: type) else { return [] }
    return part.properties.compactMap { assignment in
      switch component.body.injection(assignment, on: type, in: self) {
      case .found(let injection): return injection
      case .faulty: return nil
      case .noSuchProperty:
        reportUnknownProperty(
          assignment, className: component.name, known: component.propertyNames)
        return nil
      }
    }
  }

  private func productComponent<Product>(
    _ part: ProductDefinition, of type: Product.Type
  ) -> ComponentDescriptor? {
    guard let name = part.className else {
      if let found = classes.component(of: type) { return found }
      report(
        .unknownClass(
          "\(Product.self)", of: definition.name, at: part.location, near: []))
      return nil
    }
    return classes.component(
      named: name, of: definition.name, at: part.location, report: { report($0) })
  }
}
