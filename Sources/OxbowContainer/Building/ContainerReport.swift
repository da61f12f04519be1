/// What checking a container's definitions found.
public struct ContainerReport: Sendable {
  /// What keeps the container from being built.
  public let problems: [ContainerError.Problem]
  /// What is worth knowing.
  public let notes: [ContainerError.Note]
  /// The definitions; of those with a problem what their files say.
  ///
  /// Made anew by each call.
  public var graph: ContainerGraph { ContainerGraph(plan) }

  /// What was found.
  ///
  /// Sendable by argument: nobody changes a binding once its plan is made.
  nonisolated(unsafe) private let plan: ContainerPlan

  init(_ plan: ContainerPlan) {
    problems = plan.problems
    notes = plan.notes
    self.plan = plan
  }
}

/// Somebody who waits for a container.
public protocol ContainerBuildingDelegate: AnyObject {
  /// The container is built.
  func containerBuildingFinished(_ container: Container)

  /// The container is built, and some things are worth knowing; by default the notes are dropped.
  func containerBuildingFinished(_ container: Container, notes: [ContainerError.Note])

  /// The container could not be built; the error has every problem.
  func containerBuildingFailed(_ error: any Error)
}

extension ContainerBuildingDelegate {
  /// Drops the notes.
  public func containerBuildingFinished(_ container: Container, notes: [ContainerError.Note]) {
    containerBuildingFinished(container)
  }
}

extension ContainerBuilder {
  /// Builds the container and tells a delegate, by exactly one call.
  public func build(reportingTo delegate: some ContainerBuildingDelegate) {
    do {
      let (container, notes) = try buildWithNotes()
      delegate.containerBuildingFinished(container, notes: notes)
    } catch {
      delegate.containerBuildingFailed(error)
    }
  }
}
