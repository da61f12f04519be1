public import OxbowFoundation
public import OxbowModel
internal import OxbowStore

/// A group of objects in the closure of `aggregate`, which reads the group's keys and values of all
/// its objects.
///
/// The closure is called once with stand-ins, to find out what it reads, and then for each group.
/// It must read the same things each time, in the same order.
public final class GroupReader<Entity> {
  /// One read of the closure.
  private struct Question {
    let what: String
    let path: AnyKeyPath?

    /// The number of its column: what is read twice is one column.
    let column: Int
  }

  private var questions: [Question] = []
  private var row: FetchedRow?
  private var next = 0
  private(set) var error: PersistenceError?

  init() {}

  var columns: [FetchColumn] { expressions.map { FetchColumn($0) } }

  /// The columns that make groups.
  var keys: [FetchColumn] {
    expressions.filter { !$0.isAggregate }.map { FetchColumn($0) }
  }

  private var expressions: [ColumnExpression] = []

  func begin(_ row: FetchedRow) {
    self.row = row
    next = 0
  }

  // MARK: Keys

  /// The value of an attribute, which makes groups.
  public func key<End: AttributePathEnd>(_ path: KeyPath<EntityPath<Entity>, End>) -> End._Key {
    End._key(value("key", path, isRequired: End._isRequired) { .value($0) })
  }

  /// The object of a to-one relationship, by its ID, which makes groups.
  public func key<Destination>(
    _ path: KeyPath<EntityPath<Entity>, EntityPath<Destination>?>
  ) -> ManagedObjectID? {
    let value = ask("key", path) {
      let steps = EntityPath<Entity>()[keyPath: path]?.steps ?? PathSteps()
      return .value(expression(steps))
    }
    if case .object(let id) = value { return id }
    return nil
  }

  /// The year of a date, which makes groups.
  public func year<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>, in zone: TimeZone = .gmt
  ) -> End._Part where End._Value == Date { part(.year, path, zone) }

  /// The month of a date, 1 to 12, which makes groups.
  public func month<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>, in zone: TimeZone = .gmt
  ) -> End._Part where End._Value == Date { part(.month, path, zone) }

  /// The day of the month of a date, which makes groups.
  public func day<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>, in zone: TimeZone = .gmt
  ) -> End._Part where End._Value == Date { part(.day, path, zone) }

  /// The hour of a date, which makes groups.
  public func hour<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>, in zone: TimeZone = .gmt
  ) -> End._Part where End._Value == Date { part(.hour, path, zone) }

  /// The day of the week of a date, 1 (Sunday) to 7, which makes groups.
  public func weekday<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>, in zone: TimeZone = .gmt
  ) -> End._Part where End._Value == Date { part(.weekday, path, zone) }

  // MARK: Values of a group

  /// The sum, exact for whole and for decimal numbers; 0 of no values.
  public func sum<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>
  ) -> End._Value.Sum where End._Value: Summable {
    value("sum", path, isRequired: true) { .aggregate(.sum, $0) }
      ?? End._Value.Sum.attributePlaceholder
  }

  /// The average; `nil` of no values.
  public func average<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>
  ) -> End._Value.Average? where End._Value: Summable {
    value("average", path) { .aggregate(.average, $0) }
  }

  /// The smallest value; `nil` of no values.
  public func min<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>
  ) -> End._Value? { value("min", path) { .aggregate(.min, $0) } }

  /// The largest value; `nil` of no values.
  public func max<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>
  ) -> End._Value? { value("max", path) { .aggregate(.max, $0) } }

  /// The number of objects.
  public func count() -> Int {
    if case .attribute(.integer(let number)) = ask("count", nil, { .count }) { return Int(number) }
    return 0
  }

  /// The number of values.
  public func count<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>
  ) -> Int { value("count of", path, isRequired: true) { .aggregate(.count, $0) } ?? 0 }

  /// The number of different values.
  public func countDistinct<End: AttributePathEnd>(
    _ path: KeyPath<EntityPath<Entity>, End>
  ) -> Int {
    value("count distinct", path, isRequired: true) { .aggregate(.countDistinct, $0) } ?? 0
  }

  // MARK: Questions

  private func part<End: AttributePathEnd>(
    _ part: DatePart, _ path: KeyPath<EntityPath<Entity>, End>, _ zone: TimeZone
  ) -> End._Part {
    let what = zone == .gmt ? part.rawValue : "\(part.rawValue) in \(zone.identifier)"
    return End._part(
      value(what, path, isRequired: End._isRequired) { .part(part, $0, zone: zone.identifier) })
  }

  private func value<End: AttributePathEnd, Value: AttributeConvertible>(
    _ what: String, _ path: KeyPath<EntityPath<Entity>, End>, isRequired: Bool = false,
    _ make: (FetchExpression) -> ColumnExpression
  ) -> Value? {
    let answer = ask(what, path) { make(expression(EntityPath<Entity>()[keyPath: path]._steps)) }
    guard case .attribute(let attribute) = answer else {
      if isRequired, row != nil {
        note(
          PersistenceError(
            .invalidStoredValue,
            "the column '\(name)' has no value in one of the groups, and a path without '?' "
              + "promises one; 'fetchRows(RowRequest(…))' has groups whose values may be missing"))
      }
      return nil
    }
    let value = Value(attributeValue: attribute)
    if value == nil {
      note(
        PersistenceError(
          .invalidStoredValue,
          "the column '\(name)' has \(attribute), which is not of type '\(Value.self)'"))
    }
    return value
  }

  /// The name of the last column that was read.
  private var name: String { row?.columnNames[questions[next - 1].column] ?? "" }

  private func expression(_ steps: PathSteps) -> FetchExpression {
    let (path, problem) = steps.names
    if let problem {
      note(
        PersistenceError(
          .invalidPredicate, "a path of '\(Entity.self)' cannot be asked for: \(problem)"))
    }
    return .path(path)
  }

  private func note(_ new: @autoclosure () -> PersistenceError) {
    if error == nil { error = new() }
  }

  /// Notes a read, or answers it.
  private func ask(
    _ what: String, _ path: AnyKeyPath?, _ expression: () -> ColumnExpression
  ) -> FetchValue {
    guard let row else {
      let expression = expression()
      let column = expressions.firstIndex(of: expression) ?? expressions.count
      if column == expressions.count { expressions.append(expression) }
      questions.append(Question(what: what, path: path, column: column))
      return .null
    }
    defer { next += 1 }
    guard next < questions.count, questions[next].what == what,
      questions[next].path === path || questions[next].path == path
    else {
      note(
        PersistenceError(
          .invalidPredicate,
          "the closure of an aggregate asked for something (\(what)) that it had not asked for "
            + "when it was called first; ask for the same things each time, and decide afterwards"
        ))
      return .null
    }
    return row[questions[next].column]
  }
}
