/// A described class, its type forgotten.
///
/// Definitions are checked against what is known here; the types come back when a container is
/// linked.
package class AnyComponent: @unchecked Sendable {
  // Sendable by argument: nothing changes, and everything that is kept is Sendable.

  /// A settable property, the type of its value forgotten.
  package struct Property: Sendable {
    package let name: String
    package let point: AnyInjectionPoint
    /// Whether the property can be read, as paths through it need.
    package let isReadable: Bool
    /// Whether the property may be nil.
    package let isOptional: Bool
  }

  /// A way to call something that makes objects: an initializer or a method.
  package struct Call: Sendable {
    /// `init`, or the name of the method without labels.
    package let name: String
    /// The names of the parameters: label, or name where there is no label.
    package let labels: [String]
    /// What the parameters take.
    package let points: [AnyInjectionPoint]
    /// The type of what is made.
    package let productType: any Any.Type
  }

  package let name: String
  package let type: any Any.Type
  /// The type that a definition of this class stands for: the class, or the product of a factory.
  package let objectType: any Any.Type
  /// Whether the class is a `FactoryObject`.
  package let isFactory: Bool
  package let isolation: ComponentIsolation
  /// The properties that can be set, inherited ones excluded.
  package let properties: [Property]
  package let propertyNames: [String]
  /// The initializers and static methods that make objects of the class.
  package let initializers: [Call]
  /// The methods that make other objects.
  package let methods: [Call]
  /// The methods that can be called around injection.
  package let callbackNames: [String]

  init(
    name: String, type: any Any.Type, productType: (any Any.Type)?, isolation: ComponentIsolation,
    properties: [Property], initializers: [Call], methods: [Call], callbackNames: [String]
  ) {
    self.name = name
    self.type = type
    self.objectType = productType ?? type
    self.isFactory = productType != nil
    self.isolation = isolation
    self.properties = properties
    self.propertyNames = properties.map { $0.name }
    self.initializers = initializers
    self.methods = methods
    self.callbackNames = callbackNames
  }

  /// The properties for tools, inherited ones excluded.
  var anyProperties: [AnyPropertyDescriptor] { preconditionFailure("abstract") }

  /// A new object by the initializer without parameters; nil where there is none.
  func newObject() throws -> Any? { preconditionFailure("abstract") }

  /// What a planned definition becomes.
  func binding(of plan: ConstructionPlan) -> AnyBinding { preconditionFailure("abstract") }

  /// What a planned definition becomes whose object a method makes, called on an object of this
  /// class.
  func binding(of plan: ConstructionPlan, ofMethodOf object: String) -> AnyBinding {
    preconditionFailure("abstract")
  }

  /// How a planned property is set on objects of the class that are known as `Known`.
  func injector<Known>(
    for property: ConstructionPlan.Property, on known: Known.Type, _ linker: Linker
  ) throws -> Injector<Known> { preconditionFailure("abstract") }

  /// How the property at the end of a path is set.
  func injector<Known>(
    along path: ArraySlice<ConstructionPlan.Member>, to assignment: PropertyAssignment,
    _ value: InjectionValue, on known: Known.Type, _ linker: Linker
  ) throws -> Injector<Known> { preconditionFailure("abstract") }

  /// The callback of a number for objects of the class that are known as `Known`.
  func callback<Known>(_ number: Int, on known: Known.Type) -> ((Known) throws -> Void)? {
    preconditionFailure("abstract")
  }
}

extension AnyComponent.Call {
  /// Whether it is an initializer and no method.
  var isInitializer: Bool { name == "init" }

  /// The name in Swift's spelling.
  var methodName: MethodName { MethodName(name, labels: labels) }

  /// How an initializer or static method is written in Swift.
  var spelling: String {
    let call = "\(name)(" + labels.map { "\($0):" }.joined() + ")"
    return isInitializer ? call : "static \(call)"
  }
}
