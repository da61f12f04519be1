internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension ComponentClass {
  /// Writes the description that files use, and the record by which they find it.
  ///
  /// - Parameter overrides: Whether a superclass is a component too.
  /// - Returns: Two members of the class.
  func members(overrides: Bool) -> [DeclSyntax] {
    let record = componentRecord(".component(\(name).componentDescriptor)", indentedBy: 0)
    return [descriptor(overrides: overrides), "\(raw: record)"]
  }

  private func descriptor(overrides: Bool) -> DeclSyntax {
    let arguments = [
      "\(name).self, name: \"\(name)\", sendability: .of(), product: .of()",
      isMainActor ? "isolation: .mainActor" : nil,
      list("initializers", initializers.map { description(of: $0) }),
      list("properties", properties.map { description(of: $0) }),
    ].compactMap { $0 }
    return """
      /// What files can do with the class.
      nonisolated \(raw: access)\(raw: overrides ? "override " : "")class var componentDescriptor: \
      ComponentDescriptor {
        ComponentDescriptor(\(raw: arguments.joined(separator: ", ")))
      }
      """
  }

  private func list(_ label: String, _ elements: [String]) -> String? {
    if elements.isEmpty { return nil }
    return "\(label): [\n" + elements.map { "      \($0),\n" }.joined() + "    ]"
  }

  private func description(of initializer: Initializer) -> String {
    let parameters = initializer.parameters.map { parameter in
      let type = parameter.place.type
      if let product = type.factoryProduct {
        return "ParameterDescriptor.factory(\"\(parameter.place.name)\", of: \(product).self, "
          + "typeName: \"\(type.name)\", sendability: .of(), accepts: \(type.accepts))"
      }
      return "ParameterDescriptor(\"\(parameter.place.name)\", \(type.metatype), "
        + "typeName: \"\(type.name)\", sendability: .of(), accepts: \(type.accepts))"
    }
    let arguments = initializer.parameters.enumerated().map { "\($1.label)$\($0)" }
    let call =
      (initializer.canThrow ? "try " : "") + "\(name)(" + arguments.joined(separator: ", ") + ")"
    let prefix = parameters.isEmpty ? "" : "(" + parameters.joined(separator: ", ") + ")"
    return "InitializerDescriptor\(prefix) { \(call) }"
  }

  private func description(of property: Property) -> String {
    let type = property.place.type
    let optional = type.isOptional ? "isOptional: true, " : ""
    let set = "{ $0.\(property.spelling) = $1 }"
    if let product = type.factoryProduct {
      return ".factory(\"\(property.place.name)\", of: \(product).self, "
        + "typeName: \"\(type.name)\", sendability: .of(), \(optional)accepts: \(type.accepts), "
        + "set: \(set))"
    }
    return ".property(\"\(property.place.name)\", \(type.metatype), typeName: \"\(type.name)\", "
      + "sendability: .of(), \(optional)accepts: \(type.accepts), set: \(set))"
  }
}
