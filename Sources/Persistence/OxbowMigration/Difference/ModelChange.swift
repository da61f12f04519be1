/// One point in which a model differs from the one before.
public struct ModelChange: Sendable, Hashable, Codable, CustomStringConvertible {
  /// What happened.
  public enum Kind: String, Sendable, Hashable, Codable {
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
  public enum Subject: String, Sendable, Hashable, Codable {
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
  public let description: String

  private enum CodingKeys: String, CodingKey {
    case kind, subject, entity, property, aspect, before, after, description
    case isStored = "stored"
  }

  init(
    _ kind: Kind, _ subject: Subject, entity: String, property: String? = nil,
    aspect: String? = nil, before: String? = nil, after: String? = nil, isStored: Bool = true
  ) {
    (self.kind, self.subject, self.entity, self.property) = (kind, subject, entity, property)
    (self.aspect, self.before, self.after, self.isStored) = (aspect, before, after, isStored)
    let name = property.map { "\(subject.words) '\(entity).\($0)'" } ?? "entity '\(entity)'"
    description =
      switch kind {
      case .added: "add \(name)" + (after.map { " (\($0))" } ?? "")
      case .removed: "remove \(name)"
      case .renamed: "rename \(name) (was '\(before ?? "")')"
      case .moved: "move \(name) (was \(before ?? ""))"
      case .changed: "change \(name): \(aspect ?? "") \(before ?? "none") → \(after ?? "none")"
      }
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
