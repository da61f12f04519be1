public import OxbowModel

/// The way from an entity's objects along relationships of both kinds: what `\.author?.books` is a
/// path of.
///
/// It is to relationships what ``EntityPath`` is to attributes, and collects its steps in the same
/// way. A to-many relationship is followed as if it were its members: `\.books.tags` leads from all
/// books to all of their tags.
///
/// `Entity` is the class of an entity; see ``EntityPath`` for why that is not required here.
@dynamicMemberLookup
public struct RelationshipPath<Entity>: Sendable {
  private let steps: PathSteps

  init() { steps = PathSteps() }

  private init(_ steps: PathSteps) { self.steps = steps }

  /// A to-one relationship.
  public subscript<Destination: ModelObject>(
    dynamicMember property: KeyPath<Entity, Destination?>
  ) -> RelationshipPath<Destination>? {
    RelationshipPath<Destination>(steps.appending(property, of: Entity.self))
  }

  /// A to-many relationship.
  public subscript<Destination: ModelObject & Hashable>(
    dynamicMember property: KeyPath<Entity, Set<Destination>>
  ) -> RelationshipPath<Destination> {
    RelationshipPath<Destination>(steps.appending(property, of: Entity.self))
  }

  /// An ordered to-many relationship.
  public subscript<Destination: ModelObject>(
    dynamicMember property: KeyPath<Entity, [Destination]>
  ) -> RelationshipPath<Destination> {
    RelationshipPath<Destination>(steps.appending(property, of: Entity.self))
  }
}

/// The end of a path of relationships, whatever its class is.
protocol RelationshipPathEnd {
  var pathSteps: PathSteps { get }
}

extension RelationshipPath: RelationshipPathEnd {
  var pathSteps: PathSteps { steps }
}
