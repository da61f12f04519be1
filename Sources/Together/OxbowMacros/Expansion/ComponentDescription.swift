internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension ComponentClass {
  /// The description that files use, the record by which they find it, and their helpers.
  ///
  /// `overrides` says whether a superclass is a component too; `writeLocation` returns the location
  /// of an annotation as arguments, with a comma before them.
  func members(overrides: Bool, writeLocation: (AttributeSyntax) -> String) -> [DeclSyntax] {
    let record = componentRecord(".component(\(name).componentDescriptor)", indentedBy: 0)
    return [descriptor(overrides: overrides, writeLocation: writeLocation), "\(raw: record)"]
      + (madeWith.isEmpty ? [] : [initializer]) + (isMainActor ? [] : [isolationProbe])
      + (inheritsInitializers ? [noInitializer] : [])
      + (isFinal || isMainActor || overrides && inheritsInitializers ? [] : heritage)
  }

  /// An initializer for what is injected, in a class that declares none.
  private var initializer: DeclSyntax {
    let parameters = madeWith.map {
      "\($0.spelling): \($0.type.escaping)\($0.type.whole)"
    }
    let lines = madeWith.map { "  self.\($0.spelling) = \($0.spelling)" }
    return """
      /// Takes what is injected.
      init(\(raw: parameters.joined(separator: ", "))) {
      \(raw: lines.joined(separator: "\n"))
      }
      """
  }

  /// A function on the actor of the class, which a macro does not see.
  private var isolationProbe: DeclSyntax {
    """
    /// Its type says which actor the class belongs to.
    private static func _isolationProbe() {}
    """
  }

  /// The meaning of `Name.init` where no initializer without arguments is inherited.
  private var noInitializer: DeclSyntax {
    """
    /// Never called.
    nonisolated private convenience init(_ none: NoInitializer) {
      switch none {
      }
    }
    """
  }

  private func descriptor(overrides: Bool, writeLocation: (AttributeSyntax) -> String) -> DeclSyntax
  {
    let arguments = [
      "\(name).self, name: \"\(name)\", sendability: .of(), product: .of()",
      "isolation: " + (isMainActor ? ".mainActor" : "isolation"),
      initializerList(overrides: overrides),
      listArgument("properties", properties.map(description)),
      listArgument("methods", methods.map(method)),
      listArgument("callbacks", callbacks.map(method)),
      annotations.isEmpty
        ? nil : "annotations: \(annotations.description(writeLocation: writeLocation))",
    ].compactMap { $0 }.joined(separator: ", ")
    return """
      /// What files can do with the class.
      nonisolated \(raw: access)\(raw: overrides ? "override " : "")class var componentDescriptor: \
      ComponentDescriptor {
        \(raw: isolation)\(raw: inherited(overrides: overrides))\
      \(raw: result)ComponentDescriptor(\(raw: arguments))
      }
      """
  }

  /// The isolation, asked for at the line of the class, where the only error about it appears.
  private var isolation: String {
    if isMainActor { return "" }
    let line = "let isolation = ComponentIsolation.of(type(of: \(name)._isolationProbe))"
    return located(line, at: location) + "\n  "
  }

  private var result: String { isMainActor ? "" : "return " }

  private func initializerList(overrides: Bool) -> String? {
    let descriptions = initializers.map(initializer)
    guard inheritsInitializers else { return listArgument("initializers", descriptions) }
    let others = listArgument("and", descriptions).map { ", " + $0 } ?? ""
    let numbers = (0..<Self.heritableCount).map { "inherited\($0)" }
    let above = overrides ? ", from: [\(numbers.joined(separator: ", "))]" : ""
    return "initializers: .inherited(\(name).init\(others)\(above))"
  }

  /// Asks the nearest superclass that declares initializers for the inherited ones, each in its own
  /// statement: the compiler finds out one by one which there are.
  private func inherited(overrides: Bool) -> String {
    guard overrides, inheritsInitializers, !isMainActor else { return "" }
    let source = "InitializerSource<\(name)._InitializerOwner>()"
    return (0..<Self.heritableCount).map {
      "let inherited\($0) = \(name)._heritableInitializer\($0)(\(source), \(name).init)\n  "
    }.joined()
  }
}

// MARK: - Initializers that others inherit

extension ComponentClass {
  /// Functions that describe the initializers of the class for classes that inherit them.
  private var heritage: [DeclSyntax] {
    let owner: DeclSyntax = """
      /// The class whose initializers those inherit that declare none.
      \(raw: access.closed)typealias _InitializerOwner = \(raw: name)
      """
    return [owner] + heritable.enumerated().map { heritage($0, of: $1) }
  }

