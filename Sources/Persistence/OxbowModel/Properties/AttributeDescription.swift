public import OxbowDocuments

/// An attribute of an entity.
public struct AttributeDescription: Sendable, Hashable {
  /// The attribute's name, unique among the properties of its entity.
  public var name: String

  /// The type of its values.
  public var type: AttributeType

  /// Whether it may have no value.
  public var isOptional: Bool

  /// Whether it is kept in memory only, and not in the store.
  public var isTransient: Bool

  /// The value of a new object, or `nil` for none.
  public var defaultValue: AttributeValue?

  /// The name that it had in the model before, for migrations; `nil` when it was not renamed.
  public var renamingIdentifier: String?

  /// Text that is mixed into the version hash, to force a new version.
  public var versionHashModifier: String?

  /// The rules that a value must keep.
  public var rules: AttributeRules

  /// The expression that the value is computed from, or `nil` for a value that is set.
  ///
  /// The store computes it in each save, from what the save leaves:
  ///
  /// | Expression | Value |
  /// | --- | --- |
  /// | `canonical:(name)` | a text without case and marks; also `lowercase:`, `uppercase:` |
  /// | `author.name` | an attribute behind to-one relationships, or of the object itself |
  /// | `books.@count` | the number of objects of a to-many relationship |
  /// | `books.pages.@sum` | the sum of their values, 0 without any |
  /// | `now()` | the moment of the last save that wrote the object |
  ///
  /// A derived attribute cannot be set, and has no value in a new object before it is saved.
  public var derivation: String?

  /// Whether a store keeps large values in files beside it rather than in its rows; for data and
  /// for what a transformer makes data of.
  ///
  /// A store in a file does, from `SQLiteStoreOptions.externalStorageThreshold` bytes on; reading
  /// and saving are the same for both. Such an attribute can be compared with `nil` only, and can
  /// be in no index, order or uniqueness constraint. It is not part of the version hash: switched
  /// on or off, a value moves when it is next assigned.
  public var allowsExternalStorage: Bool

  /// Whether the history of a store keeps the value that a deleted object had, where the store has
  /// a history (`SQLiteStoreOptions.history`).
  ///
  /// It is not part of the version hash: switched on or off, it counts from the next save on.
  public var preservesValueInHistoryOnDeletion: Bool

  /// How a store finds its texts without reading all of them; for texts that are in rows, and are
  /// neither transient nor derived.
  ///
  /// It changes how fast a condition is answered, and never the answer. It is not part of the
  /// version hash: a store gets the index when it is next opened for writing, or with the next step
  /// of a migration.
  public var search: AttributeSearch

  /// The parts of a composite attribute; none of any other.
  public var elements: [AttributeDescription] = []

  /// The name of the type of a composite attribute, as model documents have it; `nil` for others.
  public var compositeName: String?

  /// Free pairs of the model's author.
  public var userInfo: [String: String]

  /// Whether a document says that Core Data's class has a scalar for it; no part of equality.
  package var isScalar = false

  /// Where the document declares it; no part of equality.
  public var location: SourceLocation?

  /// Creates an attribute.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false, isTransient: Bool = false,
    defaultValue: AttributeValue? = nil, renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, rules: AttributeRules = AttributeRules(),
    derivation: String? = nil, allowsExternalStorage: Bool = false,
    preservesValueInHistoryOnDeletion: Bool = false, search: AttributeSearch = [],
    userInfo: [String: String] = [:],
    location: SourceLocation? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.rules = rules
    self.derivation = derivation
    self.allowsExternalStorage = allowsExternalStorage
    self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    self.search = search
    self.userInfo = userInfo
    self.location = location
  }
}

/// The rules that an attribute's value must keep, checked at save.
public struct AttributeRules: Sendable, Hashable {
  /// The smallest number or the earliest date allowed.
  public var minimum: AttributeValue?

  /// The largest number or the latest date allowed.
  public var maximum: AttributeValue?

  /// The smallest number of characters allowed.
  public var minimumLength: Int?

  /// The largest number of characters allowed.
  public var maximumLength: Int?

  /// The regular expression that the whole text has to match.
  public var pattern: String?

  /// Creates rules; without arguments, none.
  public init(
    minimum: AttributeValue? = nil, maximum: AttributeValue? = nil, minimumLength: Int? = nil,
    maximumLength: Int? = nil, pattern: String? = nil
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.pattern = pattern
  }
}

extension AttributeDescription {
  /// Whether both describe the same attribute; locations and scalars do not count.
  public static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && a.type == b.type && a.isOptional == b.isOptional
      && a.isTransient == b.isTransient && a.defaultValue == b.defaultValue
      && a.renamingIdentifier == b.renamingIdentifier
      && a.versionHashModifier == b.versionHashModifier && a.rules == b.rules
      && a.derivation == b.derivation && a.allowsExternalStorage == b.allowsExternalStorage
      && a.preservesValueInHistoryOnDeletion == b.preservesValueInHistoryOnDeletion
      && a.search == b.search && a.userInfo == b.userInfo
      && a.compositeName == b.compositeName
      && a.elements.sorted(by: \.name) == b.elements.sorted(by: \.name)
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
