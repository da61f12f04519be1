/// What makes an object acquainted with its container, once its properties are set.
package protocol ObjectIntroduction: Sendable {
  /// Whether objects of a type are to be introduced.
  func concerns(_ type: any Any.Type) -> Bool
  func introduce(_ object: Any, named name: String, _ link: EngineLink) throws
}

/// A type whose one value the container itself delivers, wherever it is wanted.
package protocol SelfDelivering {
  static var delivery: Ref<Self> { get }
}

extension SelfDelivering {
  /// The reference, its type forgotten.
  package static func delivered() -> Any { delivery }
}
