internal import SwiftSyntax

extension ComponentParser {
  func properties(of declaration: ClassDeclSyntax) -> [ComponentClass.Property] {
    declaration.members(VariableDeclSyntax.self).compactMap { variable in
      guard variable.unsettableReason == nil, let binding = variable.bindings.first,
        let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
        let type = variable.visibleType
      else { return nil }
      return ComponentClass.Property(
        spelling: pattern.identifier.text,
        point: ComponentClass.InjectionPoint(
          name: pattern.identifier.plainName, type: InjectedType(type)))
    }
  }
}

extension VariableDeclSyntax {
  /// Why code beside the class cannot set the property; nil where it can.
  var unsettableReason: UnsettableReason? {
    if isStatic { return .isStatic }
    if isPrivate { return .hidden }
    if isRestricted { return .isolated }
    if bindings.count != 1 { return .several }
    if bindingSpecifier.text != "var" { return .constant }
    if !isStoredOnInstance && !hasSetter { return .noSetter }
    return visibleType == nil ? .unseenType : nil
  }

  /// The type that is written, or that a literal has.
  var visibleType: TypeSyntax? {
    bindings.first.flatMap { $0.typeAnnotation?.type ?? $0.initializer?.value.inferredType }
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
  /// The type of a literal: `String` for `""`.
  fileprivate var inferredType: TypeSyntax? {
    literalType.map { TypeSyntax(IdentifierTypeSyntax(name: .identifier($0))) }
  }
}
