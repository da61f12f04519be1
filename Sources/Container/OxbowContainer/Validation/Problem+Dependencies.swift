/// What is wrong with a dependency between two definitions.
extension ContainerError.Problem {
  static func needsSendable(owner: String, dependency: Dependency, targetType: String)
    -> Self
  {
    Self(
      .sharedNotSendable,
      "object \"\(owner)\", \(dependency.role): object \"\(dependency.target)\" is not Sendable",
      at: dependency.location,
      seen: "\"\(dependency.target)\" is \(withArticle(targetType)), not known to be Sendable",
      expected: "\(dependency.typeName), which lets only Sendable objects in",
      nextStep: "declare \(targetType) Sendable if it is, or drop Sendable from the property")
  }

  static func confinedEscapes(
    owner: String, ownerScope: String, dependency: Dependency, targetScope: String
  ) -> Self {
    Self(
      .confinedEscapes,
      "object \"\(owner)\", \(dependency.role): object \"\(dependency.target)\" belongs to one "
        + "\(targetScope)",
      at: dependency.location,
      seen: "a \(ownerScope) that would keep an object of scope \"\(targetScope)\"",
      expected: "an owner of the same scope, or a Sendable proxy in between",
      nextStep:
        "refer to a \(wayTo(targetScope)) of \"\(dependency.target)\", or give \"\(owner)\" scope "
        + "\"\(targetScope)\"")
  }

  static func lateConfined(owner: String, dependency: Dependency, targetScope: String)
    -> Self
  {
    Self(
      .confinedEscapes,
      "object \"\(owner)\", \(dependency.role): object \"\(dependency.target)\" belongs to one "
        + "\(targetScope)",
      at: dependency.location,
      seen: "a \(dependency.use.deliveredName) of an object of scope "
        + "\"\(targetScope)\"",
      expected: "an object that may leave its thread",
      nextStep: "use a \(wayTo(targetScope)) of \"\(dependency.target)\", or withObject")
  }

  /// How objects of other scopes reach that of a thread, task or tenant.
  static func wayTo(_ scope: String) -> String {
    scope == TenantScope.name ? "Provider" : "\(scope)-local proxy"
  }

  static func misfit(
    owner: String, dependency: Dependency, targetType: String, behind: SurroundedObject? = nil
  ) -> Self {
    Self(
      .typeMismatch,
      "object \"\(owner)\", \(dependency.role): object \"\(dependency.target)\" has the wrong type",
      at: dependency.location,
      seen: "\"\(dependency.target)\" is \(withArticle(targetType))"
        + (behind.map { ", " + $0.reason } ?? ""),
      expected: dependency.typeName,
      nextStep: behind?.advice
        ?? "refer to an object of that type, or change the type of the property")
  }

  static func noTaskTarget(owner: String, dependency: Dependency, scope: String) -> Self {
    Self(
      .confinedEscapes, "object \"\(owner)\": \"\(dependency.target)\" belongs to no task",
      at: dependency.location, seen: "a task-local proxy of an object of scope \"\(scope)\"",
      expected: "a proxy of an object of scope \"task\"",
      nextStep: "give \"\(dependency.target)\" scope \"task\", or use a lazy or thread-local proxy")
  }

  static func noThreadTarget(
    owner: String, dependency: Dependency, targetScope: String
  ) -> Self {
    Self(
      .confinedEscapes,
      "object \"\(owner)\": \"\(dependency.target)\" belongs to a \(targetScope), not to a thread",
      at: dependency.location,
      seen: "a thread-local proxy of an object of scope \"\(targetScope)\"",
      expected: "a proxy of an object of another scope",
      nextStep: "use a \(wayTo(targetScope))")
  }
}

/// What is wrong with injection points and requests that ask by type.
extension ContainerError.Problem {
  static func notOneObject(
    _ subject: String = "a request", typeName: String, candidates: [AnyBinding],
    behind: AnyBinding? = nil
  ) -> Self {
    let isNone = candidates.isEmpty
    return Self(
      .noObjectOfType,
      isNone
        ? "\(subject): no object is \(withArticle(typeName))"
        : "\(subject): \(candidates.count) objects are each \(withArticle(typeName))",
      seen: isNone
        ? behind?.shownAspects ?? "no definition whose objects surely fit"
        : shown(candidates), expected: "exactly one object that is \(withArticle(typeName))",
      nextStep: isNone
        ? behind?.surrounded?.advice ?? "define one, or refer to an object by its name"
        : "refer to one of them by its name, or make one of them primary")
  }

  /// The candidates, of many the first.
  private static func shown(_ candidates: [AnyBinding]) -> String {
    let shown = candidates.prefix(10).map {
      "\"\($0.name)\", \(withArticle("\($0.type)"))" + ($0.location.map { " at \($0)" } ?? "")
    }
    let rest = candidates.count - shown.count
    return (shown + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: "; ")
  }

  static func cannotTestType(_ typeName: String, of subject: String = "a request") -> Self {
    Self(
      .noObjectOfType, "\(subject): nothing tells which objects are \(withArticle(typeName))",
      seen: "a protocol that the runtime does not find by its name",
      expected: "a test that spells the protocol",
      nextStep: "write the test: { $0 is "
        + "\(typeName.hasPrefix("any ") ? "" : "any ")\(typeName).Type }")
  }
}

extension AnyBinding {
  /// The proxy and why it is one, where the objects are proxies with aspects.
  fileprivate var shownAspects: String? {
    surrounded.map { "\"\(name)\" is \(withArticle("\(type)")), \($0.reason)" }
  }
}
