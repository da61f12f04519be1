extension ContainerError.Problem {
  /// The objects that have one problem for the same reason, such as their class.
  struct Objects: Sendable {
    /// Their names, in the order of their definitions.
    fileprivate var names: [String]
    /// What is said of one object, and of several, after the names.
    fileprivate let one: String
    fileprivate let several: String

    var message: String {
      guard names.count > 1 else { return "object \"\(names.first ?? "")\"\(one)" }
      let shown = quoted(names.prefix(5))
      return "objects " + shown + (names.count > 5 ? " and \(names.count - 5) more" : "") + several
    }
  }

  /// Creates a problem that other objects may have for the same reason; see `joinedByReason()`.
  ///
  /// - Parameters:
  ///   - code: The kind of problem.
  ///   - name: The name of the object.
  ///   - one: What is wrong, to follow the name.
  ///   - several: The same of several objects; nil where the words are the same.
  ///   - seen: What was found there.
  ///   - expected: What would be right.
  ///   - nextStep: What to do about it.
  init(
    _ code: ContainerError.Code, of name: String, _ one: String, several: String? = nil,
    seen: String, expected: String, nextStep: String
  ) {
    let objects = Objects(names: [name], one: one, several: several ?? one)
    self.init(code, objects.message, seen: seen, expected: expected, nextStep: nextStep)
    self.objects = objects
  }
}

extension [ContainerError.Problem] {
  private struct Reason: Hashable {
    let code: ContainerError.Code
    let texts: [String]
  }

  /// The problems, those that objects have for the same reason as one, at the place of the first.
  func joinedByReason() -> [ContainerError.Problem] {
    var result: [ContainerError.Problem] = []
    var numbers: [Reason: Int] = [:]
    for problem in self {
      guard let objects = problem.objects else {
        result.append(problem)
        continue
      }
      let reason = Reason(code: problem.code, texts: [objects.one, problem.seen, problem.nextStep])
      if let number = numbers[reason] {
        result[number].objects?.names += objects.names
      } else {
        numbers[reason] = result.count
        result.append(problem)
      }
    }
    return result
  }
}
