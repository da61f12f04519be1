extension Pointcut {
  /// The name of an aspect that was given none: a program has several of a kind.
  package func aspectName(_ kind: String) -> String {
    let objects =
      switch targets {
      case .all: "everything"
      case .objects(let names), .classes(let names): names.joined(separator: ", ")
      case .type(let type): "\(type)"
      }
    guard let methodNames else { return "\(kind) of \(objects)" }
    return "\(kind) of \(objects): \(methodNames.joined(separator: ", "))"
  }
}
