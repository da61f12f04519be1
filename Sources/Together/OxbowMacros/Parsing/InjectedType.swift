internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// The type of a property or parameter that a container fills, in the spellings that its
/// description needs.
struct InjectedType {
  /// The type without `Optional`: `any Quest & Sendable`.
  let name: String
  let isOptional: Bool

  /// `@escaping `, where it is written as a function; a parameter that is kept has to say so.
  let escaping: String

  /// The product, when it takes a factory of what a file refers to.
  let factoryProduct: String?

  /// The test whether objects of a type fit: `{ $0 is any Quest.Type }`; for a collection as
  /// elements.
  let accepts: String

  /// The argument that finds the upcast for the type of an object; empty where each is cast.
  let upcast: String

  init(_ type: TypeSyntax) {
    var type = type.trimmed
    var isOptional = false
    if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      (type, isOptional) = (unwrapped.wrappedType.withoutParentheses, true)
    } else {
      let spelled = SpelledType(type)
      if spelled.isOptional {
        (type, isOptional) = (spelled.base.withoutParentheses.trimmed, true)
      }
    }
    self.isOptional = isOptional
    name = type.onOneLine
    let bare = type.as(AttributedTypeSyntax.self)?.baseType ?? type
    escaping =
      !isOptional && bare.withoutParentheses.is(FunctionTypeSyntax.self) ? "@escaping " : ""
    let factory = Self.argument(of: type.existentialConstraint, named: "FactoryObject")
    factoryProduct = (factory?.withoutParentheses.trimmedDescription).map(Self.parenthesized)
    accepts = Self.accepts(Self.fitting(Self.element(of: type) ?? type))
    upcast = factory == nil ? Self.upcast(Self.element(of: type) ?? type) : ""
  }

  /// The type of the objects that a file may refer to.
  private static func fitting(_ type: TypeSyntax) -> TypeSyntax {
    let spelled = SpelledType(type.withoutParentheses)
    let type = spelled.base.withoutParentheses.trimmed
    let factory = argument(of: type.existentialConstraint, named: "FactoryObject")
    let late = argument(of: type, named: "Provider") ?? argument(of: type, named: "Lazy")
    return (factory ?? late ?? type).withoutParentheses
  }

  /// `T` of `[T]`, `Array<T>`, `ContiguousArray<T>`, `Set<T>` and `[String: T]`.
  private static func element(of type: TypeSyntax) -> TypeSyntax? {
    if let array = type.as(ArrayTypeSyntax.self) { return array.element }
    if let dictionary = type.as(DictionaryTypeSyntax.self) {
      return dictionary.key.lastName == "String" ? dictionary.value : nil
    }
    let arguments = type.genericArguments
    switch type.lastName {
    case "Array", "ContiguousArray", "Set": return arguments.count == 1 ? arguments[0] : nil
    case "Dictionary":
      return arguments.count == 2 && arguments[0].lastName == "String" ? arguments[1] : nil
    default: return nil
    }
  }

  /// The type as it was written: `(any Quest)?`.
  var whole: String { isOptional ? Self.parenthesized(name) + "?" : name }

  /// `(any Quest).self`, `String.self`.
  var metatype: String { Self.parenthesized(Self.expressible(name)) + ".self" }

  /// The type as an expression can spell it, where `any` must not come before a keyword.
  private static func expressible(_ name: String) -> String {
    name.hasPrefix("any Any.") ? String(name.dropFirst(4)) : name
  }

  private static func parenthesized(_ name: String) -> String {
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "_.<>`[]".contains($0) }
    return isPlain ? name : "(\(name))"
  }

  private static func accepts(_ type: TypeSyntax) -> String {
    guard let existential = type.as(SomeOrAnyTypeSyntax.self) else {
      let name = type.onOneLine
      return name == "Any" ? "{ _ in true }" : "{ $0 is \(parenthesized(name)).Type }"
    }
    let constraint = existential.constraint.withoutParentheses
    if constraint.isMetatype { return "{ $0 is (\(expressible(type.onOneLine))).Type }" }
    let elements = constraint.compositionElements
      .filter { $0.lastName != "Sendable" }.map(\.onOneLine)
    switch elements.count {
    case 0: return "{ _ in true }"
    case 1: return elements[0] == "Any" ? "{ _ in true }" : "{ $0 is any \(elements[0]).Type }"
    default: return "{ $0 is any (\(elements.joined(separator: " & "))).Type }"
    }
  }

  /// A function whose type parameter is the object's class: there the compiler knows its protocols.
  ///
  /// `Sendable` cannot be asked for at run time, so what says it beside other protocols is cast.
  private static func upcast(_ type: TypeSyntax) -> String {
    guard let constraint = type.withoutParentheses.existentialConstraint else { return "" }
    let elements = constraint.compositionElements
    let isPlain = elements.allSatisfy { element in
      (element.is(IdentifierTypeSyntax.self) || element.is(MemberTypeSyntax.self))
        && !["Any", "Sendable"].contains(element.lastName)
    }
    guard isPlain else { return "" }
    let name = elements.map(\.trimmedDescription).joined(separator: " & ")
    let upcast = "Upcast"
    return ", upcast: { func open<_Object: \(name)>(_ type: _Object.Type) -> \(upcast) { "
      + "\(upcast) { (object: _Object) -> any \(name) in object } }; "
      + "return ($0 as? any \(elements.count > 1 ? "(\(name))" : name).Type).map { open($0) } }"
  }

  /// The argument of `Name<Argument>`.
  private static func argument(of type: TypeSyntax?, named name: String) -> TypeSyntax? {
    for element in type?.compositionElements ?? [] {
      let arguments = element.genericArguments
      if element.lastName == name, arguments.count == 1 { return arguments[0] }
    }
    return nil
  }
}

extension TypeSyntax {
  /// The type as it is spelled, without line breaks and comments.
  var onOneLine: String {
    var text = ""
    var isSpaced = false
    for token in tokens(viewMode: .sourceAccurate) {
      if !text.isEmpty, !token.leadingTrivia.isEmpty || isSpaced { text += " " }
      text += token.text
      isSpaced = !token.trailingTrivia.isEmpty
    }
    return text
  }

  /// Whether it is `P.Type`, however the parser takes it.
  fileprivate var isMetatype: Bool { self.is(MetatypeTypeSyntax.self) || lastName == "Type" }

  /// The type inside of parentheses that enclose the whole of it.
  var withoutParentheses: TypeSyntax {
    guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let element = tuple.elements.first, element.firstName == nil
    else { return self }
    return element.type.withoutParentheses
  }

  /// `P & Q` of `any P & Q`; `nil` for a type that is not an existential.
  var existentialConstraint: TypeSyntax? {
    self.as(SomeOrAnyTypeSyntax.self)?.constraint.withoutParentheses
  }

  /// The parts of `P & Q`, or the type itself.
  var compositionElements: [TypeSyntax] {
    self.as(CompositionTypeSyntax.self)?.elements.map { $0.type.trimmed } ?? [self]
  }
}
