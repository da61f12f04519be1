internal import OxbowDocuments

/// How the objects of one definition are made, checked against the described class and not linked.
///
/// Made by `BindingContext`, without types; the component links it, with types.
package final class ConstructionPlan {
  /// What is set and called on objects of a described class.
  struct Members {
    let component: AnyComponent
    var properties: [Property] = []
    var before: Member?
    var after: Member?
  }

  /// A property, and what it is set to.
  struct Property {
    let value: InjectionValue
    /// Which property of the class itself it is.
    let number: Int
    /// The way to a property that the class inherits, or that an object has that a property holds.
    let path: Path?
  }

  /// The way to a property, from an object of a described class.
  final class Path: Sendable {
    let assignment: PropertyAssignment
    let steps: [Member]

    init(_ assignment: PropertyAssignment, _ steps: [Member]) {
      self.assignment = assignment
      self.steps = steps
    }
  }

  /// One property or callback of a described class, by its number.
  package struct Member: Sendable {
    let component: AnyComponent
    let number: Int
  }

  let name: String
  let scope: any Scope
  let location: SourceLocation?
  let dependencies: [Dependency]
  /// The number of the initializer, or of the method, among those of the class.
  let call: Int
  let arguments: [InjectionValue]
  /// What is set and called on the object that the call makes.
  let members: Members?
  /// What is set on the product of a factory that the call makes.
  let product: Members?
  /// Plans the properties that are arguments, for an object that somebody else has made.
  let elsewhere: (() throws -> [Property])?

  init(
    _ name: String, scope: any Scope, location: SourceLocation?, dependencies: [Dependency],
    call: Int, arguments: [InjectionValue], members: Members?, product: Members? = nil,
    elsewhere: (() throws -> [Property])? = nil
  ) {
    self.name = name
    self.scope = scope
    self.location = location
    self.dependencies = dependencies
    self.call = call
    self.arguments = arguments
    self.members = members
    self.product = product
    self.elsewhere = elsewhere
  }

  /// The binding of the objects.
  func binding<T>(
    isSendable: Bool, _ parts: @escaping (Linker) throws -> Construction<T>.Parts
  ) -> Binding<T> {
    Binding(
      name, scope: scope, location: location, isSendable: isSendable, dependencies: dependencies,
      parts: parts)
  }
}

extension ConstructionPlan.Members {
  func injectors<Known>(on known: Known.Type, _ linker: Linker) throws -> [Injector<Known>] {
    try properties.map { try component.injector(for: $0, on: known, linker) }
  }

  func callbacks<Known>(on known: Known.Type) -> Callbacks<Known> {
    Callbacks(
      before: before.flatMap { $0.component.callback($0.number, on: known) }.map { [$0] } ?? [],
      after: after.flatMap { $0.component.callback($0.number, on: known) }.map { [$0] } ?? [])
  }
}