  private func heritage(_ number: Int, of initializer: Heritable) -> DeclSyntax {
    let types = initializer.parameters.map(\.type.whole).joined(separator: ", ")
    let descriptors = initializer.choices.map { given in
      let parameters = given.map { description(of: initializer.parameters[$0]) }
      let arguments = initializer.parameters.indices.map { index in
        given.firstIndex(of: index).map { "$\($0)" } ?? initializer.parameters[index].fallback ?? ""
      }
      return descriptor(
        "InitializerDescriptor", parameters, "try make(\(arguments.joined(separator: ", ")))")
    }
    return """
      /// Describes an initializer for a class that inherits it.
      nonisolated \(raw: initializer.access)static func \
      _heritableInitializer\(raw: number)<_Owner: \(raw: name)>(
        _ source: InitializerSource<\(raw: name)>, \
      _ make: @escaping @Sendable (\(raw: types)) throws -> _Owner
      ) -> [InitializerDescriptor<_Owner>] {
        [\(raw: descriptors.joined(separator: ", "))]
      }
      """
  }
}

// MARK: - Initializers and methods

extension ComponentClass {
  private func initializer(_ made: Callable) -> String {
    let named = made.method.map { ["method: \"\(plain($0))\""] } ?? []
    return descriptor(
      "InitializerDescriptor", named + made.parameters.map(description),
      call(made.method.map { "\(name).\($0)" } ?? name, made, first: 0))
  }

  private func method(_ method: Callable) -> String {
    let product = method.product.map { ["sendability: Sendability<\($0)>.of()"] } ?? []
    let spelling = method.method ?? ""
    return descriptor(
      product.isEmpty ? "CallbackDescriptor" : "MethodDescriptor",
      ["\"\(plain(spelling))\""] + method.parameters.map(description) + product,
      call("$0.\(spelling)", method, first: 1))
  }

  private func descriptor(_ name: String, _ arguments: [String], _ call: String) -> String {
    "\(name)\(arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))") { \(call) }"
  }

  private func call(_ callee: String, _ called: Callable, first: Int) -> String {
    let arguments = called.parameters.enumerated().map { "\($1.label)$\($0 + first)" }
    return (called.canThrow ? "try " : "") + "\(callee)(\(arguments.joined(separator: ", ")))"
  }

  /// A name without the back quotes of an escaped keyword.
  private func plain(_ name: String) -> String { name.filter { $0 != "`" } }
}

// MARK: - Parameters and properties

extension ComponentClass {
  private func description(of parameter: Parameter) -> String {
    let kind = parameter.type.factoryProduct == nil ? "" : ".factory"
    let plain = "ParameterDescriptor\(kind)(\(arguments(parameter.name, parameter.type)))"
    return parameter.type.isOptional ? "ParameterDescriptor.optional(\(plain))" : plain
  }

  private func description(of property: Property) -> String {
    let (type, spelling) = (property.type, property.spelling)
    let optional = type.isOptional ? "isOptional: true, " : ""
    let list = arguments(property.name, type, optional)
    let set =
      "set: { $0.\(spelling) = $1 }"
      + (type.isOptional ? ", clear: { $0.\(spelling) = nil }" : "")
    return type.factoryProduct == nil
      ? ".property(\(list), get: { $0.\(spelling) }, \(set))" : ".factory(\(list), \(set))"
  }

  /// The name and the type as arguments.
  private func arguments(
    _ name: String, _ type: InjectedType, _ optional: String = ""
  ) -> String {
    let product = type.factoryProduct.map { "of: \($0).self" } ?? type.metatype
    return "\"\(name)\", \(product), typeName: \"\(type.name)\", sendability: .of(), "
      + "\(optional)accepts: \(type.accepts)\(type.upcast)"
  }
}

// MARK: - Annotations

extension ComponentNotes {
  fileprivate func description(writeLocation: (AttributeSyntax) -> String) -> String {
    let set = assignments.map {
      "      .annotated(\"\($0.name)\", \($0.content)\(writeLocation($0.node))),\n"
    }
    let arguments = [
      name.map { "name: \($0)" }, scope.map { "scope: \"\($0)\"" },
      isLazy ? "isLazy: true" : nil, isPrimary ? "isPrimary: true" : nil,
      set.isEmpty ? nil : "assignments: [\n\(set.joined())    ]",
    ].compactMap { $0 }
    return "ComponentAnnotations(\(arguments.joined(separator: ", ")))"
  }
}
