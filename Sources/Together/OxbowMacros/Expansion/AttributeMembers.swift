internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// The members that an attribute writes for a property.
struct AttributeMembers {
  /// The accessors.
  var accessors: [String]
  /// Storage beside the property, and `$name`.
  var peers: [String]
}

extension AttributedVariable {
  /// The members that the attribute writes.
  var members: AttributeMembers {
    switch attribute {
    case "Lazy": lazyMembers
    case "Injected": injectedMembers
    case "Final": finalMembers
    case "Preference": preferenceMembers
    default: attributedMembers
    }
  }

  /// A handle as a computed property `$name`.
  private func handle(_ summary: String, _ type: String, _ body: String) -> String {
    """
    /// \(summary)
    \(access)\(staticPrefix)var $\(name): \(type) { \(body) }
    """
  }

  /// The wrapped type between angle brackets.
  private var wrapped: String { wrappedType.trimmedDescription }

  private var hasExpression: Bool { initialValue != nil && initialValue != "nil" }

  // MARK: - Lazy

  /// `@Lazy`: the expression, or the plain initializer of the type, is run by the first reader.
  private var lazyMembers: AttributeMembers {
    let function = arguments.first.map { "(\($0))(self)" }
    let made = function ?? (hasExpression ? initialValue ?? "" : "\(wrapped)()")
    let result = isOptional ? optional(wrapped) : type
    if owner.isReference {
      let method = isOptional ? "_optionalValue" : "_value"
      return AttributeMembers(
        accessors: [
          """
          get {
            \(slot).\(method)(\(label)) { () -> \(result) in
          \(located("    " + made, at: location))
            }
          }
          """,
          "set { \(slot)._set(newValue) }",
        ],
        peers: [
          "private let \(slot) = LazySlot<\(wrapped)>()",
          handle("Whether `\(name)` is made.", "LazySlot<\(wrapped)>", slot),
        ])
    }
    return AttributeMembers(
      accessors: [
        """
        mutating get {
          if let value = \(slot) { return value }
        \(located("  let value: \(result) = \(made)", at: location))
          \(slot) = value
          return value
        }
        """,
        "set { \(slot) = newValue }",
      ], peers: ["private var \(slot): \(optional(wrapped)) = nil"])
  }

  private func optional(_ type: String) -> String { "Swift.Optional<\(type)>" }

  // MARK: - Injected

  /// `@Injected`: an initializer makes the value for the first reader.
  private var injectedMembers: AttributeMembers {
    let method = isOptional ? "_optionalValue" : "_value"
    let hook = arguments["didInject"].map { "{ (\($0))(self)($0) }" }
    let path = owner.isActor ? "" : ", path: { \\\(owner.name).\(spelling) }"
    let list = protocols.map { "(any \($0)).self" }.joined(separator: ", ")
    let accepts = list.isEmpty ? "" : ", accepts: \(InjectedType(wrappedType).accepts)"
    let property =
      "AttributedProperty(\(label), type: (\(wrapped)).self"
      + (list.isEmpty ? ")" : ", protocols: [\(list)]\(accepts))")
    return AttributeMembers(
      accessors: [
        hook.map {
          """
          get {
          \(located("  \(slot).\(method)(of: self, \($0))", at: location))
          }
          """
        } ?? "get { \(slot).\(method)(of: self) }",
        "set { \(slot)._set(newValue) }",
      ],
      peers: [
        "private let \(slot) = InjectedSlot<\(wrapped)>(\n  \(property), isOptional: \(isOptional)"
          + "\(path))",
        handle(
          "The injection of `\(name)`.", "InjectedProperty<\(wrapped)>",
          "InjectedProperty(\(slot), of: self, \(hook ?? "{ _ in }"))"),
      ])
  }

  // MARK: - Final

  /// `@Final`: the first assignment counts.
  private var finalMembers: AttributeMembers {
    let summary = "The assignment of `\(name)`."
    if owner.isReference {
      return AttributeMembers(
        accessors: [
          isOptional ? "get { \(slot)._value }" : "get { \(slot)._required(\(label)) }",
          "set { \(slot)._assign(newValue, \(label)) }",
        ],
        peers: [
          "private let \(slot) = FinalSlot<\(wrapped)>()",
          handle(summary, "FinalProperty<\(wrapped)>", "FinalProperty(\(slot), \(label))"),
        ])
    }
    return AttributeMembers(
      accessors: [
        isOptional ? "get { \(slot) }" : "get { FinalValue(\(slot), \(label))._required }",
        "set { $\(name)._assign(newValue) }",
      ],
      peers: [
        "private var \(slot): \(optional(wrapped)) = nil",
        """
        /// \(summary)
        \(access)var $\(name): FinalValue<\(wrapped)> {
          get { FinalValue(\(slot), \(label)) }
          set { \(slot) = newValue._value }
        }
        """,
      ])
  }

  // MARK: - Preference

  /// `@Preference`: a store has the value.
  private var preferenceMembers: AttributeMembers {
    let fallback = hasExpression ? " ?? (\(initialValue ?? ""))" : ""
    let initial = hasExpression ? ", initial: { \(initialValue ?? "") }" : ""
    let set = owner.isReference || !staticPrefix.isEmpty ? "set" : "nonmutating set"
    let key = arguments.first ?? "nil"
    let store = arguments.expression("store").map {
      $0.is(KeyPathExprSyntax.self) ? "self[keyPath: \($0.trimmedDescription)]" : "\($0.trimmed)"
    }
    return AttributeMembers(
      accessors: [
        """
        get {
        \(located("  $\(name)._value\(fallback)", at: location))
        }
        """,
        "\(set) { $\(name)._value = newValue }",
      ],
      peers: [
        """
        /// The stored value of `\(name)`.
        \(located("\(access)\(staticPrefix)var $\(name): PreferenceProperty<\(wrapped)> {", at: location))
        \(located("  PreferenceProperty(\(key), \"\(owner.path).\(name)\", in: \(store ?? "nil")\(initial))", at: location))
        }
        """
      ])
  }

  // MARK: - Attributed

  /// `@Attributed`: a value of the user reads and assigns.
  private var attributedMembers: AttributeMembers {
    let attribute = arguments.first ?? ""
    let initial =
      initialValue.map { ", initial: \($0)" }
      ?? (isOptional ? ", initial: .some(nil)" : ", initial: nil")
    let isReference = owner.isReference
    let kind =
      isReference ? "private let \(slot) = AttributedSlot" : "private var \(slot) = AttributedValue"
    let made = "\(kind)(\(attribute), \(label), as: (\(type)).self\(initial))"
    return AttributeMembers(
      accessors: isReference
        ? [
          "get { \(slot)._get(self, \(label)) }", "set { \(slot)._set(newValue, self, \(label)) }",
        ] : ["get { \(slot)._get(\(label)) }", "set { \(slot)._set(newValue, \(label)) }"],
      peers: [located(made, at: location)])
  }
}
