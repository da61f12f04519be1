package import OxbowDocuments

/// What went wrong while a container was built or asked for an object.
///
/// `build()` checks the whole graph before it runs any constructor and throws one error that carries
/// every problem it found. A request that fails at run time carries one problem, with the chain of
/// definitions that led to it.
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

  /// The error that a constructor, factory or setter threw, when that is what failed.
  public var underlying: (any Error)? { problems.lazy.compactMap(\.underlying).first }

  package init(_ task: String, _ problems: [Problem]) {
    self.task = task
    self.problems = problems
  }

  package init(_ problem: Problem, task: String) {
    self.init(task, [problem])
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
  package func requested(by step: String) -> ContainerError {
    ContainerError(
      task,
      problems.map {
        var problem = $0
        problem.requestedBy.insert(step, at: 0)
        return problem
      })
  }

  /// Returns the error as the answer to another request.
  package func doing(_ task: String) -> ContainerError { ContainerError(task, problems) }

  /// Returns the error with a place for the problems that have none.
  package func located(at location: SourceLocation?) -> ContainerError {
    ContainerError(
      task,
      problems.map {
        var problem = $0
        problem.location = problem.location ?? location
        return problem
      })
  }
}
