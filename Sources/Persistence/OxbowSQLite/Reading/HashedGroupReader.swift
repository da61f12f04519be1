internal import CSQLite
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

/// Reads objects one by one and adds them up in groups: a fast path beside `GROUP BY`
/// (docs/performance.md, A), for the questions that ``GroupStatement`` can say.
///
/// A value that is not of its column's type, and groups that are nearly as many as the objects,
/// are left to the statement with `GROUP BY`: ``rows(_:_:)`` returns `nil`.
struct HashedGroupReader {
  private let plan: GroupStatement
  private let reader: ColumnReader
  private let keys: [(column: Int32, form: GroupStatement.Form)]
  private var table: GroupTable
  private var texts: [TextTable]

  /// The keys' values and the totals, group after group.
  private var values: [FetchValue] = []
  private var totals: ContiguousArray<GroupTotal> = []

  /// How many groups there may be before they have to be fewer than a quarter of the objects.
  private static let freeGroups = 1 << 16

  init(_ plan: GroupStatement, reader: ColumnReader) {
    self.plan = plan
    self.reader = reader
    keys = plan.keys.map { (Int32($0.cell.column), $0.form) }
    table = GroupTable(columns: keys.count)
    texts = Array(repeating: TextTable(), count: keys.count)
  }

  /// The values of each group in the order of the question's columns; `nil` for a statement that
  /// has to be run with `GROUP BY` after all.
  ///
  /// - Parameters:
  ///   - statement: The plan's statement with its parameters bound.
  ///   - types: What the columns of the question have.
  /// - Returns: A row for each group, in the order of their first objects.
  /// - Throws: ``PersistenceError`` for a sum without a result, or why reading failed.
  mutating func groups(
    _ statement: Statement, types: [AttributeType]
  ) throws -> [[FetchValue]]? {
    defer { for index in texts.indices { texts[index].removeAll() } }
    guard try readAll(statement) else { return nil }
    return try (0..<table.count).map { group in try values(of: group, types) }
  }

  private mutating func readAll(_ statement: Statement) throws -> Bool {
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: table.width) { key in
      var objects = 0
      while try statement.step() {
        guard readKey(statement.handle, key) else { return false }
        let known = table.count
        let group = table.number(of: key)
        if group == known {
          guard known < Self.freeGroups || known * 4 < objects else { return false }
          for key in plan.keys { values.append(try reader.value(of: key.cell, statement)) }
          totals.append(contentsOf: repeatElement(GroupTotal(), count: plan.totals.count))
        }
        guard add(statement.handle, to: group) else { return false }
        objects += 1
      }
      return true
    }
  }

  /// Reads the key of a row; `false` for a value of another type.
  @inline(__always)
  private mutating func readKey(
    _ handle: OpaquePointer, _ key: UnsafeMutableBufferPointer<UInt64>
  ) -> Bool {
    var missing: UInt64 = 0
    for index in 0..<keys.count {
      let (column, form) = keys[index]
      switch (sqlite3_column_type(handle, column), form) {
      case (SQLITE_NULL, _):
        missing |= 1 << UInt64(index)
        key[index] = 0
      case (SQLITE_INTEGER, .whole):
        key[index] = UInt64(bitPattern: sqlite3_column_int64(handle, column))
      case (SQLITE_FLOAT, .real):
        let number = sqlite3_column_double(handle, column)
        key[index] = number == 0 ? 0 : number.bitPattern
      case (SQLITE_TEXT, .text):
        key[index] = texts[index].number(of: Self.text(handle, column))
      default: return false
      }
    }
    key[keys.count] = missing
    return true
  }

  private static func text(
    _ handle: OpaquePointer, _ column: Int32
  ) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, column)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Adds a row to the totals of its group; `false` for a value of another type.
  @inline(__always)
  private mutating func add(_ handle: OpaquePointer, to group: Int) -> Bool {
    let count = plan.totals.count
    for index in 0..<count {
      let total = plan.totals[index]
      let isAdded = totals[group &* count &+ index].add(
        handle, Int32(truncatingIfNeeded: total.source), total.function)
      guard isAdded else { return false }
    }
    return true
  }

  private func values(of group: Int, _ types: [AttributeType]) throws -> [FetchValue] {
    var row = [FetchValue](repeating: .null, count: types.count)
    for (index, key) in plan.keys.enumerated() {
      row[key.column] = values[group * plan.keys.count + index]
    }
    for (index, total) in plan.totals.enumerated() {
      let state = totals[group * plan.totals.count + index]
      row[total.column] = try state.value(total.function, as: types[total.column])
    }
    return row
  }
}

