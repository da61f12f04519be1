internal import SwiftSyntax

/// A stored property as `@Entity` reads it: plain text, ready to emit.
struct EntityProperty {
  enum Kind {
    case attribute(Attribute)
    case relationship(Relationship)
  }

  /// The options that `@Attribute` gives, as they are spelled.
  struct Attribute {
    /// The type without its optional mark.
    let type: String
    let isOptional: Bool
    var isTransient = false

    /// The value that a property which is not optional reads where the attribute has none.
    var nilValue: String?

    /// The initial value, or `nil` for none.
    var initialValue: String?

    /// The arguments that are passed on: `rules: AttributeRules()`.
    var others: [String] = []
  }

  /// The options that `@Relationship` gives, as they are spelled.
  struct Relationship {
    enum Cardinality { case one, set, ordered }

    let destination: String
    let cardinality: Cardinality
    var deleteRule: String?
    var isOptional: String?

    /// The name of the property at the other end, or `nil` for none.
    var inverse: String?

    /// The file and the line of that name as arguments; empty where they are unknown.
    var inverseLocation = ""

    /// The arguments that are passed on: `minimumCount: 1`.
    var others: [String] = []
  }

  /// The name as it is spelled, with back quotes where it has any.
  let name: String

  /// The name in the model.
  let plainName: String
  let kind: Kind
}
