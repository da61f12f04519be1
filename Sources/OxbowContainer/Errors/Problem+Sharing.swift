package import OxbowDocuments

extension ContainerError.Problem {
  package static func sharedNotSendable(
    _ name: String, typeName: String, scope: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .sharedNotSendable,
      "object \"\(name)\" would be used by several threads, but its type is not Sendable",
      at: location, seen: "\(typeName), not known to be Sendable, in scope \"\(scope)\"",
      expected: "a Sendable type, or a scope in which each user has its own object",
      nextStep: "declare \(typeName) Sendable if it is; else write singleton=\"false\", "
        + "or scope=\"thread\" with a thread-local proxy")
  }

  package static func needsSendable(owner: String, edge: Edge, targetType: String) -> Self {
    Self(
      .sharedNotSendable,
      "object \"\(owner)\", \(edge.role): object \"\(edge.target)\" is not Sendable",
      at: edge.location,
      seen: "\"\(edge.target)\" is a \(targetType), not known to be Sendable",
      expected: "\(edge.typeName), which lets only Sendable objects in",
      nextStep: "declare \(targetType) Sendable if it is, or drop Sendable from the property")
  }

  package static func confinedEscapes(
    owner: String, ownerScope: String, edge: Edge, targetScope: String
  ) -> Self {
    Self(
      .confinedEscapes,
      "object \"\(owner)\", \(edge.role): object \"\(edge.target)\" belongs to one \(targetScope)",
      at: edge.location,
      seen: "a \(ownerScope) that would keep an object of scope \"\(targetScope)\"",
      expected: "an owner of the same scope, or a Sendable proxy in between",
      nextStep: "refer to a thread-local proxy of \"\(edge.target)\", or give \"\(owner)\" scope "
        + "\"\(targetScope)\"")
  }

  package static func lateConfined(owner: String, edge: Edge, targetScope: String) -> Self {
    Self(
      .confinedEscapes,
      "object \"\(owner)\", \(edge.role): object \"\(edge.target)\" belongs to one \(targetScope)",
      at: edge.location,
      seen: "a \(edge.use == .provider ? "Provider" : "factory") of an object of scope "
        + "\"\(targetScope)\"",
      expected: "an object that may leave its thread",
      nextStep: "use a thread-local proxy of \"\(edge.target)\", or withObject")
  }

  package static func noTaskTarget(owner: String, edge: Edge, scope: String) -> Self {
    Self(
      .confinedEscapes, "object \"\(owner)\": \"\(edge.target)\" belongs to no task",
      at: edge.location, seen: "a task-local proxy of an object of scope \"\(scope)\"",
      expected: "a proxy of an object of scope \"task\"",
      nextStep: "give \"\(edge.target)\" scope \"task\", or use a lazy or thread-local proxy")
  }

  package static func noThreadTarget(owner: String, edge: Edge) -> Self {
    Self(
      .confinedEscapes,
      "object \"\(owner)\": \"\(edge.target)\" belongs to a task, not to a thread",
      at: edge.location, seen: "a thread-local proxy of an object of scope \"task\"",
      expected: "a proxy of an object of another scope", nextStep: "use a task-local proxy")
  }

  package static func unknownScope(
    _ scope: String, of name: String, at location: SourceLocation?, known: [String],
    near: [String]
  ) -> Self {
    Self(
      .unknownScope, "object \"\(name)\": there is no scope \"\(scope)\"", at: location,
      seen: "scope \"\(scope)\"",
      expected: "one of " + known.map { "\"\($0)\"" }.joined(separator: ", "),
      nextStep: "correct the scope", nearNames: near)
  }

  package static func noProxy(
    _ typeName: String, for name: String, at location: SourceLocation?, known: [String]
  ) -> Self {
    Self(
      .noProxy, "object \"\(name)\": no proxy class is known for \(typeName)", at: location,
      seen: known.isEmpty
        ? "no proxy class at all" : "proxy classes for " + known.joined(separator: ", "),
      expected: "a proxy class for a protocol that \(typeName) conforms to",
      nextStep: "annotate the protocol with @Proxied, or call registerProxy on the builder")
  }

  package static func ambiguousProxy(
    _ typeName: String, for name: String, at location: SourceLocation?, choices: [String]
  ) -> Self {
    Self(
      .ambiguousProxy, "object \"\(name)\": several protocols of \(typeName) have proxy classes",
      at: location, seen: choices.joined(separator: ", "), expected: "one protocol",
      nextStep:
        "name it: <property name=\"protocol\" value=\"\(choices.first ?? "")\"/> in a proxy "
        + "factory, or an object of its own for the factory")
  }

  package static func cyclicProxies(
    _ name: String, of target: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .cyclicProxies, "object \"\(name)\" is a proxy of proxies that stand for nothing",
      at: location, seen: "a proxy of \"\(target)\", which is a proxy of \"\(name)\" in the end",
      expected: "an object behind the last proxy",
      nextStep: "refer to the definition of the objects")
  }
}
