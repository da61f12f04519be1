/// One point in which a model differs from the one before.
public struct ModelChange: Sendable, Hashable, CustomStringConvertible {
  /// What happened.
  public enum Kind: String, Sendable, Hashable {
    /// An entity or a property is new.
    case added
    /// An entity or a property is gone, and its data with it.
    case removed
    /// An entity or a property has another name and keeps its data.
    case renamed
    /// A property is declared by another entity of the hierarchy and keeps its data in those that
    /// had it.
    case moved
    /// Something about an entity or a property is said otherwise.
    case changed
  }

  /// What it happened to.
  public enum Subject: String, Sendable, Hashable {
    case entity, attribute, relationship, uniquenessConstraint, fetchIndex
  }

  /// What happened.
  public let kind: Kind

  /// What it happened to.
  public let subject: Subject

  /// The entity's name afterwards, or before when it is gone.
  public let entity: String

  /// The property's name afterwards, or before when it is gone; `nil` for entities.
  public let property: String?

  /// What is said otherwise ("type", "optional"); `nil` for anything but ``Kind/changed``.
  public let aspect: String?

  /// What was said before, and what is said now.
  public let before: String?
  /// What is said now.
  public let after: String?

  /// Whether the store's tables change with it; rules and delete rules are the context's alone.
  public let isStored: Bool

  /// The change as one line for people.
  public var description: String {
    let name = property.map { "\(subject.words) '\(entity).\($0)'" } ?? "entity '\(entity)'"
    switch kind {
    case .added: return "add \(name)" + (after.map { " (\($0))" } ?? "")
    case .removed: return "remove \(name)"
    case .renamed: return "rename \(name) (was '\(before ?? "")')"
    case .moved: return "move \(name) (was \(before ?? ""))"
    case .changed:
      return "change \(name): \(aspect ?? "") \(before ?? "none") → \(after ?? "none")"
    }
  }

  init(
    _ kind: Kind, _ subject: Subject, entity: String, property: String? = nil,
    aspect: String? = nil, before: String? = nil, after: String? = nil, isStored: Bool = true
  ) {
    self.kind = kind
    self.subject = subject
    self.entity = entity
    self.property = property
    self.aspect = aspect
    self.before = before
    self.after = after
    self.isStored = isStored
  }
}

extension ModelChange.Subject {
  /// The subject in words.
  public var words: String {
    switch self {
    case .entity: "entity"
    case .attribute: "attribute"
    case .relationship: "relationship"
    case .uniquenessConstraint: "uniqueness constraint"
    case .fetchIndex: "fetch index"
    }
  }
}
