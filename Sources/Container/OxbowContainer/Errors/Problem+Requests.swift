internal import OxbowDocuments

extension ContainerError.Problem {
  static func unknownObject(_ name: String, among names: some Collection<String>) -> Self {
    Self(
      .unknownObject, "there is no object named \"\(name)\"", seen: "a request for \"\(name)\"",
      expected: expectedName(names.count), nextStep: "define \"\(name)\", or correct the name",
      nearNames: OxbowDocuments.nearNames(to: name, among: names))
  }

  static func abstractRequest(_ name: String) -> Self {
    Self(
      .unknownObject, "definition \"\(name)\" makes no object",
      seen: "a request for \"\(name)\", which is abstract",
      expected: "a definition that is not abstract",
      nextStep: "ask for an object that has \"\(name)\" as its parent")
  }

  static func foreignReference(_ name: String) -> Self {
    Self(
      .unknownObject, "the reference to \"\(name)\" is not one of this container's",
      seen: "a reference that another builder made, or this one after build()",
      expected: "a reference of the builder that built the container",
      nextStep: "ask by name, or with the builder's own reference")
  }

  static func confinedRequest(_ name: String, scope: String) -> Self {
    Self(
      .confinedEscapes, "object \"\(name)\" belongs to one \(scope) and cannot be returned",
      seen: "a request that would hand it to any thread",
      expected: "a body that works with it where it is",
      nextStep: "use withObject(\"\(name)\") { … }, or a \(wayTo(scope))")
  }

  static func requestNotSendable(_ name: String, typeName: String, wanted: String) -> Self {
    Self(
      .sharedNotSendable, "object \"\(name)\" is not known to be Sendable",
      seen: "a \(typeName), asked for as a Sendable \(wanted)",
      expected: "a type that is not marked Sendable, so that the object has one user",
      nextStep: "ask for \(typeName), or for the protocol without Sendable")
  }

  static func constructionFailed(_ name: String, step: String, _ error: any Error) -> Self {
    Self(
      .constructionFailed, "object \"\(name)\": \(step) failed", seen: "\(error)",
      expected: "an object", nextStep: "remove the cause and ask again: nothing was kept",
      underlying: error)
  }

  static func waitLoop(_ name: String, steps: [String]) -> Self {
    Self(
      .constructionDeadlock,
      "object \"\(name)\" was asked for inside a constructor that has to end first",
      seen: steps.joined(separator: "; "),
      expected: "constructors that ask only for what their definitions declare",
      nextStep: "call the provider or lazy proxy after construction, or declare the reference")
  }

  static func endlessConstruction(_ name: String, limit: Int) -> Self {
    Self(
      .constructionDeadlock, "object \"\(name)\" is made again and again inside constructors",
      seen: "\(limit) calls of providers, each inside a constructor that another one runs",
      expected: "a construction that ends",
      nextStep: "call the provider or lazy proxy after construction")
  }

  static func containerReleased(_ name: String) -> Self {
    Self(
      .containerReleased, "object \"\(name)\": its container was closed",
      seen: "a request to a container after close()",
      expected: "a container that is open",
      nextStep: "close the container when its objects are no longer used")
  }

  static func endsForEver(_ name: String) -> Self {
    Self(
      .containerReleased, "object \"\(name)\" is made again and again while its scope ends",
      seen: "a request by what is disposed of, after the object was disposed of twice",
      expected: "dispose() that asks only for what it does not end with",
      nextStep: "ask for it before, and keep in a property what dispose() needs")
  }

  static func threadKeysExhausted(_ error: any Error) -> Self {
    Self(
      .threadKeysExhausted, "no thread-specific key is left", seen: "\(error)",
      expected: "one key, for all containers of the process",
      nextStep: "build a container with thread scope before other libraries use up the keys",
      underlying: error)
  }

  package static func factoryIncomplete(_ className: String, property: String) -> Self {
    Self(
      .factoryIncomplete, "\(className) has no \(property)",
      seen: "object() was called while \"\(property)\" was nil",
      expected: "a value that was injected before",
      nextStep: "set \"\(property)\" in the factory's definition")
  }

  static func noTaskScope(_ name: String) -> Self {
    Self(
      .unboundTask, "object \"\(name)\" belongs to a task, and this one has no scope",
      seen: "a request outside of withTaskScope", expected: "a request inside of its body",
      nextStep: "run the work in container.withTaskScope { … }")
  }

