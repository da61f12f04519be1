public import OxbowModel

/// A rule of a program for the objects of a class, checked by each save.
///
/// The error of a refused save lists all rules that all objects break
/// (``OxbowModel/PersistenceError/validationFailures``). A rule may read other objects and fetch;
/// it must not change anything.
public struct ValidationRule: Sendable {
  /// The rule's name, for programs.
  public let name: ValidationFailure.Rule

  /// The message about an object that breaks the rule, after its name: "is blank".
  public let message: String

  /// The property that the rule is about, or `nil` for the object as a whole.
  public let property: String?

  /// The changes for which the rule is checked.
  public let changes: Changes

  /// Whether an object keeps the rule.
  let holds: @Sendable (AnyObject) -> Bool

  /// The changes of an object for which a rule is checked.
  public struct Changes: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The object is new.
    public static let insert = Changes(rawValue: 1)
    /// The object was changed.
    public static let update = Changes(rawValue: 2)
    /// The object will be deleted.
    public static let delete = Changes(rawValue: 4)
  }

  /// Creates a rule for the value of a property.
  ///
  /// It is checked for new objects, and for changed ones if the property was changed. The key path
  /// of a computed property makes a rule for the object as a whole. The message follows the name of
  /// an object that breaks the rule.
  public init<Root: ModelObject, Value>(
    _ property: any KeyPath<Root, Value> & Sendable, _ name: ValidationFailure.Rule,
    _ message: String, on changes: Changes = [.insert, .update],
    _ holds: @escaping @Sendable (Value) -> Bool
  ) {
    self.name = name
    self.message = message
    self.changes = changes
    // In the table of the rule's own class: a subclass has other key paths of inherited properties.
    self.property = Root._keyPaths.first { $0.keyPath == property }?.name
    self.holds = { object in (object as? Root).map { holds($0[keyPath: property]) } ?? true }
  }

  /// Creates a rule for an object as a whole, checked for each object that is new or was changed.
  ///
  /// The message follows the name of an object that breaks the rule.
  public init<Root: ModelObject>(
    _ type: Root.Type, _ name: ValidationFailure.Rule, _ message: String,
    on changes: Changes = [.insert, .update], _ holds: @escaping @Sendable (Root) -> Bool
  ) {
    self.name = name
    self.message = message
    self.changes = changes
    property = nil
    self.holds = { object in (object as? Root).map { holds($0) } ?? true }
  }
}
