package import OxbowDocuments

extension ContainerError.Problem {
  package static func reservedName(_ name: String, at location: SourceLocation?) -> Self {
    Self(
      .invalidDefinition, "the name of a definition has a control character", at: location,
      seen: name.debugDescription, expected: "a name without the character U+001F",
      nextStep: "give the definition another name")
  }

  package static func confinedEager(
    _ name: String, scope: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .invalidDefinition, "object \"\(name)\" cannot be built together with the container",
      at: location, seen: "an eager object of \(scope) scope",
      expected: "an object that is not built before a \(scope) asks for it",
      nextStep: "leave eager out, or make the object a singleton")
  }
}

extension ContainerError.Problem {
  package static func noPart(_ name: String, at location: SourceLocation?) -> Self {
    Self(
      .typeMismatch, "\"\(name)\" is a part of the container itself, and its replacement is none",
      at: location, seen: "a replacement of another type",
      expected: "a type converter or a post-processor",
      nextStep: "replace it by an object of that kind")
  }

  package static func wrappedPart(_ name: String, at location: SourceLocation?) -> Self {
    Self(
      .typeMismatch, "\"\(name)\" is a part of the container itself and cannot be wrapped",
      at: location, seen: "a converter or post-processor, which is made before all objects",
      expected: "the name of an object", nextStep: "replace it")
  }
}

extension ContainerError {
  /// The error with more problems after its own.
  package func adding(_ more: [Problem]) -> ContainerError {
    ContainerError(task, problems + more)
  }
}
