internal import OxbowDocuments

// What a descriptor can do with objects, for tools that know classes at run time only. The container
// itself links typed setters.

extension ComponentDescriptor {
  /// The properties that can be set, inherited ones excluded.
  public var properties: [AnyPropertyDescriptor] { body.anyProperties }

  /// Whether the class itself describes a property of a name.
  public func hasProperty(_ name: String) -> Bool { propertyNames.contains(name) }

  /// The property of a name.
  ///
  /// - Throws: ``ContainerError`` with the code `unknownProperty` and near names.
  public func property(_ name: String) throws -> AnyPropertyDescriptor {
    if let found = properties.first(where: { $0.name == name }) { return found }
    throw ContainerError(
      .noSuchProperty(
        name, className: self.name, known: propertyNames,
        near: nearNames(to: name, among: propertyNames)), task: "use a property")
  }

  /// Makes an object by the initializer without parameters; nothing is injected.
  ///
  /// - Returns: The object.
  /// - Throws: ``ContainerError`` with the code `noInitializer` when the class describes none, and what the
  ///   initializer throws.
  public func newObject() throws -> Any {
    if let object = try body.newObject() { return object }
    throw ContainerError(
      .noPlainInitializer(className: name, labels: initializerLabels), task: "make a \(name)")
  }
}
