package import OxbowDocuments

/// What the objects of a class stand for, decided by the compiler where `.of()` is written: themselves,
/// or the product of a ``FactoryObject``.
public struct ProductTrait<Owner>: Sendable {
  /// The type of the products of a factory; nil for a class that is no factory.
  public let productType: (any Any.Type)?
  package let isSendable: Bool
  package let blueprint: @Sendable (ComponentParts<Owner>) -> AnyBlueprint

  /// The class is no factory.
  public static func of() -> ProductTrait<Owner> {
    ProductTrait(productType: nil, isSendable: false) { parts in
      parts.context.refuseProduct(of: "\(Owner.self)")
      return Blueprint<Owner>(
        parts.name, scope: parts.scope, location: parts.location,
        isSendable: parts.isOwnerSendable, recipe: parts.recipe, injections: parts.injections,
        callbacks: parts.callbacks)
    }
  }
}

extension ProductTrait where Owner: FactoryObject {
  /// The class is a factory.
  public static func of() -> ProductTrait<Owner> { factory(isSendable: false) }

  private static func factory(isSendable: Bool) -> ProductTrait<Owner> {
    ProductTrait(productType: Owner.Product.self, isSendable: isSendable) { parts in
      Blueprint<Owner.Product>(
        parts.name, scope: parts.scope, location: parts.location, isSendable: isSendable,
        recipe: .product(
          of: parts.recipe, injections: parts.injections, callbacks: parts.callbacks),
        injections: parts.productInjections(for: Owner.Product.self))
    }
  }
}

extension ProductTrait where Owner: FactoryObject, Owner.Product: Sendable {
  /// The class is a factory of `Sendable` products.
  public static func of() -> ProductTrait<Owner> { factory(isSendable: true) }
}

/// What a component contributes to a blueprint.
package struct ComponentParts<Owner> {
  package let name: String
  package let scope: any Scope
  package let location: SourceLocation?
  package let isOwnerSendable: Bool
  package let recipe: Recipe<Owner>
  package let injections: [Injection<Owner>]
  package let callbacks: Callbacks<Owner>
  package let context: BlueprintContext

  /// What the definition's `product` part sets on the product.
  package func productInjections<Product>(for type: Product.Type) -> [Injection<Product>] {
    context.productInjections(for: type)
  }
}