/// One value of a group, while its objects are read.
struct GroupTotal {
  private var whole: Int128 = 0
  private var real = 0.0
  private var count: Int64 = 0
  private var decimals: DecimalSum?

  /// Adds the value of an object; `false` for one of another type.
  @inline(__always)
  mutating func add(
    _ handle: OpaquePointer, _ column: Int32, _ function: GroupStatement.Function
  ) -> Bool {
    if case .objects = function {
      count &+= 1
      return true
    }
    let type = sqlite3_column_type(handle, column)
    guard type != SQLITE_NULL else { return true }
    switch function {
    case .objects, .values: break
    case .wholeSum, .wholeAverage, .wholeMin, .wholeMax:
      guard type == SQLITE_INTEGER else { return false }
      add(sqlite3_column_int64(handle, column), function)
    case .realSum, .realAverage, .realMin, .realMax:
      guard type == SQLITE_FLOAT else { return false }
      add(sqlite3_column_double(handle, column), function)
    case .decimalSum, .decimalAverage:
      guard type == SQLITE_TEXT else { return false }
      let start = sqlite3_column_text(handle, column)
      let length = Int(sqlite3_column_bytes(handle, column))
      if decimals == nil { decimals = DecimalSum() }
      decimals?.add(UnsafeBufferPointer(start: start, count: length))
    }
    count &+= 1
    return true
  }

  @inline(__always)
  private mutating func add(_ number: Int64, _ function: GroupStatement.Function) {
    switch function {
    case .wholeMin: whole = count == 0 ? Int128(number) : min(whole, Int128(number))
    case .wholeMax: whole = count == 0 ? Int128(number) : max(whole, Int128(number))
    default: whole &+= Int128(number)
    }
  }

  @inline(__always)
  private mutating func add(_ number: Double, _ function: GroupStatement.Function) {
    switch function {
    case .realMin: real = count == 0 ? number : min(real, number)
    case .realMax: real = count == 0 ? number : max(real, number)
    default: real += number
    }
  }

  private var decimalSum: DecimalSum { decimals ?? DecimalSum() }

  /// The value of the group.
  func value(
    _ function: GroupStatement.Function, as type: AttributeType
  ) throws(PersistenceError) -> FetchValue {
    switch function {
    case .objects, .values: return .attribute(.integer(count))
    case .wholeSum:
      guard let sum = Int64(exactly: whole) else { throw .integerOverflow }
      return .attribute(.integer(sum))
    case .realSum: return Self.number(real, type)
    case .decimalSum: return try decimalSum.value(decimalSum.sum)
    default: break
    }
    guard count > 0 else { return .null }
    switch function {
    case .wholeMin, .wholeMax: return .attribute(.integer(Int64(truncatingIfNeeded: whole)))
    case .wholeAverage: return .attribute(.double(Double(whole) / Double(count)))
    case .realAverage: return Self.number(real / Double(count), type)
    case .decimalAverage: return try decimalSum.value(decimalSum.average)
    default: return Self.number(real, type)
    }
  }

  private static func number(_ number: Double, _ type: AttributeType) -> FetchValue {
    guard type == .date else { return FetchValue.attribute(.double(number)).stored(as: .double) }
    return .attribute(.date(Date(timeIntervalSinceReferenceDate: number)))
  }
}
