internal import OxbowFoundation
package import OxbowStore

/// Makes elements of the rows of a history that come after a place, in the order of their numbers.
package struct HistoryReading {
  private let place: HistoryPlace
  private let last: Int64
  private let limits: HistoryBatchLimits
  private let decoder: HistoryDecoder
  private var elements: [HistoryElement] = []
  private var saves: [HistoryTransaction] = []
  private var position: Int64
  private var byteCount = 0

  /// Begins at a place; `last` is the number of the last save, whether it has a row or not.
  package init(
    after place: HistoryPlace, through last: Int64, _ limits: HistoryBatchLimits,
    _ decoder: HistoryDecoder
  ) {
    (self.place, self.last, self.limits, self.decoder) = (place, last, limits, decoder)
    position = place.number
  }

  /// Whether as many bytes as are wanted at once were not read yet.
  package var hasRoom: Bool { byteCount < limits.bytes }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - row: The columns of the row, in their order.
  ///   - laterParts: Reads the parts behind the first of a save, by its number.
  /// - Returns: Whether another may follow: what is missing, and a migration, end a batch.
  /// - Throws: ``PersistenceError``: `invalidStoredValue` for a row that is damaged; what
  ///   `laterParts` throws.
  package mutating func add(
    _ row: [SQLValue], laterParts: (Int64) throws -> [[UInt8]]
  ) throws -> Bool {
    guard let number = row[0].integerValue else { throw decoder.damaged(0, "it has no number") }
    guard number == position + 1 else {
      // What came before the gap is handed out first.
      if saves.isEmpty { miss(through: number - 1) }
      return false
    }
    let kind = HistoryRecord.kind(of: row[5].integerValue ?? 0)
    if kind == .migration, !saves.isEmpty { return false }
    var row = row
    let objects = row[6...8].reduce(0.0) { $0 + Double($1.integerValue ?? 0) }
    let isLarge = objects > Double(limits.objects)
    if isLarge { row[9] = .null }
    let parts: (saves: [HistoryTransaction], byteCount: Int)
    do { parts = try decoder.save(row, at: place, parts: isLarge ? [] : laterParts(number)) } catch
    {
      // What came before the damage is handed out first.
      guard saves.isEmpty else { return false }
      throw error
    }
    byteCount += 64 + parts.byteCount
    position = number
    guard kind != .migration else {
      if let migration = parts.saves.first { elements.append(.migrated(migration)) }
      return false
    }
    saves += parts.saves
    return true
  }

  /// What was read; that saves are missing where no row came.
  package mutating func finish() -> [HistoryElement] {
    if elements.isEmpty, saves.isEmpty, position < last { miss(through: last) }
    if !saves.isEmpty { elements.append(.saves(saves)) }
    saves = []
    return elements
  }

  private mutating func miss(through last: Int64) {
    let end = place.at(last)
    elements.append(
      .missed(HistoryGap(first: position + 1, last: end, token: HistoryToken([end]))))
    position = last
  }
}

extension HistoryConsumerState {
  /// Reads a row of consumers; `last` is the place after the last save.
  package init?(row: [SQLValue], last: HistoryPlace) {
    guard let name = row[0].textValue, let number = row[1].integerValue else { return nil }
    let (lag, overflows) = last.number.subtractingReportingOverflow(number)
    func date(_ value: SQLValue) -> Date {
      Date(timeIntervalSince1970: Double(value.integerValue ?? 0) / 1000)
    }
    self.init(
      name: name, token: HistoryToken([last.at(number)]), since: date(row[2]), seen: date(row[3]),
      lag: overflows ? .max : Int(clamping: lag))
  }
}
