internal import OxbowDocuments

/// What the objects of a class stand for, decided by the compiler where `.of()` is written: themselves,
/// or the product of a ``FactoryObject``.
public struct ProductTrait<Owner>: Sendable {
  /// The type of the products of a factory; nil for a class that is no factory.
  public let productType: (any Any.Type)?
  package let isSendable: Bool
  package let binding: @Sendable (ComponentParts<Owner>) -> AnyBinding

  /// The class is no factory.
  public static func of() -> ProductTrait<Owner> {
    ProductTrait(productType: nil, isSendable: false) { parts in
      let context = parts.context
      context.refuseProduct(of: "\(Owner.self)")
      let binding = Binding<Owner>(
        context.bindingName, scope: context.scope, location: context.definition.location,
        isSendable: parts.isOwnerSendable, dependencies: context.dependencies,
        assemble: parts.assemble)
      binding.isNonisolated = true
      return binding
    }
  }
}

extension ProductTrait where Owner: FactoryObject {
  /// The class is a factory.
  public static func of() -> ProductTrait<Owner> { factory(isSendable: false) }

  private static func factory(isSendable: Bool) -> ProductTrait<Owner> {
    ProductTrait(productType: Owner.Product.self, isSendable: isSendable) { parts in
      let context = parts.context
      context.needAllBeforeConstruction()
      let product = context.planProduct(of: Owner.Product.self)
      return Binding<Owner.Product>(
        context.bindingName, scope: context.scope, location: context.definition.location,
        isSendable: isSendable, dependencies: context.dependencies
      ) { linker in
        Assembly(
          constructor: FactoryConstructor(try parts.assemble(linker), services: linker.services),
          injectors: try product.injectors(on: Owner.Product.self, linker))
      }
    }
  }
}

extension ProductTrait where Owner: FactoryObject, Owner.Product: Sendable {
  /// The class is a factory of `Sendable` products.
  public static func of() -> ProductTrait<Owner> { factory(isSendable: true) }
}

/// What a component contributes to a binding.
package struct ComponentParts<Owner> {
  let context: BindingContext
  let isOwnerSendable: Bool
  let assemble: (Linker) throws -> Assembly<Owner>
}
