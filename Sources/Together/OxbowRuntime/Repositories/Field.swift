/// A property of an entity, or one at the end of to-one relationships, for the compiler alone.
///
/// What `@Repository` writes names properties as `Match<Book>.root.author.name`. The expression
/// is checked and never evaluated, so there are no values of this type.
@dynamicMemberLookup
public struct Field<Value> {
  private init() {}

  /// The compiler's own; never evaluated.
  static var checkedOnly: Field {
    preconditionFailure("A field is checked by the compiler and never evaluated.")
  }

  /// A property of an object, or of a part.
  public subscript<Next>(dynamicMember property: KeyPath<Value, Next>) -> Field<Next> {
    .checkedOnly
  }

  /// A property that may have no value, or a to-one relationship: the value or the object, so that
  /// what compares them, or leads on from the object, is written once.
  public subscript<Next>(dynamicMember property: KeyPath<Value, Next?>) -> Field<Next> {
    .checkedOnly
  }
}
