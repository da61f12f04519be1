/// Somebody who waits for a container.
public protocol ContainerBuildingDelegate: AnyObject {
  /// The container stands.
  func containerBuildingFinished(_ container: Container)

  /// The container stands, and some things are worth knowing; by default the notes are dropped.
  func containerBuildingFinished(_ container: Container, notes: [ContainerError.Note])

  /// There is no container; the error has every problem.
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
