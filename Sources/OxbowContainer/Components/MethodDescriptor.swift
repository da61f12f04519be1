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
}

private struct TypedMethod<Owner, Product, each Value>: MethodBody {
  let isSendable: Bool
  let parameters: (repeat ParameterDescriptor<each Value>)
  let call: @Sendable (Owner, repeat each Value) throws -> Product

  var productType: any Any.Type { Product.self }
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
