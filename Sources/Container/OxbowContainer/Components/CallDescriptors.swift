/// One initializer of a described class, or a static method that makes an object of the class.
///
/// A definition names its initializer, or gives properties whose names are the labels of one: these
/// are its arguments then. So a `Sendable` class with nothing but `let`s can be wired from a file.
public struct InitializerDescriptor<Owner>: Sendable {
  /// The names of the parameters: label, or name where there is no label.
  public var labels: [String] { shape.labels }
  let shape: AnyComponent.Call
  /// Calls the initializer with what was planned for its parameters.
  let constructor: @Sendable ([InjectionValue], any Linking) throws -> Constructor<Owner>
  /// A new object, if the initializer has no parameters.
  let plainObject: @Sendable () throws -> Owner?

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
    shape = AnyComponent.Call(name, making: Owner.self, repeat each parameters)
    constructor = { values, linker in
      var cursor = InjectionValue.Cursor(values, linker)
      return PackConstructor(make, (repeat try cursor.next((each parameters).point)))
    }
    plainObject = {
      for _ in repeat each parameters { return nil }
      return try make(repeat try (each parameters).missing(for: Owner.self))
    }
  }
}

extension ParameterDescriptor {
  /// Never called: only a call without parameters is made without arguments.
  fileprivate func missing(for owner: any Any.Type) throws -> Value {
    throw ContainerError(.noPlainInitializer(className: "\(owner)", labels: [[name]]), task: "make")
  }
}

extension Array {
  /// The descriptions of a class that declares no initializer: `init()`, which it inherits or has
  /// anyway.
  ///
  /// - Parameters:
  ///   - make: Write `Name.init`.
  ///   - others: The static methods.
  ///   - inherited: What a described superclass says of the initializers that are inherited.
  /// - Returns: All of them.
  public static func inherited<Owner>(
    _ make: @escaping @Sendable () throws -> Owner, and others: [InitializerDescriptor<Owner>] = [],
    from inherited: [[InitializerDescriptor<Owner>]] = []
  ) -> Self where Element == InitializerDescriptor<Owner> {
    [InitializerDescriptor(make: make)] + inherited.joined().filter { !$0.labels.isEmpty } + others
  }

  /// The same for a class that inherits initializers with parameters only.
  ///
  /// Chosen where the class has a private `init(_ none: NoInitializer)`, which is never called.
  @_disfavoredOverload
  public static func inherited<Owner>(
    _ make: @Sendable (NoInitializer) -> Owner, and others: [InitializerDescriptor<Owner>] = [],
    from inherited: [[InitializerDescriptor<Owner>]] = []
  ) -> Self where Element == InitializerDescriptor<Owner> {
    Array(inherited.joined()) + others
  }
}

/// Names the class whose description of an initializer is meant.
public struct InitializerSource<Owner> {
  /// Creates the name.
  public init() {}
}

extension Component {
  /// The class whose initializers those inherit that declare none.
  public typealias _InitializerOwner = Never

  /// Nothing: the superclass has no such initializer, or it is not inherited.
  @_disfavoredOverload
  public static func _heritableInitializer0<Owner, Source>(
    _ source: InitializerSource<Source>, _ make: @Sendable (NoInitializer) -> Owner
  ) -> [InitializerDescriptor<Owner>] { [] }

  /// Nothing: the superclass has no such initializer, or it is not inherited.
  @_disfavoredOverload
  public static func _heritableInitializer1<Owner, Source>(
    _ source: InitializerSource<Source>, _ make: @Sendable (NoInitializer) -> Owner
  ) -> [InitializerDescriptor<Owner>] { [] }

  /// Nothing: the superclass has no such initializer, or it is not inherited.
  @_disfavoredOverload
  public static func _heritableInitializer2<Owner, Source>(
    _ source: InitializerSource<Source>, _ make: @Sendable (NoInitializer) -> Owner
  ) -> [InitializerDescriptor<Owner>] { [] }

