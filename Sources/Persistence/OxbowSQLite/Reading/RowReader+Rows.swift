internal import CSQLite
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension RowReader {
  /// Reads all rows of a statement, whose parameters are bound.
  ///
  /// `expected` is a guess at their number. Of rows that are known, the header is enough.
  func rows(
    _ statement: Statement, of connection: Connection, expecting expected: Int = 64,
    unless known: RowFilter? = nil
  ) throws -> [RowSlab] {
    let handle = statement.handle
    var slabs: [RowSlab] = []
    var writer = SlabWriter(
      stride: layout.stride, expecting: expected, mapsFiles: connection.configuration.mapsFiles)
    while true {
      let code = sqlite3_step(handle)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw connection.error(code, statement: statement) }
        break
      }
      if writer.isFull { begin(&writer, behind: &slabs) }
      try readRow(handle, &writer, unless: known)
    }
    if writer.count > 0 { slabs.append(writer.finish(self, layout)) }
    connection.countRows(of: slabs)
    return slabs
  }

  /// Reads the headers of all rows of a statement if all rows are known; stops at the first that is
  /// not, and returns `nil`.
  func headers(
    _ statement: Statement, of connection: Connection, ifAll known: RowFilter
  ) throws -> [RowSlab]? {
    let handle = statement.handle
    var slabs: [RowSlab] = []
    var writer = SlabWriter(stride: layout.stride, expecting: RowSlab.usualCapacity)
    while true {
      let code = sqlite3_step(handle)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw connection.error(code, statement: statement) }
        break
      }
      let key = sqlite3_column_int64(handle, 0)
      let version = sqlite3_column_int64(handle, 1)
      let entity = try entity(handle, 2, key)
      guard known.contains(entity, key, version) else {
        connection.countRows(of: slabs)
        connection.countRows(writer.count + 1)
        return nil
      }
      if writer.isFull { begin(&writer, behind: &slabs) }
      RowSlab.Layout.writeHeader(
        of: writer.nextRow(), key: key, version: version, entity: Int32(truncatingIfNeeded: entity),
        slots: RowSlab.Layout.noSlots)
      writer.commitRow()
    }
    if writer.count > 0 { slabs.append(writer.finish(self, layout)) }
    connection.countRows(of: slabs)
    return slabs
  }

  /// Reads the keys and types of rows.
  func references(
    _ statement: Statement, of connection: Connection, expecting expected: Int
  ) throws -> [RowSlab] {
    let handle = statement.handle
    var slabs: [RowSlab] = []
    var writer = SlabWriter(stride: RowSlab.Layout.reference.stride, expecting: expected)
    while true {
      let code = sqlite3_step(handle)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw connection.error(code, statement: statement) }
        break
      }
      let key = sqlite3_column_int64(handle, 0)
      write(key, try entity(handle, 1, key), &writer, &slabs)
    }
    if writer.count > 0 { slabs.append(writer.finish(self, .reference)) }
    connection.countRows(of: slabs)
    return slabs
  }

  /// Reads the keys of one entity's rows, which come in any order, and puts them in order.
  func references(unordered statement: Statement, of connection: Connection) throws -> [RowSlab] {
    let handle = statement.handle
    var keys: [Int64] = []
    var code = sqlite3_step(handle)
    while code == SQLITE_ROW {
      keys.append(sqlite3_column_int64(handle, 0))
      code = sqlite3_step(handle)
    }
    guard code == SQLITE_DONE else { throw connection.error(code, statement: statement) }
    return references(keys.inOrder, of: connection)
  }

  /// References to one entity's rows, by their keys.
  private func references(_ keys: [Int64], of connection: Connection) -> [RowSlab] {
    var slabs: [RowSlab] = []
    var writer = SlabWriter(stride: RowSlab.Layout.reference.stride, expecting: keys.count)
    for key in keys { write(key, shape.mapping.entity, &writer, &slabs) }
    if writer.count > 0 { slabs.append(writer.finish(self, .reference)) }
    connection.countRows(of: slabs)
    return slabs
  }

  /// Writes a row that has its key and its entity only.
  @inline(__always)
  private func write(
    _ key: Int64, _ entity: Int, _ writer: inout SlabWriter, _ slabs: inout [RowSlab]
  ) {
    if writer.isFull { begin(&writer, behind: &slabs, .reference) }
    RowSlab.Layout.writeReference(
      to: writer.nextRow(), key: key, entity: Int32(truncatingIfNeeded: entity),
      slots: slotStarts[entity])
    writer.commitRow()
  }

  /// Reads rows that come with the key of an owner, sorted by it, each row once.
  ///
  /// `owner` is the number of the column of that key; `isUnique` says that no row has two owners.
  func related(
    _ statement: Statement, of connection: Connection, owner: Int, isUnique: Bool,
    into result: inout RelatedRows
  ) throws {
    let handle = statement.handle
    let ownerColumn = Int32(owner)
    var seen: [Int64: RelatedRows.Position] = [:]
    var run = OwnerRun()
    var writer = SlabWriter(
      stride: layout.stride, expecting: 64, mapsFiles: connection.configuration.mapsFiles)
    while true {
      let code = sqlite3_step(handle)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw connection.error(code, statement: statement) }
        break
      }
      let key = sqlite3_column_int64(handle, 0)
      let owner = sqlite3_column_int64(handle, ownerColumn)
      if owner != run.owner || run.members.isEmpty { run.begin(owner, &result) }
      if !isUnique, let position = seen[key] {
        run.members.append(position)
        continue
      }
      if writer.isFull { begin(&writer, behind: &result.slabs) }
      let position = RelatedRows.Position(slab: result.slabs.count, row: writer.count)
      try readRow(handle, &writer)
      if !isUnique { seen[key] = position }
      run.members.append(position)
    }
    run.begin(0, &result)
    if writer.count > 0 { result.slabs.append(writer.finish(self, layout)) }
    connection.countRows(of: result.slabs)
  }

  /// Begins another slab behind a full one.
  private func begin(
    _ writer: inout SlabWriter, behind slabs: inout [RowSlab], _ layout: RowSlab.Layout? = nil
  ) {
    let next = writer.successor()
    slabs.append(writer.finish(self, layout ?? self.layout))
    writer = next
  }

  /// Writes the header and the words of the row that the statement is at.
  @inline(__always)
  private func readRow(
    _ handle: OpaquePointer, _ writer: inout SlabWriter, unless known: RowFilter? = nil
  ) throws {
    let key = sqlite3_column_int64(handle, 0)
    let version = sqlite3_column_int64(handle, 1)
    let entity = try entity(handle, 2, key)
    let row = writer.nextRow()
    let isHeader = known?.contains(entity, key, version) == true
    RowSlab.Layout.writeHeader(
      of: row, key: key, version: version, entity: Int32(truncatingIfNeeded: entity),
      slots: isHeader ? RowSlab.Layout.noSlots : slotStarts[entity])
    guard !isHeader else { return writer.commitRow() }
    RowSlab.Layout.writeNullBits(nullWords[entity], of: row)
    let part = parts[entity]
    let unfit = operations.withUnsafeBufferPointer { all in
      Self.fill(
        row, from: handle, UnsafeBufferPointer(rebasing: all[part]), numbers, &writer)
    }
    if unfit >= 0 { try resume(row, handle, behind: part.lowerBound + unfit, part, key, &writer) }
    writer.commitRow()
  }

  /// Fills the rest of a row behind a value that does not fit.
  ///
  /// A file of Core Data that cannot be read, and its NaN, are errors of that value only.
  @inline(never)
  private func resume(
    _ row: UnsafeMutableRawPointer, _ handle: OpaquePointer, behind place: Int, _ part: Range<Int>,
    _ key: Int64, _ writer: inout SlabWriter
  ) throws(PersistenceError) {
    var place = place
    while place < part.upperBound {
      let operation = operations[place]
      guard let error = failure(operation, handle, key) else {
        throw unfit(operation, handle, key)
      }
      row.storeBytes(
        of: writer.refer(to: .failure(error)), toByteOffset: operation.offset, as: Int64.self)
      let rest = place + 1..<part.upperBound
      let next = operations.withUnsafeBufferPointer { all in
        Self.fill(row, from: handle, UnsafeBufferPointer(rebasing: all[rest]), numbers, &writer)
      }
      guard next >= 0 else { return }
      place = rest.lowerBound + next
    }
  }

  /// The entity of the row that the statement is at; `column` has its number where there are
  /// several.
  @inline(__always)
  private func entity(
    _ handle: OpaquePointer, _ column: Int32, _ key: Int64
  ) throws(PersistenceError) -> Int {
    guard shape.mapping.typeColumn != nil else { return shape.mapping.entity }
    let number = sqlite3_column_int64(handle, column)
    guard let entity = numbers[number], isWanted[entity] else { throw unknownType(number, key) }
    return entity
  }
}

extension Connection {
  /// Counts rows that a statement has given.
  fileprivate func countRows(of slabs: [RowSlab]) {
    countRows(slabs.reduce(0) { $0 + $1.count })
  }
}

/// The rows of one owner, while they come.
private struct OwnerRun {
  private(set) var owner: Int64 = 0
  var members: [RelatedRows.Position] = []

  /// Gives the rows of the owner before to the result.
  mutating func begin(_ next: Int64, _ result: inout RelatedRows) {
    if !members.isEmpty { result.members[owner] = members }
    owner = next
    members = []
  }
}
