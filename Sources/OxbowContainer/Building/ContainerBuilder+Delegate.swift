/// Somebody who waits for a container.
public protocol ContainerBuildingDelegate: AnyObject {
  /// The container stands.
  func containerBuildingFinished(_ container: Container)

  /// There is no container; the error has every problem.
  func containerBuildingFailed(_ error: any Error)
}

extension ContainerBuilder {
  /// Builds the container and tells a delegate, by exactly one call.
  public func build(reportingTo delegate: some ContainerBuildingDelegate) {
    let result = Result { try build() }
    switch result {
    case .success(let container): delegate.containerBuildingFinished(container)
    case .failure(let error): delegate.containerBuildingFailed(error)
    }
  }
}
