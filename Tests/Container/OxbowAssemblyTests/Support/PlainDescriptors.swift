import OxbowContainer

// Shorter spellings for tests whose types are what they seem: concrete, without optionals.

extension PropertyDescriptor {
  /// A property of a concrete type.
  static func plain<Value>(
    _ name: String, _ type: Value.Type, set: @escaping @Sendable (Owner, Value) throws -> Void
  ) -> PropertyDescriptor {
    .property(
      name, type, typeName: "\(type)", sendability: .of(), accepts: { $0 is Value.Type }, set: set)
  }
}

extension ParameterDescriptor {
  /// A parameter of a concrete type.
  static func plain(_ name: String, _ type: Value.Type) -> ParameterDescriptor {
    ParameterDescriptor(
      name, type, typeName: "\(type)", sendability: .of(), accepts: { $0 is Value.Type })
  }
}