  /// Nothing: the superclass has no such initializer, or it is not inherited.
  @_disfavoredOverload
  public static func _heritableInitializer3<Owner, Source>(
    _ source: InitializerSource<Source>, _ make: @Sendable (NoInitializer) -> Owner
  ) -> [InitializerDescriptor<Owner>] { [] }
}

/// What an initializer takes that is never called.
public enum NoInitializer {}

/// One parameter of a described initializer.
public struct ParameterDescriptor<Value>: Sendable {
  /// The label, or the name where there is no label.
  public let name: String
  let point: InjectionPoint<Value>

  /// Describes a parameter that takes an object, a value or a ``Provider``.
  ///
  /// - Parameters:
  ///   - name: Its label, or its name where there is no label.
  ///   - type: Its type.
  ///   - typeName: Its type as the class spells it.
  ///   - sendability: Write `.of()`.
  ///   - accepts: Whether objects of a type fit: `{ $0 is any P.Type }`.
  ///   - upcast: Finds the way from the type of an object that fits; see ``Upcast``. Without it
  ///     each object is cast.
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

  /// Describes a parameter that takes what another description says, or nil.
  ///
  /// A definition may leave it out, which is nil.
  public static func optional<Wrapped>(
    _ parameter: ParameterDescriptor<Wrapped>
  ) -> ParameterDescriptor<Value> where Value == Wrapped? {
    ParameterDescriptor(name: parameter.name, point: OptionalInjectionPoint(parameter.point))
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

extension AnyComponent.Call {
  /// What calls and parameters of several types have in common.
  init<each Value>(
    _ name: String, making productType: any Any.Type,
    _ parameters: repeat ParameterDescriptor<each Value>
  ) {
    var labels: [String] = []
    var points: [AnyInjectionPoint] = []
    for parameter in repeat each parameters {
      labels.append(parameter.name)
      points.append(parameter.point)
    }
    self.init(name: name, labels: labels, points: points, productType: productType)
  }
}

/// A method by which objects of a described class make other objects.
///
/// A definition that names the object as its factory component, and the method as its initializer,
/// is what the method returns.
public struct MethodDescriptor<Owner>: Sendable {
  let shape: AnyComponent.Call
  /// What a planned definition becomes, by the name of the object whose method it calls.
  let binding: @Sendable (ConstructionPlan, String) -> AnyBinding

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
    shape = AnyComponent.Call(name, making: Product.self, repeat each parameters)
    binding = { plan, object in
      Binding<Product>(plan, isSendable: sendability.isSendable) { linker in
        var cursor = InjectionValue.Cursor(plan.arguments, linker)
        return Construction.Parts(
          constructor: PackConstructor(
            call,
            (
              try linker.provider(named: object, as: Owner.self),
              repeat try cursor.next((each parameters).point)
            )),
          injectors: try plan.members?.injectors(on: Product.self, linker) ?? [],
          callbacks: plan.members?.callbacks(on: Product.self) ?? Callbacks())
      }
    }
  }
}

/// A method without arguments that a definition may have called before or after injection.
public struct CallbackDescriptor<Owner>: Sendable {
  /// The method's name.
  public let name: String
  let call: @Sendable (Owner) throws -> Void

  /// Describes a method.
  public init(_ name: String, call: @escaping @Sendable (Owner) throws -> Void) {
    self.name = name
    self.call = call
  }
}

extension InjectionValue {
  /// Hands out the providers of a call's arguments, in the order of the parameters.
  struct Cursor {
    private let values: [InjectionValue]
    private let linker: any Linking
    private var index = 0

    init(_ values: [InjectionValue], _ linker: any Linking) {
      self.values = values
      self.linker = linker
    }

    mutating func next<Value>(_ point: InjectionPoint<Value>) throws -> ObjectProvider<Value> {
      defer { index += 1 }
      return try point.provider(for: values[index], linker)
    }
  }
}
