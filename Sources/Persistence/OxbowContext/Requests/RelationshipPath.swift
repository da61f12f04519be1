public import OxbowModel

/// The root of paths from an entity's objects along relationships of both kinds: `\.author?.books`.
///
/// It collects its steps like an ``EntityPath``. A to-many relationship is followed as if it were
/// its members: `\.books.tags` leads from all books to all of their tags.
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

/// The end of a path of relationships, whatever its class.
protocol RelationshipPathEnd {
  var pathSteps: PathSteps { get }
}

extension RelationshipPath: RelationshipPathEnd {
  var pathSteps: PathSteps { steps }
}
