// What the compiler decides where a class is described.

/// Which actor a class belongs to.
public struct ComponentIsolation: Sendable, Hashable {
  package let isMainActor: Bool

  /// None: any thread may construct an object.
  public static let nonisolated = ComponentIsolation(isMainActor: false)

  /// The main actor; such a class cannot be constructed from a file.
  public static let mainActor = ComponentIsolation(isMainActor: true)
}

extension ComponentIsolation {
  /// The type of functions that belong to no actor.
  ///
  /// Its name is what the compiler says it expected of a class that belongs to one.
  public typealias `none: declare it 'nonisolated', or write '@Component(isolation: .mainActor)'` =
    (@Sendable () -> Void).Type

  /// Of no actor; does not compile for a class of one.
  ///
  /// - Parameter probe: `type(of:)` a static function of the class that names no actor itself.
  /// - Returns: ``nonisolated``.
  public static func of(
    _ probe: `none: declare it 'nonisolated', or write '@Component(isolation: .mainActor)'`
  ) -> ComponentIsolation { .nonisolated }
}

/// Whether a type is `Sendable`, decided by the compiler where `.of()` is written.
///
/// The runtime cannot tell, and generic code cannot either: there `.of()` means "not known".
public struct Sendability<T>: Sendable {
  /// Whether the type was seen to be `Sendable`.
  public let isSendable: Bool

  /// Whether the objects of a `Provider` were seen to be `Sendable`.
  package var providesSendable = false

  /// Not known to be `Sendable`.
  public static func of() -> Sendability<T> { Sendability(isSendable: false) }

  package init(isSendable: Bool, providesSendable: Bool = false) {
    self.isSendable = isSendable
    self.providesSendable = providesSendable
  }
}

extension Sendability where T: Sendable {
  /// `Sendable`.
  public static func of() -> Sendability<T> { Sendability(isSendable: true) }
}

extension Sendability where T: ProviderType & Sendable, T.Provided: Sendable {
  /// A provider of `Sendable` objects.
  public static func of() -> Sendability<T> {
    Sendability(isSendable: true, providesSendable: true)
  }
}

/// What definitions of a class make, decided by the compiler where `.of()` is written:
/// themselves, or the product of a ``FactoryObject``.
public struct ProductTrait<Owner>: Sendable {
  /// The type of the products of a factory; nil for a class that is no factory.
  public let productType: (any Any.Type)?
  /// What a planned definition becomes: whether the class is `Sendable`, and how its objects are
  /// made.
  package let binding:
    @Sendable (ConstructionPlan, Bool, @escaping (Linker) throws -> Construction<Owner>.Parts) ->
      AnyBinding

  /// The class is no factory.
  public static func of() -> ProductTrait<Owner> {
    ProductTrait(productType: nil) { plan, isSendable, parts in
      let binding = plan.binding(isSendable: isSendable, parts)
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
      plan.binding(isSendable: isSendable) { linker in
        Construction.Parts(
          constructor: FactoryConstructor(try parts(linker), services: linker.services),
          injectors: try plan.product?.injectors(on: Owner.Product.self, linker) ?? [])
      }
    }
  }
}

extension ProductTrait where Owner: FactoryObject, Owner.Product: Sendable {
  /// The class is a factory of `Sendable` products.
  public static func of() -> ProductTrait<Owner> { factory(isSendable: true) }
}
