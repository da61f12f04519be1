public import OxbowDocuments

/// What went wrong while a container was built or asked for an object.
///
/// `build()` checks the whole graph before it runs any constructor and throws one error that
/// carries every problem it found. A request that fails at run time carries one problem, with the
/// chain of definitions that led to it.
///
/// Match on the code; it matches when any of the problems has it:
///
/// ```swift
/// do { try builder.build() } catch ContainerError.Code.missingReference { … }
/// ```
public struct ContainerError: Error, Sendable, CustomStringConvertible {
  /// Everything that is wrong, in the order of the definitions; never empty.
  public let problems: [Problem]

  /// What was being done: "build the container", "get object \"army\"".
  public let task: String

  /// The code of the first problem.
  public var code: Code { problems.first?.code ?? .invalidDefinition }

  /// What is wrong in one line: that of the only problem, or what could not be done.
  public var message: String {
    guard problems.count == 1, let only = problems.first else { return "cannot \(task)" }
    return only.message
  }

  /// The location of the first problem.
  public var location: SourceLocation? { problems.first?.location }

  /// The error that a constructor, factory or setter threw, when that is what failed.
  public var underlying: (any Error)? { problems.lazy.compactMap(\.underlying).first }

  package init(_ task: String, _ problems: [Problem]) {
    self.task = task
    self.problems = problems
  }

  package init(_ problem: Problem, task: String) {
    self.init(task, [problem])
  }

  init(_ problem: Problem, getting name: String) {
    self.init(problem, task: "get object \"\(name)\"")
  }

  /// The whole report: a headline, then one block for each problem.
  public var description: String {
    guard problems.count > 1 else {
      return "cannot \(task): " + (problems.first?.description ?? "no problem was recorded")
    }
    let blocks = problems.enumerated().map { "\($0.offset + 1). \($0.element)" }
    return "cannot \(task): \(problems.count) problems\n" + blocks.joined(separator: "\n")
  }

  /// Returns the error with one more definition in front of each problem's chain.
  func requested(by step: String) -> ContainerError {
    ContainerError(
      task,
      problems.map {
        var problem = $0
        problem.requestedBy.insert(step, at: 0)
        return problem
      })
  }

  /// Returns the error as the answer to another request.
  func doing(_ task: String) -> ContainerError { ContainerError(task, problems) }

  /// Returns the error with a location for the problems that have none.
  func located(at location: SourceLocation?) -> ContainerError {
    ContainerError(
      task,
      problems.map {
        var problem = $0
        problem.location = problem.location ?? location
        return problem
      })
  }
}

extension ContainerError {
  /// One thing that is wrong, where, and what to do.
  public struct Problem: Sendable, CustomStringConvertible {
    /// The kind of problem.
    public let code: Code

    /// What is wrong, with names in quotes.
    public private(set) var message: String

    /// The objects that have the problem, where several can have one.
    var objects: Objects? {
      didSet { if let objects { message = HiddenName.shown(objects.message) } }
    }

    /// Where it is in the document or source file.
    public var location: SourceLocation?

    /// What was found there.
    public var seen: String

    /// What would be right.
    public var expected: String

    /// What to do about it.
    public var nextStep: String

    /// Names that a typo may have meant.
    public var nearNames: [String]

    /// The chain of definitions that led here, outermost first.
    public var requestedBy: [String]

    /// The error that a constructor, factory or setter threw.
    public var underlying: (any Error)?

    /// Creates a problem.
    public init(
      _ code: Code, _ message: String, at location: SourceLocation? = nil, seen: String,
      expected: String, nextStep: String, nearNames: [String] = [], requestedBy: [String] = [],
      underlying: (any Error)? = nil
    ) {
      self.code = code
      self.message = HiddenName.shown(message)
      self.location = location
      self.seen = HiddenName.shown(seen)
      self.expected = expected
      self.nextStep = HiddenName.shown(nextStep)
      self.nearNames = nearNames
      self.requestedBy = requestedBy
      self.underlying = underlying
    }

    /// The problem in labelled lines.
    public var description: String {
      var lines = [message]
      if let location { lines.append("   at: \(location)") }
      lines.append("   seen: \(seen)")
      lines.append("   expected: \(expected)")
      if !nearNames.isEmpty {
        lines.append("   did you mean: \(quoted(nearNames))?")
      }
      if !requestedBy.isEmpty {
        lines.append("   requested by: \(shownChain.joined(separator: " → "))")
      }
      lines.append("   next: \(nextStep)")
      return lines.joined(separator: "\n")
    }

    /// The problem at a place in a document or source file.
    package func at(_ location: SourceLocation?) -> Problem {
      var problem = self
      problem.location = location
      return problem
    }

    /// The chain, of a long one its ends.
    private var shownChain: [String] {
      let ends = 5
      guard requestedBy.count > 2 * ends + 1 else { return requestedBy }
      return requestedBy.prefix(ends) + ["… \(requestedBy.count - 2 * ends) more …"]
        + requestedBy.suffix(ends)
    }
  }

  /// Something worth knowing that does not keep a container from being built.
  public struct Note: Sendable, Hashable, CustomStringConvertible {
    /// What there is to know.
    public let text: String

    /// Where it was seen.
    public let location: SourceLocation?

    /// Creates a note.
    public init(_ text: String, at location: SourceLocation? = nil) {
      self.text = HiddenName.shown(text)
      self.location = location
    }

    /// The note, after its location.
    public var description: String { location.map { "\($0): note: \(text)" } ?? "note: \(text)" }
  }
}
