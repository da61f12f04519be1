internal import OxbowDocuments

/// How the objects of one definition are made, checked against the described class and not linked.
///
/// Made by `BindingContext`, without types; the component links it, with types.
struct ConstructionPlan {
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
  struct Member: Sendable {
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
  var product: Members?
  /// Plans the properties that are arguments, for an object that somebody else has made.
  var elsewhere: (() throws -> [Property])?
}

extension Binding {
  /// The binding of the objects of a plan.
  convenience init(
    _ plan: ConstructionPlan, isSendable: Bool,
    parts: @escaping (any Linking) throws -> Construction<T>.Parts
  ) {
    self.init(
      plan.name, scope: plan.scope, location: plan.location, isSendable: isSendable,
      dependencies: plan.dependencies, parts: parts)
  }
}

extension ConstructionPlan.Members {
  func injectors<Known>(on known: Known.Type, _ linker: any Linking) throws -> [Injector<Known>] {
    try properties.map { try component.injector(for: $0, on: known, linker) }
  }

  func callbacks<Known>(on known: Known.Type) -> Callbacks<Known> {
    Callbacks(
      before: before.flatMap { $0.component.callback($0.number, on: known) }.map { [$0] } ?? [],
      after: after.flatMap { $0.component.callback($0.number, on: known) }.map { [$0] } ?? [])
  }
}

/// The planned value of an injection point.
///
/// Untyped: only the point that planned it may link it, because it checked the types.
enum InjectionValue {
  /// The object that a dependency leads to.
  case object(Dependency)
  /// A value, by its provider.
  case constant(AnyObjectProvider)
  /// The container itself.
  case container
  /// Nil.
  case nothing
  /// Several values, with a key for each where the point takes a dictionary.
  indirect case group([InjectionValue], keys: [String] = [])
  /// Every object that answers the request of a dependency.
  case all(Dependency)
}

/// What definitions of a class make, decided by the compiler where `.of()` is written:
/// themselves, or the product of a ``FactoryObject``.
public struct ProductTrait<Owner>: Sendable {
  /// The type of the products of a factory; nil for a class that is not a factory.
  public let productType: (any Any.Type)?
  /// What a planned definition becomes: whether the class is `Sendable`, and how its objects are
  /// made.
  let binding:
    @Sendable (ConstructionPlan, Bool, @escaping (any Linking) throws -> Construction<Owner>.Parts)
      ->
      AnyBinding

  /// The class is not a factory.
  public static func of() -> ProductTrait<Owner> {
    ProductTrait(productType: nil) { plan, isSendable, parts in
      let binding = Binding(plan, isSendable: isSendable, parts: parts)
      binding.isNonisolated = true
      return binding
    }
  }
}

extension ProductTrait where Owner: FactoryObject {
  /// The class is a factory.
  public static func of() -> ProductTrait<Owner> { factory(isSendable: false) }

  private static func factory(isSendable: Bool) -> ProductTrait<Owner> {
    ProductTrait(productType: Owner.Product.self) { plan, _, parts in
      let binding = Binding<Owner.Product>(plan, isSendable: isSendable) { linker in
        Construction.Parts(
          constructor: FactoryConstructor(try parts(linker), services: linker.services),
          injectors: try plan.product?.injectors(on: Owner.Product.self, linker) ?? [])
      }
      binding.isThreadBound = Owner.self is any ThreadBoundFactory.Type
      return binding
    }
  }
}

extension ProductTrait where Owner: FactoryObject, Owner.Product: Sendable {
  /// The class is a factory of `Sendable` products.
  public static func of() -> ProductTrait<Owner> { factory(isSendable: true) }
}
