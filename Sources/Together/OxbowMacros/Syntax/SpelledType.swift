internal import SwiftSyntax

/// A property's type by its spelling, because macros do not see aliases.
struct SpelledType {
  let isOptional: Bool

  /// The type without its optional mark.
  let base: TypeSyntax

  /// The element when the base is spelled `Set<T>`, `[T]` or `Array<T>`.
  let collection: TypeSyntax?
  let isOrdered: Bool

  init(_ type: TypeSyntax) {
    if let optional = type.as(OptionalTypeSyntax.self) {
      (isOptional, base) = (true, optional.wrappedType)
    } else if let wrapped = Self.argument(of: type, named: "Optional") {
      (isOptional, base) = (true, wrapped)
    } else {
      (isOptional, base) = (false, type)
    }
    let array = base.as(ArrayTypeSyntax.self)?.element ?? Self.argument(of: base, named: "Array")
    isOrdered = array != nil
    collection = array ?? Self.argument(of: base, named: "Set")
  }

  /// Whether the base is a plain name, with or without generic arguments.
  var canBeAttribute: Bool {
    guard base.lastName != "Any", base.lastName != "AnyObject" else { return false }
    if let identifier = base.as(IdentifierTypeSyntax.self) {
      return !["Optional", "Dictionary"].contains(identifier.name.text)
    }
    return base.is(MemberTypeSyntax.self)
  }

  private static func argument(of type: TypeSyntax, named name: String) -> TypeSyntax? {
    let arguments = type.genericArguments
    guard type.is(IdentifierTypeSyntax.self), type.lastName == name, arguments.count == 1
    else { return nil }
    return arguments[0]
  }
}
