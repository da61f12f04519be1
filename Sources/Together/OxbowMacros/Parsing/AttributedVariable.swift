internal import SwiftSyntax

/// A property with an attribute, as far as the attribute's macro needs it.
struct AttributedVariable {
  /// The kind of type that declares it.
  enum Owner {
    /// A class or an actor.
    case reference
    case value
  }

  /// The name as it is written, perhaps in back quotes, and plain.
  let spelling: String
  let name: String
  let owner: Owner
  let isActor: Bool

  /// The name of the type that declares it, and the names of all around it: `Outer.Inner`.
  let ownerName: String
  let ownerPath: String

  /// The type as it is written, and without its optional mark.
  let type: String
  let wrappedType: TypeSyntax
  let isOptional: Bool

  /// What is right of the equals sign.
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
  var label: String { "\"\(name)\", of: \(ownerName).self" }

  var slot: String { "_\(name)" }

  /// The protocols of the type: `any Engine & Fueled` has two.
  var protocols: [String] {
    let constraint = wrappedType.withoutParentheses.existentialConstraint
    return constraint?.compositionElements.map(\.trimmedDescription)
      .filter { $0 != "Sendable" && $0 != "AnyObject" } ?? []
  }
}
