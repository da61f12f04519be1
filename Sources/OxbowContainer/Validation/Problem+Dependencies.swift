/// What is wrong with an arrow between two definitions.
extension ContainerError.Problem {
  package static func needsSendable(owner: String, dependency: Dependency, targetType: String)
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

  package static func confinedEscapes(
    owner: String, ownerScope: String, dependency: Dependency, targetScope: String
  ) -> Self {
    Self(
      .confinedEscapes,
      "object \"\(owner)\", \(dependency.role): object \"\(dependency.target)\" belongs to one \(targetScope)",
      at: dependency.location,
      seen: "a \(ownerScope) that would keep an object of scope \"\(targetScope)\"",
      expected: "an owner of the same scope, or a Sendable proxy in between",
      nextStep:
        "refer to a thread-local proxy of \"\(dependency.target)\", or give \"\(owner)\" scope "
        + "\"\(targetScope)\"")
  }

  package static func lateConfined(owner: String, dependency: Dependency, targetScope: String)
    -> Self
  {
    Self(
      .confinedEscapes,
      "object \"\(owner)\", \(dependency.role): object \"\(dependency.target)\" belongs to one \(targetScope)",
      at: dependency.location,
      seen: "a \(dependency.use.deliveredName) of an object of scope "
        + "\"\(targetScope)\"",
      expected: "an object that may leave its thread",
      nextStep: "use a thread-local proxy of \"\(dependency.target)\", or withObject")
  }

  package static func misfit(
    owner: String, dependency: Dependency, targetType: String
  ) -> Self {
    Self(
      .typeMismatch,
      "object \"\(owner)\", \(dependency.role): object \"\(dependency.target)\" has the wrong type",
      at: dependency.location, seen: "\"\(dependency.target)\" is \(withArticle(targetType))",
      expected: dependency.typeName,
      nextStep: "refer to an object of that type, or change the type of the property")
  }

  package static func noTaskTarget(owner: String, dependency: Dependency, scope: String) -> Self {
    Self(
      .confinedEscapes, "object \"\(owner)\": \"\(dependency.target)\" belongs to no task",
      at: dependency.location, seen: "a task-local proxy of an object of scope \"\(scope)\"",
      expected: "a proxy of an object of scope \"task\"",
      nextStep: "give \"\(dependency.target)\" scope \"task\", or use a lazy or thread-local proxy")
  }

  package static func noThreadTarget(owner: String, dependency: Dependency) -> Self {
    Self(
      .confinedEscapes,
      "object \"\(owner)\": \"\(dependency.target)\" belongs to a task, not to a thread",
      at: dependency.location, seen: "a thread-local proxy of an object of scope \"task\"",
      expected: "a proxy of an object of another scope", nextStep: "use a task-local proxy")
  }
}
