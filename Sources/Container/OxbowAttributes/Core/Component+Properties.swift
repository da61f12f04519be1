public import OxbowContainer

extension Component {
  /// The value of a property, by its name and through its accessors.
  ///
  /// Of the properties that `@Component` describes: those of the class and, where these are
  /// components, of its superclasses.
  ///
  /// - Parameter name: The name of the property.
  /// - Throws: ``ContainerError`` with the code `unknownProperty` and near names.
  public subscript(property name: String) -> Any? {
    get throws { try Self.describedProperty(name, of: type(of: self)).value(of: self) }
  }

  /// Sets a property by its name, through its accessors; not to nil.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - value: The value.
  /// - Throws: ``ContainerError``: `unknownProperty` with near names, `typeMismatch`.
  public func setProperty(_ name: String, to value: Any) throws {
    try Self.describedProperty(name, of: type(of: self)).set(value, on: self)
  }

  private static func describedProperty(
    _ name: String, of type: any Component.Type
  ) throws -> AnyPropertyDescriptor {
    var current: (any Component.Type)? = type
    while let step = current {
      let descriptor = step.componentDescriptor
      if descriptor.hasProperty(name) { return try descriptor.property(name) }
      current = (step as? AnyClass).flatMap { _getSuperclass($0) as? any Component.Type }
    }
    // Its error has the near names.
    return try type.componentDescriptor.property(name)
  }
}
