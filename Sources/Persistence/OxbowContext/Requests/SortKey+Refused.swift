public import OxbowModel

// Paths that begin with the class, or do not end at an attribute, so that the compiler says so.

@available(
  *, unavailable,
  message:
    "the path begins with the class, or does not end at an attribute: leave the class out, as in 'SortKey(\\.author?.name)', and correct the path"
)
extension SortKey where Root: ModelObject {
  /// Refused: the path begins with the class.
  public init<Value>(_ path: KeyPath<Root, Value>, ascending: Bool = true) { Refused.call() }

  /// Refused: the path does not end at an attribute.
  public init<End: NoAttributeEnd>(_ path: KeyPath<EntityPath<Root>, End>, ascending: Bool = true) {
    Refused.call()
  }
}

@available(
  *, unavailable,
  message:
    "the path begins with the class, or does not end at an attribute: leave the class out, as in '\\.author?.name', and correct the path"
)
extension SortKey where Root: ModelObject {
  /// Refused: the path begins with the class.
  public static func ascending<Value>(_ path: KeyPath<Root, Value>) -> Self { Refused.call() }

  /// Refused: the path begins with the class.
  public static func descending<Value>(_ path: KeyPath<Root, Value>) -> Self { Refused.call() }

  /// Refused: the path does not end at an attribute.
  public static func ascending<End: NoAttributeEnd>(_ path: KeyPath<EntityPath<Root>, End>) -> Self
  { Refused.call() }

  /// Refused: the path does not end at an attribute.
  public static func descending<End: NoAttributeEnd>(_ path: KeyPath<EntityPath<Root>, End>) -> Self
  { Refused.call() }
}
