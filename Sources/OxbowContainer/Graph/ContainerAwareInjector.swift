/// What makes an object acquainted with its container, once its properties are set.
package protocol ContainerAwareInjector: Sendable {
  /// Whether objects of a type are to be introduced.
  func concerns(_ type: any Any.Type) -> Bool
  func introduce(_ object: Any, named name: String, _ link: WeakContainerReference) throws
}

/// A type whose one value the container itself delivers, wherever it is wanted.
package protocol ContainerProvided {
  static var delivery: Ref<Self> { get }
}

extension ContainerProvided {
  /// The reference, its type forgotten.
  package static func delivered() -> Any { delivery }
}
