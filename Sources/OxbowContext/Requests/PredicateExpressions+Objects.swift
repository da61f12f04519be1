#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import OxbowModel

// What `#Predicate` calls for an object that it captures: `build_Arg(author)` for `author`,
// `build_KeyPath(root: build_Arg(author), keyPath: \.objectID)` for `author.objectID`. Without
// these overloads the compiler says that the object is neither `Codable` nor `Sendable`.
//
// Every overload is tried for every argument of every `#Predicate`. So there is one for objects and
// none, its parameter is of a class, which no literal fits, and it is disfavored, which ends the
// search where Foundation's own do: a generic parameter made three conditions too many to compile.

// swift-format-ignore: AlwaysUseLowerCamelCase
extension PredicateExpressions {
  /// An object, or none, as a constant: `$0.author == author`, `$0.tags.contains(tag)`.
  @_disfavoredOverload
  public static func build_Arg<T: ObjectOperand>(_ object: ManagedObject?) -> ObjectConstant<T> {
    let isOfClass = object.map { T._accepts($0) } ?? true
    return ObjectConstant(
      object?.objectID,
      mismatch: isOfClass ? nil : object.map { "'\($0)', a '\(type(of: $0))', with '\(T.self)'" })
  }

  /// The ID of an object where an optional one is compared:
  /// `$0.author?.objectID == author.objectID`.
  @_disfavoredOverload
  public static func build_KeyPath(
    root: ObjectConstant<ManagedObject>, keyPath: Swift.KeyPath<ManagedObject, ManagedObjectID>
  ) -> ObjectConstant<ManagedObjectID?> { ObjectConstant(root.objectID) }

  /// The ID of an object: `$0.objectID == book.objectID`.
  @_disfavoredOverload
  public static func build_KeyPath(
    root: ObjectConstant<ManagedObject>, keyPath: Swift.KeyPath<ManagedObject, ManagedObjectID>
  ) -> ObjectConstant<ManagedObjectID> { ObjectConstant(root.objectID) }
}

/// What a `#Predicate` can compare an object with: a managed object, or one or none.
public protocol ObjectOperand {
  /// Whether the object is of the type.
  static func _accepts(_ object: ManagedObject) -> Bool
}

extension ManagedObject: ObjectOperand {
  /// Whether the object is of the class.
  public static func _accepts(_ object: ManagedObject) -> Bool { object is Self }
}

extension Optional: ObjectOperand where Wrapped: ObjectOperand {
  /// Whether the object is of the class.
  public static func _accepts(_ object: ManagedObject) -> Bool { Wrapped._accepts(object) }
}