  static func noTenant(_ name: String) -> Self {
    Self(
      .noTenant, "object \"\(name)\" belongs to a tenant, and none is current",
      seen: "a request outside of work for a tenant",
      expected: "a request inside of tenants.withTenant, or of its other calls",
      nextStep: "run the work in tenants.withTenant(name) { … }")
  }

  static func tenantOver(_ name: String) -> Self {
    Self(
      .noTenant, "object \"\(name)\" belongs to a tenant whose store was closed",
      seen: "a request from a task that outlives the work for the tenant, or while its objects end",
      expected: "a request while the work for the tenant runs",
      nextStep: "wait for the task inside of withTenant, or call withTenant in it")
  }

  static func foreignTask(_ name: String) -> Self {
    Self(
      .unboundTask, "object \"\(name)\" belongs to another task",
      seen: "a request from a task that was started inside of withTaskScope, or that outlives it",
      expected: "a request from the task that runs the body",
      nextStep: "open a scope in this task: container.withTaskScope { … }")
  }

  static func replacedInCircle(_ name: String) -> Self {
    Self(
      .constructionFailed, "object \"\(name)\" was replaced by a post-processor, too late",
      seen: "another object than the one that its circle refers to already",
      expected: "the same object for the members of a circle, and for objects made elsewhere",
      nextStep: "return the object unchanged, or break the circle with a Provider or a lazy proxy")
  }

  static func weakValue(_ name: String, typeName: String) -> Self {
    Self(
      .constructionFailed, "object \"\(name)\" cannot be held weakly",
      seen: "a \(typeName), which is not an object of a class",
      expected: "an object of a class for scope \"weakSingleton\"",
      nextStep: "use scope \"singleton\", or make the type a class")
  }

  static func shutdownFailed(_ name: String, _ error: any Error) -> Self {
    Self(
      .shutdownFailed, "object \"\(name)\" could not be disposed of", seen: "\(error)",
      expected: "dispose() without an error",
      nextStep: "remove the cause; the other objects were disposed of all the same",
      underlying: error)
  }

  static func missingResource(_ name: String, tried: [String]) -> Self {
    Self(
      .missingResource, "there is no resource \"\(name)\"",
      seen: "none of " + quoted(tried),
      expected: "one of these files", nextStep: "add the file, or correct name, extension or folder"
    )
  }

  static func outsideOfFolder(_ part: String) -> Self {
    Self(
      .missingResource, "\"\(part)\" leads out of the folder of resources",
      seen: "a path that is absolute or has a \"..\"",
      expected: "a name, or a path to a folder inside",
      nextStep: "correct the name, or set \"folder\" to the folder that is meant")
  }

  static func unboundTask(_ name: String) -> Self {
    Self(
      .unboundTask, "nothing is bound to this task as \"\(name)\"",
      seen: "a call through a task-local proxy",
      expected: "a value that an enclosing withValue has bound",
      nextStep: "bind a value around the work with the task-local's withValue")
  }
}

extension ContainerError.Problem {
  static func reservedName(_ name: String) -> Self {
    Self(
      .invalidDefinition, "the name of a definition has a control character",
      seen: name.debugDescription, expected: "a name without the character U+001F",
      nextStep: "give the definition another name")
  }

  static func confinedEager(_ name: String, scope: String) -> Self {
    Self(
      .invalidDefinition, "object \"\(name)\" cannot be built together with the container",
      seen: "an eager object of \(scope) scope",
      expected: "an object that is not built before a \(scope) asks for it",
      nextStep: "leave eager out, or make the object a singleton")
  }
}

extension ContainerError.Problem {
  static func noPart(_ name: String) -> Self {
    Self(
      .typeMismatch, "\"\(name)\" is a part of the container itself, and its replacement is not",
      seen: "a replacement of another type", expected: "a type converter or a post-processor",
      nextStep: "replace it by an object of that kind")
  }

  static func wrappedPart(_ name: String) -> Self {
    Self(
      .typeMismatch, "\"\(name)\" is a part of the container itself and cannot be wrapped",
      seen: "a converter or post-processor, which is made before all objects",
      expected: "the name of an object", nextStep: "replace it")
  }
}

extension ContainerError {
  /// The error with more problems after its own.
  func adding(_ more: [Problem]) -> ContainerError {
    ContainerError(task, problems + more)
  }
}
