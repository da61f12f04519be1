internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// Why code beside a class cannot set one of its properties.
enum UnsettableReason {
  case constant, hidden
  case other(String)
}

extension ComponentParser {
  func properties(of declaration: ClassDeclSyntax) -> [ComponentClass.Property] {
    declaration.members(VariableDeclSyntax.self).filter { $0.unsettableReason == nil }
      .compactMap(property)
  }

  func property(_ variable: VariableDeclSyntax) -> ComponentClass.Property? {
    guard let binding = variable.bindings.first,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
      let type = variable.visibleType
    else { return nil }
    return ComponentClass.Property(
      spelling: pattern.identifier.text, name: pattern.identifier.plainName,
      type: InjectedType(type))
  }
}

extension VariableDeclSyntax {
  /// Why code beside the class cannot set the property; nil where it can.
  var unsettableReason: UnsettableReason? {
    if isStatic { return .other("it is static, and belongs to no object") }
    if isPrivate { return .hidden }
    if isRestricted { return .other("it belongs to an actor, or is not available everywhere") }
    if bindings.count != 1 {
      return .other("several properties are declared at once; declare each by itself")
    }
    if bindingSpecifier.text != "var" { return .constant }
    if !isStoredOnInstance && !hasSetter { return .other("it has no setter") }
    return visibleType == nil
      ? .other("its type is not written, and a macro sees no inferred ones") : nil
  }

  /// Whether its spelling says that an initializer has to set it: another attribute gives it
  /// storage of its own.
  var lacksValue: Bool {
    let others = attributes.count - Markers.injecting(on: attributes).count
    if !isStoredOnInstance || others > attributes.ofTheCompiler { return false }
    if modifiers.contains(where: { $0.name.text == "override" }) { return false }
    // In `var a, b: Int` the type is that of both.
    var type: TypeSyntax?
    for binding in bindings.reversed() {
      type = binding.typeAnnotation?.type ?? (binding.initializer == nil ? type : nil)
      if binding.initializer == nil, bindingSpecifier.text != "var" || type?.isOptional != true {
        return true
      }
    }
    return false
  }

  /// The written type, or the type of a literal or a call of an initializer.
  var visibleType: TypeSyntax? {
    bindings.first.flatMap { binding in
      guard let type = binding.typeAnnotation?.type else {
        return binding.initializer?.value.inferredType
      }
      return type.lacksArguments ? nil : type
    }
  }

  /// The name, for messages and files.
  var plainName: String? {
    bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName
  }

  private var hasSetter: Bool {
    guard case .accessors(let accessors) = bindings.first?.accessorBlock?.accessors else {
      return false
    }
    return accessors.contains { ["set", "_modify"].contains($0.accessorSpecifier.text) }
  }
}

extension ExprSyntax {
  /// The type of a literal or a new value: `String` for `""`, `Point` for `Point()`, `[Int]` for
  /// `[Int]()`, `Int?` for `Optional<Int>.none`.
  ///
  /// A call with arguments may leave the generic arguments to the compiler.
  fileprivate var inferredType: TypeSyntax? {
    if let literalType { return TypeSyntax(IdentifierTypeSyntax(name: .identifier(literalType))) }
    if let member = self.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "none" {
      return member.base?.spelledType.flatMap { $0.lastName == "Optional" ? $0 : nil }
    }
    guard let call = self.as(FunctionCallExprSyntax.self), call.trailingClosure == nil,
      let type = call.calledExpression.spelledType
    else { return nil }
    return call.arguments.isEmpty || !type.genericArguments.isEmpty ? type : nil
  }

  /// The type that an expression spells, which begins with a capital letter; nil for any other.
  private var spelledType: TypeSyntax? {
    let text = trimmedDescription
    let name = self.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? text
    guard name.first?.isUppercase == true || text.hasPrefix("["), !text.contains("(") else {
      return nil
    }
    let type: TypeSyntax = "\(raw: text)"
    return type.hasError || type.is(MissingTypeSyntax.self) || type.lacksArguments ? nil : type
  }
}

extension TypeSyntax {
  /// Whether the compiler infers the arguments of a type of the standard library.
  fileprivate var lacksArguments: Bool {
    let known = ["Array", "ContiguousArray", "Dictionary", "Set", "Optional", "Result"]
    return self.is(IdentifierTypeSyntax.self) && known.contains(lastName)
      && genericArguments.isEmpty
  }
}

extension AttributeListSyntax {
  /// The number of those that say nothing of storage.
  fileprivate var ofTheCompiler: Int {
    let names: Set<String> = ["objc", "usableFromInline", "available", "_spi"]
    return count {
      names.contains($0.as(AttributeSyntax.self)?.attributeName.trimmedDescription ?? "")
    }
  }
}

extension TypeSyntax {
  fileprivate var isOptional: Bool {
    self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }
}
