package import OxbowDocuments

/// What is wrong with places and requests that ask by type.
extension ContainerError.Problem {
  package typealias Candidate = (name: String, typeName: String, location: SourceLocation?)

  package static func notOneObject(
    of owner: String, edge: Edge, typeName: String, candidates: [Candidate]
  ) -> Self {
    let subject = "object \"\(owner)\", \(edge.role)"
    return notOneObject(subject, typeName: typeName, candidates: candidates, at: edge.location)
  }

  package static func notOneObject(
    typeName: String, candidates: [Candidate], at location: SourceLocation
  ) -> Self {
    notOneObject("a request", typeName: typeName, candidates: candidates, at: location)
  }

  private static func notOneObject(
    _ subject: String, typeName: String, candidates: [Candidate], at location: SourceLocation?
  ) -> Self {
    let isNone = candidates.isEmpty
    return Self(
      .noObjectOfType,
      "\(subject): \(isNone ? "no object is" : "\(candidates.count) objects are") a \(typeName)",
      at: location,
      seen: isNone
        ? "no definition whose objects surely fit"
        : candidates.map {
          "\"\($0.name)\", a \($0.typeName)" + ($0.location.map { " at \($0)" } ?? "")
        }
        .joined(separator: "; "),
      expected: "exactly one object that is a \(typeName)",
      nextStep: isNone
        ? "define one, or refer to an object by its name" : "refer to one of them by its name")
  }

  package static func cannotTestType(of owner: String, edge: Edge) -> Self {
    cannotTestType("object \"\(owner)\", \(edge.role)", edge.typeName, at: edge.location)
  }

  package static func cannotTestType(_ typeName: String, at location: SourceLocation) -> Self {
    cannotTestType("a request", typeName, at: location)
  }

  private static func cannotTestType(
    _ subject: String, _ typeName: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .noObjectOfType, "\(subject): nothing tells which objects are a \(typeName)", at: location,
      seen: "a protocol that no described property and no proxy class has",
      expected: "a test that spells the protocol",
      nextStep: "write the test: { $0 is "
        + "\(typeName.hasPrefix("any ") ? "" : "any ")\(typeName).Type }")
  }
}
