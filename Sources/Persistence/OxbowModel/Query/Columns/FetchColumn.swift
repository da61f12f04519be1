public import OxbowFoundation

/// One column of the rows that are fetched in place of objects.
///
/// A column is a value of each object, or one value of a group of objects. As text:
///
/// ```swift
/// "account.number"                 // an attribute, or one at the end of to-one relationships
/// "account"                        // the ID of the object that a to-one relationship leads to
/// "price * pages"                  // a value that is computed, in Core Data's format
/// "month(date)"                    // a part of a date, in UTC
/// "month(date, 'Europe/Berlin')"   // likewise, in a time zone
/// "count()"                        // the number of objects of a group
/// "sum(amount)", "avg(amount)", "min(amount)", "max(amount)"
/// "count(amount)"                  // the number of objects with a value
/// "count(distinct account)"        // the number of different values
/// "rank()"                         // how well an object meets the search for words
/// "snippet(body)"                  // the piece of a text that shows why it meets the search
/// "snippet(body, 8, '<', '>', '…')" // likewise: up to 8 words, the marks, and what was cut off
/// "sum(amount) as total"           // any of them, with a name
/// ```
///
/// A text that cannot be read is an error of the fetch. Without a name of its own, a column is
/// called as it is written.
public struct FetchColumn: Sendable, Hashable, ExpressibleByStringLiteral {
  private enum Content: Hashable {
    case text(String)
    case expression(ColumnExpression)
  }

  private let content: Content
  private let givenName: String?

  /// Creates a column from its text.
  public init(_ text: String) {
    content = .text(text)
    givenName = nil
  }

  /// Creates a column from its text.
  public init(stringLiteral text: String) { self.init(text) }

  package init(_ expression: ColumnExpression, as name: String? = nil) {
    content = .expression(expression)
    givenName = name
  }

  /// A value of each object.
  public static func value(_ expression: FetchExpression, as name: String? = nil) -> FetchColumn {
    FetchColumn(.value(expression), as: name)
  }

  /// One value of a group, from a value of each of its objects.
  public static func aggregate(
    _ function: GroupFunction, of expression: FetchExpression, as name: String? = nil
  ) -> FetchColumn { FetchColumn(.aggregate(function, expression), as: name) }

  /// The number of objects of a group.
  public static func count(as name: String? = nil) -> FetchColumn {
    FetchColumn(.count, as: name)
  }

  /// A part of a date.
  public static func part(
    _ part: DatePart, of expression: FetchExpression, in zone: TimeZone = .gmt,
    as name: String? = nil
  ) -> FetchColumn { FetchColumn(.part(part, expression, zone: zone.identifier), as: name) }

  /// How well an object meets the search for words of the condition: the smaller, the better.
  ///
  /// See ``RowOrder/rank``; the number is negative.
  public static func rank(as name: String? = nil) -> FetchColumn {
    FetchColumn(.rank, as: name)
  }

  /// How well an object meets the search for words of the condition: the smaller, the better.
  public static var rank: FetchColumn { rank() }

  /// The piece of the text at a path that shows best why an object meets the search for words of
  /// the condition; see ``WordQuery/snippet(of:_:)``.
  public static func snippet(
    _ path: String, _ style: SnippetStyle = SnippetStyle(), as name: String? = nil
  ) -> FetchColumn { FetchColumn(.snippet(.path(at: path), style), as: name) }

  /// The column, its text read.
  package func resolved() throws(PersistenceError) -> NamedColumn {
    switch content {
    case .text(let text): return try NamedColumn(text)
    case .expression(let expression):
      return NamedColumn(name: givenName ?? "\(expression)", expression: expression)
    }
  }
}

/// How the values of a group's objects become one.
///
/// Values that are missing are left out.
public enum GroupFunction: String, Sendable, Hashable, CaseIterable {
  /// The sum, exact for whole and for decimal numbers; 0 of no values.
  case sum
  /// The smallest value; none of no values.
  case min
  /// The largest value; none of no values.
  case max
  /// The sum divided by the number of values; none of no values.
  case average = "avg"
  /// The number of values.
  case count
  /// The number of different values.
  case countDistinct = "count distinct"
}

/// A part of a date, in the proleptic Gregorian calendar.
public enum DatePart: String, Sendable, Hashable, CaseIterable {
  /// The year; the year before 1 is 0.
  case year
  /// The month, 1 to 12.
  case month
  /// The day of the month, 1 to 31.
  case day
  /// The hour, 0 to 23.
  case hour
  /// The day of the week, 1 (Sunday) to 7 (Saturday), as `Calendar` counts.
  case weekday
}

package enum ColumnExpression: Sendable, Hashable {
  /// A value of an object.
  case value(FetchExpression)
  /// A part of a date, in the time zone of that identifier.
  case part(DatePart, FetchExpression, zone: String)
  /// The number of objects of a group.
  case count
  /// One value of a group.
  case aggregate(GroupFunction, FetchExpression)
  /// How well an object meets the search for words of the condition.
  case rank
  /// A piece of a text that shows why an object meets the search.
  case snippet(FetchExpression, SnippetStyle)

  package var isAggregate: Bool {
    switch self {
    case .value, .part, .rank, .snippet: false
    case .count, .aggregate: true
    }
  }

  /// What is asked of each object, or `nil` when only their number or their rank matters.
  package var source: FetchExpression? {
    switch self {
    case .value(let expression), .part(_, let expression, _), .aggregate(_, let expression),
      .snippet(let expression, _):
      expression
    case .count, .rank: nil
    }
  }
}

extension ColumnExpression {
  /// Whether no two of its values are compared with each other.
  package var takesAnyValue: Bool {
    switch self {
    case .value, .count, .aggregate(.count, _): true
    case .part, .aggregate, .rank, .snippet: false
    }
  }

  /// Whether it is about the search for words of the condition.
  package var needsSearch: Bool {
    switch self {
    case .rank, .snippet: true
    case .value, .part, .count, .aggregate: false
    }
  }
}

extension ColumnExpression: CustomStringConvertible {
  package var description: String {
    switch self {
    case .value(let expression): "\(expression)"
    case .part(let part, let expression, "GMT"): "\(part.rawValue)(\(expression))"
    case .part(let part, let expression, let zone): "\(part.rawValue)(\(expression), '\(zone)')"
    case .count: "count()"
    case .aggregate(.countDistinct, let expression): "count(distinct \(expression))"
    case .aggregate(let function, let expression): "\(function.rawValue)(\(expression))"
    case .rank: OrderingTerm.rank
    case .snippet(let text, SnippetStyle()): "snippet(\(text))"
    case .snippet(let text, let style):
      "snippet(\(text), \(style.words), \(style.before.quoted), \(style.after.quoted), "
        + "\(style.ellipsis.quoted))"
    }
  }
}

package struct NamedColumn: Sendable, Hashable {
  package let name: String
  package let expression: ColumnExpression

  package init(name: String, expression: ColumnExpression) {
    (self.name, self.expression) = (name, expression)
  }
}
