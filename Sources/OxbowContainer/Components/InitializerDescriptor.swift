/// One initializer of a described class, or a static method that makes an object of the class.
///
/// A definition names its initializer, or gives properties whose names are the labels of one: these are
/// its arguments then. So a `Sendable` class with nothing but `let`s can be wired from a file.
public struct InitializerDescriptor<Owner>: Sendable {
  /// `init`, or the name of the static method without labels.
  public var name: String { shape.name }
  /// The names of the parameters: label, or name where there is no label.
  public var labels: [String] { shape.labels }
  package let shape: CallShape
  package let body: any InitializerBody<Owner>

  /// Describes an initializer.
  ///
  /// - Parameters:
  ///   - parameters: Its parameters, in order.
  ///   - make: Calls it.
  public init<each Value>(
    _ parameters: repeat ParameterDescriptor<each Value>,
    make: @escaping @Sendable (repeat each Value) throws -> Owner
  ) {
    self.init(method: "init", repeat each parameters, make: make)
  }

  /// Describes a static method that makes an object.
  ///
  /// - Parameters:
  ///   - name: The method's name without labels.
  ///   - parameters: Its parameters, in order.
  ///   - make: Calls it.
  public init<each Value>(
    method name: String, _ parameters: repeat ParameterDescriptor<each Value>,
    make: @escaping @Sendable (repeat each Value) throws -> Owner
  ) {
    self.shape = CallShape(name, repeat each parameters)
    self.body = TypedInitializer(parameters: (repeat each parameters), make: make)
  }
}

extension Array {
  /// The descriptions of a class that declares no initializer: `init()`, which it inherits or has anyway.
  ///
  /// - Parameters:
  ///   - make: Write `Name.init`.
  ///   - others: The static methods.
  /// - Returns: All of them.
  public static func inherited<Owner>(
    _ make: @escaping @Sendable () throws -> Owner, and others: [InitializerDescriptor<Owner>] = []
  ) -> Self where Element == InitializerDescriptor<Owner> {
    [InitializerDescriptor(make: make)] + others
  }

  /// The same for a class that inherits initializers with parameters only, which nothing describes.
  ///
  /// Chosen where the class has a private `init(_ none: NoInitializer)`, which is never called.
  @_disfavoredOverload
  public static func inherited<Owner>(
    _ make: @Sendable (NoInitializer) -> Owner, and others: [InitializerDescriptor<Owner>] = []
  ) -> Self where Element == InitializerDescriptor<Owner> {
    others
  }
}

/// What an initializer takes that is never called.
public enum NoInitializer {}

/// One parameter of a described initializer.
public struct ParameterDescriptor<Value>: Sendable {
  /// The label, or the name where there is no label.
  public let name: String
  package let point: InjectionPoint<Value>

  /// Describes a parameter that takes an object, a value or a ``Provider``.
  ///
  /// - Parameters:
  ///   - name: Its label, or its name where there is no label.
  ///   - type: Its type.
  ///   - typeName: Its type as the class spells it.
  ///   - sendability: Write `.of()`.
  ///   - accepts: Whether objects of a type fit: `{ $0 is any P.Type }`.
  ///   - upcast: Finds the way from the type of an object that fits; see ``Upcast``. Without it each object is
  ///     cast.
  public init(
    _ name: String, _ type: Value.Type, typeName: String, sendability: Sendability<Value>,
    accepts: @escaping @Sendable (any Any.Type) -> Bool,
    upcast: (@Sendable (any Any.Type) -> Upcast?)? = nil
  ) {
    self.name = name
    self.point = InjectionPoint(
      typeName: typeName, sendability: sendability, accepts: accepts, upcast: upcast)
  }

  private init(name: String, point: InjectionPoint<Value>) {
    self.name = name
    self.point = point
  }

  /// Describes a parameter that takes a factory of the object that a file refers to.
  public static func factory<Product>(
    _ name: String, of product: Product.Type, typeName: String,
    sendability: Sendability<Product>, accepts: @escaping @Sendable (any Any.Type) -> Bool
  ) -> ParameterDescriptor<Value> where Value == any FactoryObject<Product> & Sendable {
    ParameterDescriptor(
      name: name,
      point: InjectionPoint(
        typeName: typeName, requiresSendable: sendability.isSendable, accepts: accepts,
        late: { Ref<Product>($0, handle: nil, requiresSendable: false).factory }))
  }
}

extension CallShape {
  /// What calls and parameters of several types have in common.
  init<each Value>(_ name: String, _ parameters: repeat ParameterDescriptor<each Value>) {
    var labels: [String] = []
    var points: [AnyInjectionPoint] = []
    for parameter in repeat each parameters {
      labels.append(parameter.name)
      points.append(parameter.point)
    }
    self.init(name: name, labels: labels, points: points)
  }
}

/// How an initializer is called, the types of its parameters forgotten.
package protocol InitializerBody<Owner>: Sendable {
  associatedtype Owner
  /// Calls the initializer with what fills its parameters.
  func constructor(_ supplies: [Supply], _ linker: Linker) throws -> Constructor<Owner>
  /// A new object, if the initializer has no parameters.
  func plainObject() throws -> Owner?
}

private struct TypedInitializer<Owner, each Value>: InitializerBody {
  let parameters: (repeat ParameterDescriptor<each Value>)
  let make: @Sendable (repeat each Value) throws -> Owner

  func constructor(_ supplies: [Supply], _ linker: Linker) throws -> Constructor<Owner> {
    var cursor = SupplyCursor(supplies, linker)
    return PackConstructor(make, (repeat try cursor.next(each parameters)))
  }

  func plainObject() throws -> Owner? {
    for _ in repeat each parameters { return nil }
    return try make(repeat try missing(each parameters))
  }

  /// Never called: there is a parameter for each call.
  private func missing<Argument>(_ parameter: ParameterDescriptor<Argument>) throws -> Argument {
    throw ContainerError(
      .noPlainInitializer(className: "\(Owner.self)", labels: [[parameter.name]]), task: "make")
  }
}
