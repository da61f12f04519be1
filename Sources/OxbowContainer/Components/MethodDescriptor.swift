/// A method by which objects of a described class make other objects.
///
/// A definition that names the object as its factory component, and the method as its initializer, is
/// what the method returns.
public struct MethodDescriptor<Owner>: Sendable {
  /// The method's name without labels.
  public var name: String { shape.name }
  /// The names of the parameters: label, or name where there is no label.
  public var labels: [String] { shape.labels }
  package let shape: CallShape
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
    self.shape = CallShape(name, repeat each parameters)
    self.body = TypedMethod(
      isSendable: sendability.isSendable, parameters: (repeat each parameters), call: call)
  }
}

/// How a method is called, the types of its parameters and of its product forgotten.
package protocol MethodBody<Owner>: Sendable {
  associatedtype Owner
  /// What a definition becomes whose object the method makes.
  func binding(
    _ arguments: [Supply], properties: [PropertyAssignment], of component: String,
    in context: BindingContext
  ) -> AnyBinding?
}

private struct TypedMethod<Owner, Product, each Value>: MethodBody {
  let isSendable: Bool
  let parameters: (repeat ParameterDescriptor<each Value>)
  let call: @Sendable (Owner, repeat each Value) throws -> Product

  func binding(
    _ arguments: [Supply], properties: [PropertyAssignment], of component: String,
    in context: BindingContext
  ) -> AnyBinding? {
    guard let product = context.planMethodProduct(properties, of: Product.self), !context.isFaulty
    else { return nil }
    return Binding<Product>(
      context.bindingName, scope: context.scope, location: context.definition.location,
      isSendable: isSendable, dependencies: context.dependencies
    ) { linker in
      Assembly(
        constructor: try constructor(of: component, arguments, linker),
        injectors: try product.injectors(on: Product.self, linker),
        callbacks: product.callbacks(on: Product.self))
    }
  }

  private func constructor(
    of component: String, _ arguments: [Supply], _ linker: Linker
  ) throws -> Constructor<Product> {
    var cursor = SupplyCursor(arguments, linker)
    return MethodConstructor(
      call, of: try linker.provider(named: component, as: Owner.self),
      (repeat try cursor.next(each parameters)))
  }
}

/// Calls a method of an object with the objects of references.
private final class MethodConstructor<Owner, Product, each Value>: Constructor<Product> {
  private let call: @Sendable (Owner, repeat each Value) throws -> Product
  private let owner: ObjectProvider<Owner>
  private let needs: (repeat ObjectProvider<each Value>)

  init(
    _ call: @escaping @Sendable (Owner, repeat each Value) throws -> Product,
    of owner: ObjectProvider<Owner>, _ needs: (repeat ObjectProvider<each Value>)
  ) {
    self.call = call
    self.owner = owner
    self.needs = needs
  }

  override func construct(_ context: BuildContext?) throws -> Product {
    try call(owner.make(context), repeat (each needs).make(context))
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
