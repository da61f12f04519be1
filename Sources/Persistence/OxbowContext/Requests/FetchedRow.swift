public import OxbowModel
public import OxbowStore

/// One row of values.
public struct FetchedRow: Sendable {
  private let rows: FetchedRows
  private let index: Int

  fileprivate init(_ rows: FetchedRows, _ index: Int) {
    self.rows = rows
    self.index = index
  }

  /// The names of the columns, in their order.
  public var columnNames: [String] { rows.names }

  /// The value of a column, `.null` for none; `nil` if there is no such column.
  public subscript(name: String) -> FetchValue? {
    rows.columns[name].map { rows.value($0, ofRow: index) }
  }

  /// The value of a column by its number, counted from 0.
  ///
  /// - Precondition: There is such a column.
  public subscript(column: Int) -> FetchValue { rows.value(column, ofRow: index) }

  /// The value of a column, `nil` for none.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty` with near names if there is no such column,
  ///   `classMismatch` if the value is of another type.
  public func value<Value: AttributeConvertible>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(PersistenceError) -> Value? {
    switch try known(name) {
    case .null: return nil
    case .attribute(let value):
      if let value = Value(attributeValue: value) { return value }
      throw mismatch(name, "\(value)", "'\(Value.self)'")
    case .object(let id): throw mismatch(name, "the object '\(id)'", "'\(Value.self)'")
    }
  }

  /// The object of a column, `nil` for none.
  ///
  /// - Throws: ``PersistenceError`` as ``value(_:as:)``.
  public func objectID(_ name: String) throws(PersistenceError) -> ManagedObjectID? {
    switch try known(name) {
    case .null: return nil
    case .object(let id): return id
    case .attribute(let value): throw mismatch(name, "\(value)", "the ID of an object")
    }
  }

  /// The row as a dictionary, without columns that have no value, as in Core Data.
  public var dictionary: [String: FetchValue] {
    var result: [String: FetchValue] = [:]
    for (column, name) in rows.names.enumerated() where self[column] != .null {
      result[name] = self[column]
    }
    return result
  }

  private func known(_ name: String) throws(PersistenceError) -> FetchValue {
    if let value = self[name] { return value }
    throw PersistenceError(
      .unknownProperty,
      "the row has no column '\(name)'; it has \(PersistenceError.listed(rows.names))",
      nearNames: PersistenceError.nearNames(to: name, among: rows.names))
  }

  private func mismatch(_ name: String, _ seen: String, _ wanted: String) -> PersistenceError {
    PersistenceError(
      .classMismatch, "the column '\(name)' has \(seen), which cannot be read as \(wanted)")
  }
}

extension FetchedRow: Hashable {
  /// Whether both rows have the same values under the same names.
  public static func == (a: FetchedRow, b: FetchedRow) -> Bool {
    a.columnNames == b.columnNames && a.values.elementsEqual(b.values)
  }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) { for value in values { hasher.combine(value) } }

  private var values: some Sequence<FetchValue> { rows.names.indices.lazy.map { self[$0] } }
}

extension FetchedRow: CustomStringConvertible {
  /// Names and values.
  public var description: String {
    let parts = rows.names.enumerated().map { column, name in
      switch self[column] {
      case .null: "\(name): nil"
      case .attribute(let value): "\(name): \(value)"
      case .object(let id): "\(name): \(id)"
      }
    }
    return "[" + parts.joined(separator: ", ") + "]"
  }
}

/// The rows of one result.
final class FetchedRows: Sendable {
  let names: [String]
  let columns: [String: Int]
  private let found: ColumnRows

  init(_ names: [String], _ found: ColumnRows) {
    self.names = names
    self.found = found
    columns = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var count: Int { found.count }

  var all: [FetchedRow] { (0..<count).map { FetchedRow(self, $0) } }

  func value(_ column: Int, ofRow row: Int) -> FetchValue {
    precondition(
      names.indices.contains(column),
      "the row has no column \(column); it has \(names.count), counted from 0")
    return found.values[row * found.width + column]
  }
}
