internal import SwiftSyntax

/// A property with an attribute, as far as the attribute's macro needs it.
struct AttributedVariable {
  /// The type that declares it.
  struct Owner {
    /// Whether it is a class or an actor.
    let isReference: Bool
    let isActor: Bool

    /// Its name, alone and within the types around it: `Outer.Inner`.
    let name: String
    let path: String
  }

  /// The name of the attribute.
  let attribute: String

  /// The name as it is written, perhaps in back quotes, and plain.
  let spelling: String
  let name: String
  let owner: Owner

  /// The type as it is written, and without its optional mark.
  let type: String
  let wrappedType: TypeSyntax
  let isOptional: Bool

  /// The expression behind the equals sign.
  let initialValue: String?

  /// `static ` or nothing.
  let staticPrefix: String

  /// The access of the setter, with a trailing space where one is written.
  let access: String

  /// The arguments of the attribute.
  let arguments: Arguments

  /// File and line of the attribute as arguments of `#sourceLocation`.
  let location: String

  /// The name and the type that declares it as arguments: `"n", of: Owner.self`.
  var label: String { "\"\(name)\", of: \(owner.name).self" }

  var slot: String { "_\(name)" }

  /// The protocols of the type: `any Engine & Fueled` has two.
  var protocols: [String] {
    let constraint = wrappedType.withoutParentheses.existentialConstraint
    return constraint?.compositionElements.map(\.trimmedDescription)
      .filter { $0 != "Sendable" && $0 != "AnyObject" } ?? []
  }
}
