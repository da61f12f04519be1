package import OxbowDocuments

/// What is wrong with places and requests that ask by type.
extension ContainerError.Problem {
  package typealias Candidate = (name: String, typeName: String, location: SourceLocation?)

  package static func notOneObject(
    of owner: String, dependency: Dependency, typeName: String, candidates: [Candidate]
  ) -> Self {
    let subject = "object \"\(owner)\", \(dependency.role)"
    return notOneObject(
      subject, typeName: typeName, candidates: candidates, at: dependency.location)
  }

  package static func notOneObject(
    typeName: String, candidates: [Candidate], at location: SourceLocation?
  ) -> Self {
    notOneObject("a request", typeName: typeName, candidates: candidates, at: location)
  }

  private static func notOneObject(
    _ subject: String, typeName: String, candidates: [Candidate], at location: SourceLocation?
  ) -> Self {
    let isNone = candidates.isEmpty
    return Self(
      .noObjectOfType,
      isNone
        ? "\(subject): no object is \(withArticle(typeName))"
        : "\(subject): \(candidates.count) objects are each \(withArticle(typeName))",
      at: location,
      seen: isNone
        ? "no definition whose objects surely fit"
        : shown(candidates),
      expected: "exactly one object that is \(withArticle(typeName))",
      nextStep: isNone
        ? "define one, or refer to an object by its name"
        : "refer to one of them by its name, or make one of them primary")
  }

  /// The candidates, of many the first.
  private static func shown(_ candidates: [Candidate]) -> String {
    let shown = candidates.prefix(10).map {
      "\"\($0.name)\", \(withArticle($0.typeName))" + ($0.location.map { " at \($0)" } ?? "")
    }
    let rest = candidates.count - shown.count
    return (shown + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: "; ")
  }

  package static func cannotTestType(of owner: String, dependency: Dependency) -> Self {
    cannotTestType(
      "object \"\(owner)\", \(dependency.role)", dependency.typeName, at: dependency.location)
  }

  package static func cannotTestType(_ typeName: String, at location: SourceLocation?) -> Self {
    cannotTestType("a request", typeName, at: location)
  }

  private static func cannotTestType(
    _ subject: String, _ typeName: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .noObjectOfType, "\(subject): nothing tells which objects are \(withArticle(typeName))",
      at: location,
      seen: "a protocol that the runtime does not find by its name",
      expected: "a test that spells the protocol",
      nextStep: "write the test: { $0 is "
        + "\(typeName.hasPrefix("any ") ? "" : "any ")\(typeName).Type }")
  }
}
