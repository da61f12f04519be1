public import OxbowModel

// What the compiler says where a path has no attribute at its end, or begins with the class.

extension SortKey where Root: ModelObject {
  /// Refused: the path leads to no attribute, or names the class.
  @available(
    *, unavailable,
    message:
      "the path names no attribute: correct it, or end the path at an attribute and leave the class out, as in 'SortKey(\\.author?.name)'"
  )
  public init<Value>(_ path: KeyPath<Root, Value>, ascending: Bool = true) { Refused.call() }

  /// Refused: the path leads to no attribute, or names the class.
  @available(
    *, unavailable,
    message:
      "the path names no attribute: correct it, or end the path at an attribute and leave the class out, as in '\\.author?.name'"
  )
  public static func ascending<Value>(_ path: KeyPath<Root, Value>) -> Self { Refused.call() }

  /// Refused: the path leads to no attribute, or names the class.
  @available(
    *, unavailable,
    message:
      "the path names no attribute: correct it, or end the path at an attribute and leave the class out, as in '\\.author?.name'"
  )
  public static func descending<Value>(_ path: KeyPath<Root, Value>) -> Self { Refused.call() }

  /// Refused: the path leads to no attribute, or names the class.
  @available(
    *, unavailable,
    message:
      "the path names no attribute: correct it, or end the path at an attribute and leave the class out, as in 'SortKey(\\.author?.name)'"
  )
  public init<End: NoAttributeEnd>(_ path: KeyPath<EntityPath<Root>, End>, ascending: Bool = true) {
    Refused.call()
  }

  /// Refused: the path leads to no attribute, or names the class.
  @available(
    *, unavailable,
    message:
      "the path names no attribute: correct it, or end the path at an attribute and leave the class out, as in '\\.author?.name'"
  )
  public static func ascending<End: NoAttributeEnd>(_ path: KeyPath<EntityPath<Root>, End>) -> Self
  { Refused.call() }

  /// Refused: the path leads to no attribute, or names the class.
  @available(
    *, unavailable,
    message:
      "the path names no attribute: correct it, or end the path at an attribute and leave the class out, as in '\\.author?.name'"
  )
  public static func descending<End: NoAttributeEnd>(_ path: KeyPath<EntityPath<Root>, End>) -> Self
  { Refused.call() }
}
