/// One rule that one object breaks, that of unique values included.
///
/// ``PersistenceError/validationFailures`` of a refused save has all of them.
public struct ValidationFailure: Sendable, Hashable {
  /// The object.
  public let objectID: ManagedObjectID

  /// The names of the properties that break the rule, in the order of the model's constraint;
  /// empty when it is a rule of the object as a whole.
  public let properties: [String]

  /// The values that another object has already, by name, for the rule ``Rule/unique``.
  public let values: [String: PropertyValue]

  /// The object that has the values already, for the rule ``Rule/unique``; `nil` when it is not
  /// known.
  public let holderID: ManagedObjectID?

  /// The rule, for programs.
  public let rule: Rule

  /// What is wrong, for people: a sentence that names the object.
  public let message: String

  /// Creates a failure of a property, or of the object as a whole.
  public init(objectID: ManagedObjectID, property: String?, rule: Rule, message: String) {
    self.init(
      objectID: objectID, properties: property.map { [$0] } ?? [], rule: rule, message: message)
  }

  /// Creates a failure of several properties together.
  public init(
    objectID: ManagedObjectID, properties: [String], values: [String: PropertyValue] = [:],
    holderID: ManagedObjectID? = nil, rule: Rule, message: String
  ) {
    self.objectID = objectID
    self.properties = properties
    self.values = values
    self.holderID = holderID
    self.rule = rule
    self.message = message
  }

  /// The name of the entity of the object.
  public var entity: String { objectID.entityName }

  /// The name of the only property that breaks the rule, or `nil` when it is a rule of several
  /// properties or of the object as a whole.
  public var property: String? { properties.count == 1 ? properties[0] : nil }

  /// The name of a rule: one of the model's, or one that a program made up.
  public struct Rule: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The name.
    public let rawValue: String

    /// Creates a rule from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a rule from its name.
    public init(stringLiteral name: String) { rawValue = name }

    /// The name.
    public var description: String { rawValue }

    /// A required attribute has no value, or a relationship that has to lead somewhere does not.
    public static let required: Self = "required"
    /// A value is not of the attribute's type.
    public static let type: Self = "type"
    /// A value is one that no store can keep, such as not-a-number.
    public static let storable: Self = "storable"
    /// A value is below the attribute's minimum.
    public static let minimum: Self = "minimum"
    /// A value is above the attribute's maximum.
    public static let maximum: Self = "maximum"
    /// A text is too short.
    public static let minimumLength: Self = "minimumLength"
    /// A text is too long.
    public static let maximumLength: Self = "maximumLength"
    /// A text does not match the attribute's regular expression.
    public static let pattern: Self = "pattern"
    /// A relationship leads to too few objects.
    public static let minimumCount: Self = "minimumCount"
    /// A relationship leads to too many objects.
    public static let maximumCount: Self = "maximumCount"
    /// Another object has the values, which must be unique.
    public static let unique: Self = "unique"
    /// The delete rule deny of a relationship that still leads to objects.
    public static let deny: Self = "deny"
  }
}

extension PersistenceError {
  /// The rules that objects break, those of all ``problems`` included; empty for other errors.
  public var validationFailures: [ValidationFailure] {
    particulars.failure.map { [$0] } ?? problems.flatMap(\.validationFailures)
  }

  /// The error of unique values that another object has.
  package static func uniqueness(_ failure: ValidationFailure) -> PersistenceError {
    var error = PersistenceError(
      .uniquenessViolated, failure.message,
      objectIDs: [failure.objectID] + (failure.holderID.map { [$0] } ?? []))
    error.particulars.failure = failure
    return error
  }

  /// The error of one rule that an object breaks.
  package static func validation(
    _ message: String, rule: ValidationFailure.Rule, property: String?, object: ManagedObjectID?,
    objectIDs: [ManagedObjectID]? = nil
  ) -> PersistenceError {
    var error = PersistenceError(
      .validation, message, objectIDs: objectIDs ?? object.map { [$0] } ?? [])
    error.particulars.failure = object.map {
      ValidationFailure(objectID: $0, property: property, rule: rule, message: message)
    }
    return error
  }
}
