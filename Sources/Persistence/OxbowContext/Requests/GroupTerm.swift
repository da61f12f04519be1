public import OxbowFoundation
public import OxbowModel
internal import OxbowStore

/// A key or an aggregate of groups, for conditions and orders.
public struct GroupTerm: Sendable, Hashable {
  fileprivate let column: String
}

/// The keys and aggregates of groups, for conditions on groups and for their order.
///
/// ```swift
/// having: { $0.sum(\.amount) > 100 && $0.count() >= 2 }
/// sortedBy: { [.descending($0.sum(\.amount))] }
/// ```
public final class GroupTerms<Entity> {
  private(set) var error: PersistenceError?

  init() {}

  /// A key: the value of an attribute.
  public func key<End: AttributePathEnd>(_ path: KeyPath<EntityPath<Entity>, End>) -> GroupTerm {
    term(path) { .value($0) }
  }

  /// A key: the object of a to-one relationship.
  public func key<Destination>(
    _ path: KeyPath<EntityPath<Entity>, EntityPath<Destination>?>
  ) -> GroupTerm { term(EntityPath<Entity>()[keyPath: path]?.steps) { .value($0) } }

  /// A key: the year of a date.
  public func year<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>, in zone: TimeZone = .gmt
  ) -> GroupTerm where End._Value == Date { part(.year, path, zone) }

  /// A key: the month of a date, 1 to 12.
  public func month<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>, in zone: TimeZone = .gmt
  ) -> GroupTerm where End._Value == Date { part(.month, path, zone) }

  /// A key: the day of the month of a date.
  public func day<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>, in zone: TimeZone = .gmt
  ) -> GroupTerm where End._Value == Date { part(.day, path, zone) }

  /// A key: the hour of a date.
  public func hour<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>, in zone: TimeZone = .gmt
  ) -> GroupTerm where End._Value == Date { part(.hour, path, zone) }

  /// A key: the day of the week of a date, 1 (Sunday) to 7.
  public func weekday<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>, in zone: TimeZone = .gmt
  ) -> GroupTerm where End._Value == Date { part(.weekday, path, zone) }

  /// The sum of a group.
  public func sum<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>
  ) -> GroupTerm where End._Value: Summable { term(path) { .aggregate(.sum, $0) } }

  /// The average of a group.
  public func average<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>
  ) -> GroupTerm where End._Value: Summable { term(path) { .aggregate(.average, $0) } }

  /// The smallest value of a group.
  public func min<End: AttributePathEnd>(_ path: KeyPath<EntityPath<Entity>, End>) -> GroupTerm {
    term(path) { .aggregate(.min, $0) }
  }

  /// The largest value of a group.
  public func max<End: AttributePathEnd>(_ path: KeyPath<EntityPath<Entity>, End>) -> GroupTerm {
    term(path) { .aggregate(.max, $0) }
  }

  /// The number of objects of a group.
  public func count() -> GroupTerm { GroupTerm(column: "\(ColumnExpression.count)") }

  /// The number of values of a group.
  public func count<End: AttributePathEnd>(_ path: KeyPath<EntityPath<Entity>, End>) -> GroupTerm {
    term(path) { .aggregate(.count, $0) }
  }

  /// The number of different values of a group.
  public func countDistinct<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>
  ) -> GroupTerm { term(path) { .aggregate(.countDistinct, $0) } }

  private func part<End: AttributePathEnd>(
    _ part: DatePart, _ path: KeyPath<EntityPath<Entity>, End>, _ zone: TimeZone
  ) -> GroupTerm { term(path) { .part(part, $0, zone: zone.identifier) } }

  private func term<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>, _ make: (FetchExpression) -> ColumnExpression
  ) -> GroupTerm { term(EntityPath<Entity>()[keyPath: path]._steps, make) }

  private func term(
    _ steps: PathSteps?, _ make: (FetchExpression) -> ColumnExpression
  ) -> GroupTerm {
    let (path, problem) = (steps ?? PathSteps()).names
    if let problem, error == nil {
      error = PersistenceError(
        .invalidPredicate, "a path of '\(Entity.self)' cannot be asked for: \(problem)")
    }
    return GroupTerm(column: "\(make(.path(path)))")
  }
}

extension RowOrder {
  /// An order that puts groups with small values first.
  public static func ascending(
    _ term: GroupTerm, comparing comparison: TextOrder = []
  ) -> RowOrder { RowOrder(term.column, comparing: comparison) }

  /// An order that puts groups with large values first.
  public static func descending(
    _ term: GroupTerm, comparing comparison: TextOrder = []
  ) -> RowOrder {
    RowOrder(term.column, ascending: false, comparing: comparison)
  }
}

extension GroupTerm {
  /// Both are equal; no value equals no value.
  public static func == (term: GroupTerm, value: some FetchValueConvertible) -> FetchPredicate {
    term.compared(.equal, value)
  }

  /// Both are not equal.
  public static func != (term: GroupTerm, value: some FetchValueConvertible) -> FetchPredicate {
    term.compared(.notEqual, value)
  }

  /// The value of a group is smaller.
  public static func < (term: GroupTerm, value: some FetchValueConvertible) -> FetchPredicate {
    term.compared(.less, value)
  }

  /// The value of a group is smaller or equal.
  public static func <= (term: GroupTerm, value: some FetchValueConvertible) -> FetchPredicate {
    term.compared(.lessOrEqual, value)
  }

  /// The value of a group is larger.
  public static func > (term: GroupTerm, value: some FetchValueConvertible) -> FetchPredicate {
    term.compared(.greater, value)
  }

  /// The value of a group is larger or equal.
  public static func >= (term: GroupTerm, value: some FetchValueConvertible) -> FetchPredicate {
    term.compared(.greaterOrEqual, value)
  }

  private func compared(
    _ comparison: ComparisonOperator, _ value: some FetchValueConvertible
  ) -> FetchPredicate {
    .comparison(.path([column]), comparison, .value(value.fetchValue))
  }
}
