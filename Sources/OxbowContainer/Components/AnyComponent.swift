/// A described class, its type forgotten.
///
/// Definitions are checked against what is known here; the types come back when a container is linked.
package class AnyComponent: @unchecked Sendable {
  // Sendable by argument: nothing changes, and everything that is kept is Sendable.

  package let name: String
  package let type: any Any.Type
  /// The type that a definition of this class stands for: the class, or the product of a factory.
  package let objectType: any Any.Type
  package let isolation: ComponentIsolation
  /// The properties that can be set, inherited ones excluded.
  package let properties: [PropertyShape]
  package let propertyNames: [String]
  /// The initializers and static methods that make objects of the class.
  package let initializers: [CallShape]
  /// The methods that make other objects.
  package let methods: [CallShape]
  /// The methods that can be called around injection.
  package let callbackNames: [String]

  init(
    name: String, type: any Any.Type, objectType: any Any.Type, isolation: ComponentIsolation,
    properties: [PropertyShape], initializers: [CallShape], methods: [CallShape],
    callbackNames: [String]
  ) {
    self.name = name
    self.type = type
    self.objectType = objectType
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

  /// What a checked definition becomes.
  func binding(of plan: ObjectPlan, in context: BindingContext) -> AnyBinding {
    preconditionFailure("abstract")
  }

  /// What a definition becomes whose object a method of an object of this class makes.
  func binding(
    ofMethod number: Int, _ arguments: [Supply], properties: [PropertyAssignment],
    component: String, in context: BindingContext
  ) -> AnyBinding? { preconditionFailure("abstract") }

  /// How a checked property is set on objects of the class that are known as `Known`.
  func injector<Known>(
    for property: PlannedProperty, on known: Known.Type, _ linker: Linker
  ) throws -> Injector<Known> { preconditionFailure("abstract") }

  /// How the property at the end of a path is set.
  func injector<Known>(
    along path: ArraySlice<PropertyStep>, to assignment: PropertyAssignment, _ supply: Supply,
    on known: Known.Type, _ linker: Linker
  ) throws -> Injector<Known> { preconditionFailure("abstract") }

  /// The callback of a name for objects of the class that are known as `Known`.
  func callback<Known>(_ name: String, on known: Known.Type) -> Callback<Known>? {
    preconditionFailure("abstract")
  }
}

/// A settable property of a described class, the type of its value forgotten.
package struct PropertyShape: Sendable {
  package let name: String
  package let point: AnyInjectionPoint
  /// Whether the property can be read, as paths through it need.
  package let isReadable: Bool
  /// Whether the property may be nil.
  package let isOptional: Bool
}

/// A way to call something that makes objects: an initializer or a method, types forgotten.
package struct CallShape: Sendable {
  /// `init`, or the name of the method without labels.
  package let name: String
  /// The names of the parameters: label, or name where there is no label.
  package let labels: [String]
  /// The places for the arguments.
  package let points: [AnyInjectionPoint]

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

/// How the objects of one definition of a described class come to be: checked, not linked.
package struct ObjectPlan {
  /// The number of the initializer among those of the class.
  let initializer: Int
  let arguments: [Supply]
  let properties: [PlannedProperty]
  let callbacks: PlannedCallbacks?
  /// Plans the properties that are arguments, for an object that somebody else has made.
  let elsewhere: (() throws -> [PlannedProperty])?
}

/// One property of a definition, and what fills it.
package struct PlannedProperty {
  let supply: Supply
  /// Which property of the class itself it is.
  let number: Int
  /// The way to a property that the class inherits, or that an object has that a property holds.
  let route: PropertyRoute?
}

/// The way to a property, from an object of a described class.
final class PropertyRoute: Sendable {
  let assignment: PropertyAssignment
  let steps: [PropertyStep]

  init(_ assignment: PropertyAssignment, _ steps: [PropertyStep]) {
    self.assignment = assignment
    self.steps = steps
  }
}

/// One property of a described class.
package struct PropertyStep: Sendable {
  let component: AnyComponent
  let number: Int

  var property: PropertyShape { component.properties[number] }
}

/// The methods that a definition has called around injection.
final class PlannedCallbacks {
  private let before: String?
  private let after: String?
  private let type: any Any.Type
  private let classes: ClassRegistry

  init(before: String?, after: String?, of type: any Any.Type, _ classes: ClassRegistry) {
    self.before = before
    self.after = after
    self.type = type
    self.classes = classes
  }

  /// The calls on objects that are known as `Known`.
  func callbacks<Known>(on known: Known.Type) -> Callbacks<Known> {
    let found = { [classes, type] (name: String) in
      classes.callback(name, on: known, of: type)
    }
    return Callbacks(
      before: before.flatMap(found).map { [$0] } ?? [],
      after: after.flatMap(found).map { [$0] } ?? [])
  }
}
