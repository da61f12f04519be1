package import OxbowDocuments

extension ContainerError.Problem {
  package static func duplicateConverter(
    _ name: String, first: String, typeName: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .duplicateDefinition, "converter \"\(name)\" is the second one for \(typeName)",
      at: location, seen: "\"\(name)\" beside \"\(first)\"",
      expected: "one converter for each type", nextStep: "remove one of the two")
  }

  package static func processorFailed(_ name: String, _ error: any Error) -> Self {
    Self(
      .invalidDefinition, "the definition post-processor \(name) failed", seen: "\(error)",
      expected: "definitions", nextStep: "remove the cause, or the post-processor",
      underlying: error)
  }
}
