/// A Swift class whose instances are the objects of an entity.
///
/// `@Entity` writes the conformance, which can also be written by hand: the model and the context
/// know a class only through these requirements.
public protocol ModelObject: AnyObject, SendableMetatype {
  /// The name of the class's entity.
  static var entityName: String { get }

  /// The entity as the class declares it, with its own properties only.
  static var entityDescription: EntityDescription { get }

  /// The names of all properties of the class in the order of its accessors, inherited ones first.
  static var _propertyNames: [String] { get }

  /// The key paths of all properties, inherited ones included, rooted in this class.
  static var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { get }
}

extension ManagedObjectModel {
  /// Creates the model that classes declare.
  public init(types: [any ModelObject.Type], versionIdentifiers: Set<String> = []) {
    self.init(entities: types.map { $0.entityDescription }, versionIdentifiers: versionIdentifiers)
  }
}
