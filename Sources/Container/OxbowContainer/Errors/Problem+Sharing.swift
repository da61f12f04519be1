internal import OxbowDocuments

extension ContainerError.Problem {
  static func sharedNotSendable(
    _ name: String, typeName: String, scope: String, isThreadBound: Bool = false
  ) -> Self {
    Self(
      .sharedNotSendable,
      "object \"\(name)\" would be used by several threads, but its type is not Sendable",
      seen: "\(typeName), not known to be Sendable, in scope \"\(scope)\"",
      expected: "a Sendable type, or a scope in which each user has its own object",
      nextStep: isThreadBound
        ? "give the object scope \"prototype\" (singleton=\"false\"), and let others refer to a "
          + "ThreadLocalProxyFactory whose factoryObject it is: each thread gets its own"
        : "declare \(typeName) Sendable if it is; else give the object scope \"prototype\", "
          + "or scope \"thread\" with a thread-local proxy")
  }

  package static func unknownScope(_ scope: String, of name: String, known: [String]) -> Self {
    Self(
      .unknownScope, "object \"\(name)\": there is no scope \"\(scope)\"",
      seen: "scope \"\(scope)\"",
      expected: "one of " + quoted(known),
      nextStep: "correct the scope",
      nearNames: OxbowDocuments.nearNames(to: scope, among: known))
  }

  static func noProxy(_ typeName: String, for name: String, known: [String]) -> Self {
    Self(
      .noProxy, of: name, ": no proxy class is known for \(typeName)",
      seen: known.isEmpty
        ? "no proxy class at all" : "proxy classes for " + known.joined(separator: ", "),
      expected: "a proxy class for a protocol that \(typeName) conforms to",
      nextStep: "annotate the protocol with @Proxied, or call registerProxy on the builder")
  }

  static func ambiguousProxy(_ typeName: String, for name: String, choices: [String]) -> Self {
    Self(
      .ambiguousProxy, "object \"\(name)\": several protocols of \(typeName) have proxy classes",
      seen: choices.joined(separator: ", "), expected: "one protocol",
      nextStep:
        "name it: <property name=\"protocol\" value=\"\(choices.first ?? "")\"/> in a proxy "
        + "factory, or an object of its own for the factory")
  }

  static func cyclicProxies(_ name: String, of target: String) -> Self {
    Self(
      .cyclicProxies, "object \"\(name)\" is a proxy of proxies that replace nothing",
      seen: "a proxy of \"\(target)\", which is a proxy of \"\(name)\" in the end",
      expected: "an object behind the last proxy",
      nextStep: "refer to the definition of the objects")
  }
}
