/// A method by which objects of a described class make other objects.
///
/// A definition that names the object as its factory component, and the method as its initializer, is
/// what the method returns.
public struct MethodDescriptor<Owner>: Sendable {
  /// The method's name without labels.
  public let name: String
  /// The names of the parameters: label, or name where there is no label.
  public let labels: [String]
  package let body: any MethodBody<Owner>

  /// Describes a method.
  ///
  /// - Parameters:
  ///   - name: Its name without labels.
  ///   - parameters: Its parameters, in order.
  ///   - sendability: Write `.of()`: whether what it returns is `Sendable`.
  ///   - call: Calls it.
  public init<Product, each Value>(
    _ name: String, _ parameters: repeat ParameterDescriptor<each Value>,
    sendability: Sendability<Product>,
    call: @escaping @Sendable (Owner, repeat each Value) throws -> Product
  ) {
    var labels: [String] = []
    for parameter in repeat each parameters { labels.append(parameter.name) }
    self.name = name
    self.labels = labels
    self.body = TypedMethod(
      isSendable: sendability.isSendable, parameters: (repeat each parameters), call: call)
  }
}

/// How a method is called, the types of its parameters and of its product forgotten.
package protocol MethodBody<Owner>: Sendable {
  associatedtype Owner
  var productType: any Any.Type { get }
  /// What a definition becomes whose object the method makes.
  func blueprint(
    _ call: BoundCall, of component: String, in context: BlueprintContext
  ) -> AnyBlueprint?
}

private struct TypedMethod<Owner, Product, each Value>: MethodBody {
  let isSendable: Bool
  let parameters: (repeat ParameterDescriptor<each Value>)
  let call: @Sendable (Owner, repeat each Value) throws -> Product

  var productType: any Any.Type { Product.self }

  func blueprint(
    _ bound: BoundCall, of component: String, in context: BlueprintContext
  ) -> AnyBlueprint? {
    let definition = context.definition
    var cursor = ArgumentCursor(bound.arguments, in: context)
    let supplies = (repeat cursor.next(each parameters))
    let parts = context.methodProductParts(
      bound.rest(of: definition.properties), of: Product.self)
    guard cursor.isComplete, let parts else { return nil }
    return Blueprint<Product>(
      context.blueprintName, scope: context.scope, location: definition.location,
      isSendable: isSendable,
      recipe: recipe(of: owner(component, in: context), repeat each supplies),
      injections: parts.injections, callbacks: parts.callbacks)
  }

  private func recipe(
    of owner: Supply<Owner>, _ supplies: repeat Supply<each Value>
  ) -> Recipe<Product> {
    var edges = owner.edges
    for supply in repeat each supplies { edges += supply.edges }
    return Recipe(edges: edges) { [call] linker in
      MethodConstructor(
        call, of: try owner.link(linker), (repeat try (each supplies).link(linker)))
    }
  }

  private func owner(_ component: String, in context: BlueprintContext) -> Supply<Owner> {
    let location = context.definition.initializer?.location ?? context.definition.location
    let ref = Ref<Owner>(component, handle: nil, requiresSendable: false)
      .fitting({ _ in .fits }, requiresSendable: false)
    return Supply(
      edges: ref.edges(.hard, role: "factory component", at: location),
      link: { try $0.maker(of: ref) })
  }
}

/// Calls a method of an object with the objects of references.
private final class MethodConstructor<Owner, Product, each Value>: Constructor<Product> {
  private let call: @Sendable (Owner, repeat each Value) throws -> Product
  private let owner: Maker<Owner>
  private let needs: (repeat Maker<each Value>)

  init(
    _ call: @escaping @Sendable (Owner, repeat each Value) throws -> Product,
    of owner: Maker<Owner>, _ needs: (repeat Maker<each Value>)
  ) {
    self.call = call
    self.owner = owner
    self.needs = needs
  }

  override func construct(_ session: Session?) throws -> Product {
    try call(owner.make(session), repeat (each needs).make(session))
  }
}

/// A method without arguments that a definition may have called before or after injection.
public struct CallbackDescriptor<Owner>: Sendable {
  /// The method's name.
  public let name: String
  package let call: @Sendable (Owner) throws -> Void

  /// Describes a method.
  public init(_ name: String, call: @escaping @Sendable (Owner) throws -> Void) {
    self.name = name
    self.call = call
  }
}
