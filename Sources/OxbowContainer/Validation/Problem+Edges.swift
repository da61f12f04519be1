/// What is wrong with an arrow between two definitions.
extension ContainerError.Problem {
  package static func needsSendable(owner: String, edge: Edge, targetType: String) -> Self {
    Self(
      .sharedNotSendable,
      "object \"\(owner)\", \(edge.role): object \"\(edge.target)\" is not Sendable",
      at: edge.location,
      seen: "\"\(edge.target)\" is \(withArticle(targetType)), not known to be Sendable",
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
      seen: "a \(edge.use.deliveredName) of an object of scope "
        + "\"\(targetScope)\"",
      expected: "an object that may leave its thread",
      nextStep: "use a thread-local proxy of \"\(edge.target)\", or withObject")
  }

  package static func misfit(
    owner: String, edge: Edge, targetType: String
  ) -> Self {
    Self(
      .typeMismatch,
      "object \"\(owner)\", \(edge.role): object \"\(edge.target)\" has the wrong type",
      at: edge.location, seen: "\"\(edge.target)\" is \(withArticle(targetType))",
      expected: edge.typeName,
      nextStep: "refer to an object of that type, or change the type of the property")
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
}
