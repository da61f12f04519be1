/// Makes a class the Swift side of an entity.
///
/// ```swift
/// @Entity final class Author: ManagedObject {
///   var name: String = ""
///   var age: Int?
///   @Relationship(.cascade, inverse: \.author) var books: Set<Book> = []
/// }
/// ```
///
/// Each stored property becomes a property of the entity and gets accessors that read the object's
/// row; its initial value becomes the default of new objects, evaluated once. Types must be
/// written, because a macro sees no inferred ones and no aliases. The macro writes the entity's
/// description, the key paths that predicates use, and the conformance to ``ModelObject``. A class
/// that inherits from another entity is a sub-entity.
///
/// - Parameters:
///   - name: The entity's name in the model; the class's name unless it is given.
///   - abstract: Whether the entity has no objects of its own.
///   - renamedFrom: The name that the entity had in the model before.
///   - unique: Sets of attributes whose values must be unique together.
@attached(member, names: arbitrary)
@attached(memberAttribute)
@attached(extension, conformances: ModelObject)
public macro Entity(
  _ name: String? = nil, abstract: Bool = false, renamedFrom: String? = nil,
  unique: [[String]] = []
) = #externalMacro(module: "OxbowMacros", type: "EntityMacro")

/// Gives options to an attribute of an entity.
///
/// - Parameters:
///   - renamedFrom: The name that the attribute had in the model before, for migrations.
///   - transient: Whether the value lives in memory only.
///   - rules: What a value must keep, checked at save.
@attached(peer)
public macro Attribute(
  renamedFrom: String? = nil, transient: Bool = false, rules: AttributeRules = AttributeRules()
) = #externalMacro(module: "OxbowMacros", type: "EntityOptionMacro")

/// Makes a property of an entity a relationship.
///
/// The type says how many objects it leads to: `T?` one, `Set<T>` many, `[T]` many in order.
///
/// - Parameters:
///   - deleteRule: What happens to the other end when the object is deleted.
///   - inverse: The property at the other end, as `\.name` without its class.
///   - renamedFrom: The name that the relationship had in the model before, for migrations.
///   - minimumCount: The smallest number of objects of a to-many relationship that is not empty.
///   - maximumCount: The largest number of objects; 0 for no limit.
@attached(peer)
public macro Relationship(
  _ deleteRule: DeleteRule = .nullify, inverse: KeyPath<InverseName, InverseName>? = nil,
  renamedFrom: String? = nil, minimumCount: Int = 0, maximumCount: Int = 0
) = #externalMacro(module: "OxbowMacros", type: "EntityOptionMacro")

/// Writes the accessors of an entity's property; ``Entity(_:abstract:renamedFrom:unique:)`` attaches it.
@attached(accessor)
public macro _EntityProperty(_ index: Int, after superclass: String? = nil) =
  #externalMacro(module: "OxbowMacros", type: "EntityPropertyMacro")

/// Lets `inverse: \.name` be written without naming the class.
///
/// Two relationships that name each other with their classes would be a circular reference; the
/// macro finds the class in the property's type and has the compiler check the name there.
@dynamicMemberLookup
public struct InverseName: Sendable {
  /// Any name.
  public subscript(dynamicMember name: String) -> InverseName { self }
}

/// The name of an inverse; the key path has the compiler check it, and is never formed.
public func _inverseName(_ name: String, _ check: @autoclosure () -> AnyKeyPath) -> String { name }

/// Makes a class known to files by its name.
///
/// The macro writes a description of what a file can do with the class: its initializers, whose
/// labels are the names of properties in a file, and the properties that code beside the class can
/// set. A property counts when its type is written or its initial value is a literal; private ones, `let`s
/// and those of the superclass do not (a superclass that is a component describes its own). A record
/// in the program lets the container find the class without registration.
///
/// - Parameter isolation: `.mainActor` for a class of the main actor, where that is the module's
///   default and so not written on the class. Such a class is known and cannot be built from a file.
@attached(
  member, conformances: Component, names: named(componentDescriptor), named(_componentRecord))
@attached(extension, conformances: Component)
public macro Component(isolation: ComponentIsolation = .nonisolated) =
  #externalMacro(module: "OxbowMacros", type: "ComponentMacro")

/// Generates a proxy for a protocol.
///
/// A proxy stands for an object that is built at the first call, or for another object on each
/// thread: its source decides. For
///
/// ```swift
/// @Proxied public protocol Catalog {
///   func titles() throws -> [String]
/// }
/// ```
///
/// the macro writes the protocol `CatalogForwarding`, the Sendable class `CatalogProxy`, and a
/// default for each requirement that asks the proxy's target. A protocol that `Catalog` refines must
/// be `@Proxied` too. Requirements should throw: a proxy whose target cannot be built throws from the
/// call, and stops the process where it may not throw.
///
/// - Parameter protocols: The protocols, as `Name.self`, that this one refines through more than one
///   parent. Without them a call through the proxy would be ambiguous.
@attached(peer, names: suffixed(Forwarding), suffixed(Proxy))
@attached(extension, names: arbitrary)
public macro Proxied(also protocols: Any.Type...) =
  #externalMacro(module: "OxbowMacros", type: "ProxiedMacro")
