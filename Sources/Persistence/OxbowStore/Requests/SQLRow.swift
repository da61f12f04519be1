internal import OxbowFoundation
public import OxbowModel

/// One row of the result of a statement in SQL.
///
/// A value is as in the store: an integer, a floating-point number, text, bytes, or none. Read it
/// with its Swift type, in which an attribute of that type is kept:
///
/// ```swift
/// for row in try context.fetchRows(sql: "SELECT title, pages FROM \(Book.self)") {
///   print(try row.value("title", as: String.self), try row.value(at: 1, as: Int.self))
/// }
/// ```
public struct SQLRow: Sendable {
  private let columns: Columns

  /// The values in the order of the columns.
  public let values: [AttributeValue?]

  /// The names of a statement's columns.
  package final class Columns: Sendable {
    let names: [String]
    private let places: [String: Int]

    /// Creates the columns of a statement; if two have the same name, it means the first.
    package init(_ names: [String]) {
      self.names = names
      places = Dictionary(
        names.enumerated().map { ($1.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }

    package var count: Int { names.count }

    func place(of name: String) -> Int? { places[name.lowercased()] }
  }

  package init(_ columns: Columns, _ values: [AttributeValue?]) {
    self.columns = columns
    self.values = values
  }

  /// The names of the columns.
  public var columnNames: [String] { columns.names }

  /// The value of a column by its name, whose case does not count; also `nil` if there is no such
  /// column.
  public subscript(_ column: String) -> AttributeValue? {
    columns.place(of: column).flatMap { values[$0] }
  }

  /// Returns the value of a column as a Swift type.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty` for a column that the statement does not
  ///   give, `invalidStoredValue` for no value or one of another type.
  public func value<T: AttributeConvertible>(
    _ column: String, as type: T.Type = T.self
  ) throws(PersistenceError) -> T { try value(at: try place(of: column), as: type) }

  /// Returns the value of a column as a Swift type, or `nil` when there is none.
  ///
  /// - Throws: ``PersistenceError`` as ``value(_:as:)``, apart from no value.
  public func valueIfPresent<T: AttributeConvertible>(
    _ column: String, as type: T.Type = T.self
  ) throws(PersistenceError) -> T? { try valueIfPresent(at: try place(of: column), as: type) }

  /// Returns the value of a column, counted from 0, as a Swift type.
  ///
  /// - Throws: ``PersistenceError`` as ``value(_:as:)``.
  public func value<T: AttributeConvertible>(
    at index: Int, as type: T.Type = T.self
  ) throws(PersistenceError) -> T {
    if let value = try valueIfPresent(at: index, as: type) { return value }
    throw PersistenceError(
      .invalidStoredValue,
      "the column '\(columns.names[index])' has no value in this row; ask for it with "
        + "`valueIfPresent`")
  }

  /// Returns the value of a column, counted from 0, as a Swift type, or `nil` when there is none.
  ///
  /// - Throws: ``PersistenceError`` as ``value(_:as:)``, apart from no value.
  public func valueIfPresent<T: AttributeConvertible>(
    at index: Int, as type: T.Type = T.self
  ) throws(PersistenceError) -> T? {
    guard values.indices.contains(index) else {
      throw PersistenceError(
        .unknownProperty,
        "the row has no column \(index); it has \(values.count), counted from 0")
    }
    guard let stored = values[index] else { return nil }
    if let value = stored.read(as: T.attributeType).flatMap({ T(attributeValue: $0) }) {
      return value
    }
    throw PersistenceError(
      .invalidStoredValue,
      "the column '\(columns.names[index])' has \(stored.storageClass), which is not of type '\(T.self)': "
        + "a store keeps one as \(T.attributeType.storageClass)")
  }

  private func place(of column: String) throws(PersistenceError) -> Int {
    if let place = columns.place(of: column) { return place }
    throw PersistenceError(
      .unknownProperty,
      "the statement gives no column '\(column)'; it gives "
        + PersistenceError.listed(columns.names),
      nearNames: PersistenceError.nearNames(to: column, among: columns.names))
  }
}

/// Rows by keys, with the keys in an order of their own.
package struct KeyedRows: Sendable {
  package var slabs: [RowSlab]
  package var keys: [Int64]

  package init(slabs: [RowSlab], keys: [Int64]) {
    self.slabs = slabs
    self.keys = keys
  }
}

extension AttributeValue {
  /// The column's value for an attribute of a type, or `nil` if it does not fit.
  fileprivate func read(as type: AttributeType) -> AttributeValue? {
    switch (type, self) {
    case (.boolean, .integer(let number)) where number & ~1 == 0: .boolean(number == 1)
    case (.double, .integer(let number)), (.float, .integer(let number)):
      Double(exactly: number).map { .double($0) }
    case (.date, .double(let seconds)) where seconds.isFinite:
      .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (.decimal, .integer(let number)): .decimal(Decimal(number))
    case (.double, .decimal(let number)), (.float, .decimal(let number)):
      Double("\(number)").map { .double($0) }
    case (.decimal, .string(let text)): Decimal(string: text).map { .decimal($0) }
    case (.uri, .string(let text)): URL(string: text).map { .url($0) }
    case (.uuid, .data(let data)) where data.count == 16:
      .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    default: fits(type) ? self : nil
    }
  }

  fileprivate var storageClass: String {
    switch self {
    case .integer(let number): "the INTEGER \(number)"
    case .double(let number): "the REAL \(number)"
    case .data(let data): "a BLOB of \(data.count) bytes"
    case .decimal(let number): "the NUMERIC \(number)"
    // The text itself is user data.
    default: "TEXT"
    }
  }
}

extension AttributeType {
  fileprivate var storageClass: String {
    switch self {
    case .integer16: "an INTEGER of 16 bits"
    case .integer32: "an INTEGER of 32 bits"
    case .boolean: "the INTEGER 0 or 1"
    case .decimal: "TEXT or INTEGER"
    case .date: "REAL, the seconds since 2001"
    case .uuid: "a BLOB of 16 bytes"
    default:
      switch storage {
      case .integer: "INTEGER"
      case .real: "REAL"
      case .bytes: "BLOB"
      case .text, nil: "TEXT"
      }
    }
  }
}
