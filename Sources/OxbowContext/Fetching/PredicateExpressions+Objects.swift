#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import OxbowModel

// What `#Predicate` calls for an object that it captures: `build_Arg(author)` for `author`,
// `build_KeyPath(root: build_Arg(author), keyPath: \.objectID)` for `author.objectID`. Without these
// overloads the compiler says that the object is neither `Codable` nor `Sendable`.

// swift-format-ignore: AlwaysUseLowerCamelCase
extension PredicateExpressions {
  /// An object as a constant: `$0.author == author`.
  public static func build_Arg<T: ManagedObject>(_ object: T) -> ObjectConstant<T> {
    ObjectConstant(object.objectID)
  }

  /// An object or none as a constant.
  public static func build_Arg<T: ManagedObject>(_ object: T?) -> ObjectConstant<T?> {
    ObjectConstant(object?.objectID)
  }

  /// Objects as constants: `authors.contains($0)`.
  public static func build_Arg<C: Sequence>(_ objects: C) -> ObjectConstants<C>
  where C.Element: ManagedObject { ObjectConstants(objects.map(\.objectID)) }

  /// The ID of an object where an optional one is compared: `$0.author?.objectID == author.objectID`.
  public static func build_KeyPath<T: ManagedObject>(
    root: ObjectConstant<T>, keyPath: Swift.KeyPath<T, ManagedObjectID>
  ) -> Value<ManagedObjectID?> { build_Arg(root.objectID) }
}
