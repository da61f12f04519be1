public import OxbowModel
internal import OxbowRelational

/// The objects of a store during a step in Swift.
///
/// Rows come as ``MigrationRow``, by the names of the model that the store has when the step
/// begins. Nothing here is a managed object: no class, no validation of rules, no delete rules. It
/// may be used on the thread of the step and until the step returns.
public final class MigrationRows {
  let mapping: StoreMapping
  let editor: any RowEditing

  /// The last key that was given below each root: its object may be gone again.
  private var given: [Int: Int64] = [:]

  init(_ mapping: StoreMapping, _ editor: any RowEditing) {
    self.mapping = mapping
    self.editor = editor
  }

  /// The number of objects of an entity and of those below it.
  public func count(of entity: String) throws -> Int {
    Int(try editor.integer(reader(entity).statements.count) ?? 0)
  }

  /// Hands each object of an entity, and of those below it, to `body`, in the order of the keys,
  /// and writes what it changed.
  ///
  /// Each object comes as it is at that moment: what `body` wrote to objects that come later is
  /// seen when they come, and objects that it deleted do not come. Objects that are added meanwhile
  /// do not come either: the largest key of the start is the end.
  ///
  /// - Returns: The number of objects that `body` was called with.
  @discardableResult
  public func forEach(
    _ entity: String, _ body: (inout MigrationRow) throws -> Void
  ) throws -> Int {
    let reader = try reader(entity)
    let end = try largestKey(reader)
    var (last, count) = (Int64.min, 0)
    while true {
      let batch = try edit(reader, after: last, upTo: end, limit: 1000) { row in
        count += 1
        try body(&row)
      }
      guard batch.count == 1000 else { return count }
      last = batch.last
    }
  }

  /// The object of an entity with a key, or `nil`.
  public func object(_ entity: String, key: Int64) throws -> MigrationRow? {
    try object(reader(entity), key: key)
  }

  /// Writes what was changed of an object; ``forEach(_:_:)`` does it itself.
  ///
  /// Only the attributes that were given another value are written.
  ///
  /// - Throws: ``PersistenceError`` with code `rowGone` when the object was deleted.
  public func save(_ row: MigrationRow) throws {
    guard try write(row) else {
      throw PersistenceError(
        .rowGone,
        "the \(row.entity) with the key \(row.key) is not there any more, so its changes cannot be "
          + "saved; ask for the object again with 'object(_:key:)' before")
    }
  }

  /// Writes what was changed of an object; `false` when there is no such object.
  private func write(_ row: MigrationRow) throws -> Bool {
    guard !row.changes.isEmpty else { return true }
    // In one order, so that rows with the same changes share a statement.
    let changes = row.changes.sorted { $0.position < $1.position }
    let count = try editor.run(
      row.shape.update(changes.map(\.position)), changes.map(\.value) + [.integer(row.key)])
    return count > 0
  }

  /// Adds an object; attributes without a value have their default.
  ///
  /// ```swift
  /// let values = ["text": AttributeValue.string("rent")]
  /// let key = try rows.insert("Booking", values, links: ["account": account.key])
  /// ```
  ///
  /// - Parameters:
  ///   - entity: The name of the object's entity.
  ///   - values: The values of attributes.
  ///   - links: The keys of the objects that relationships lead to, as ``link(_:_:to:)`` links
  ///     them.
  /// - Returns: Its key.
  /// - Throws: ``PersistenceError``: `unknownEntity`, `unknownProperty`, `validation`, `rowGone`,
  ///   `invalidStoredValue` when no key is left.
  @discardableResult
  public func insert(
    _ entity: String, _ values: [String: AttributeValue] = [:], links: [String: Int64] = [:]
  ) throws -> Int64 {
    let form = try reader(entity).form(entity)
    guard !form.entity.isAbstract else {
      throw PersistenceError(.validation, "'\(entity)' is abstract and has no objects of its own")
    }
    let ends = try links.sorted { $0.key < $1.key }.map {
      (end: try RelationshipEnd($0.key, of: form.entity, mapping), name: $0.key, key: $0.value)
    }
    var cells = try form.cells(values)
    for (end, _, other) in ends {
      guard case .ownKey(let column) = end.place else { continue }
      let other = try linked(end.name, end.destination, to: other)
      for cell in try self.cells(of: column, to: other) { cells[cell.column] = cell.value }
    }
    try form.requireKeys(in: cells)
    let key = try nextKey(form.mapping)
    cells[form.mapping.keyColumn] = .integer(key)
    let columns = cells.keys.sorted()
    try editor.run(form.mapping.add(columns), columns.compactMap { cells[$0] })
    for (end, name, other) in ends {
      if case .ownKey(let column) = end.place {
        try tieInverse(of: column, (form.mapping, key), to: other)
      } else if let row = try object(entity, key: key) {
        try link(row, name, to: other)
      }
    }
    return key
  }

  /// Deletes an object.
  ///
  /// Links to it stay and fail the step: take them away before.
  public func delete(_ row: MigrationRow) throws {
    let changes = ChangeGenerator(mapping.dialect)
    try editor.run(
      changes.delete(row.shape.mapping, hasVersion: false), [.integer(row.key)])
  }

  /// Runs one statement of SQL, for what rows are too slow or too narrow for; the rules of scripts
  /// hold.
  ///
  /// ```swift
  /// try rows.run(sql: #"UPDATE "File" SET "kind" = ? WHERE "name" = ?"#, .string("text"), name)
  /// ```
  ///
  /// - Parameters:
  ///   - statement: The statement, with a "?" for each argument.
  ///   - arguments: The arguments, in order.
  /// - Returns: The number of rows that it changed.
  /// - Throws: ``PersistenceError``: `migrationRefused` for what the rules do not allow,
  ///   `migration` for what SQLite does not take, `validation` for an argument that no column can
  ///   have.
  @discardableResult
  public func run(sql statement: String, _ arguments: AttributeValue?...) throws -> Int {
    try editor.run(statement, arguments.map(cell))
  }

  /// The rows that a statement of SQL finds, for sums and the like; all of them are in memory.
  ///
  /// Values are as the store keeps them: whole and floating-point numbers, texts and data. A server
  /// has types for more, which come as texts: its `sum` of 64-bit numbers is one, and
  /// `sum("amount")::int8` is a number.
  ///
  /// ```swift
  /// let sums = try rows.select(
  ///   #"SELECT "account", sum("amount") FROM "Booking" GROUP BY 1"#)
  /// ```
  ///
  /// - Throws: ``PersistenceError`` as ``run(sql:_:)``.
  public func select(
    _ statement: String, _ arguments: AttributeValue?...
  ) throws -> [[AttributeValue?]] {
    try editor.rows(statement, arguments.map(cell)).map { $0.map(\.plainValue) }
  }

  private func cell(_ value: AttributeValue?) throws -> SQLValue {
    guard let value else { return .null }
    guard let cell = ColumnCodec(of: value).encode(value) else {
      throw PersistenceError(.validation, "\(value) is a value that no column can have")
    }
    return cell
  }
}

// MARK: - Reading

extension MigrationRows {
  func reader(_ name: String) throws(PersistenceError) -> RowsOfEntity {
    guard let entity = mapping.model.entity(named: name) else {
      throw .unknownEntity(name, among: mapping.model.entities.map(\.name))
    }
    return RowsOfEntity(entity, mapping)
  }

  func count(_ reader: RowsOfEntity, upTo key: Int64) throws -> Int {
    guard key > .min else { return 0 }
    return Int(try editor.integer(reader.statements.countUpTo, key) ?? 0)
  }

  /// The largest key of an entity's table; the smallest number when it has no rows.
  func largestKey(_ reader: RowsOfEntity) throws -> Int64 {
    try editor.integer(reader.statements.largestKey) ?? .min
  }

  /// Hands rows between two keys to `body` and writes what it changed; returns the last key, and
  /// how many rows there were.
  ///
  /// Once something else than the row at hand was written, each of the rows that are left is asked
  /// for again.
  func edit(
    _ reader: RowsOfEntity, after key: Int64, upTo end: Int64, limit: Int,
    _ body: (inout MigrationRow) throws -> Void
  ) throws -> (count: Int, last: Int64) {
    let batch = try editor.rows(
      reader.statements.next, [.integer(key), .integer(end), .integer(Int64(limit))])
    var (last, isStale) = (key, false)
    for cells in batch {
      guard let read = reader.row(cells) else { continue }
      last = read.key
      guard var row = isStale ? try object(reader, key: read.key) : read else { continue }
      let changes = editor.changes
      try body(&row)
      // An object that `body` itself deleted is not written.
      let isWritten = try write(row) && !row.changes.isEmpty
      isStale = isStale || editor.changes != changes + (isWritten ? 1 : 0)
    }
    return (batch.count, last)
  }

  private func object(_ reader: RowsOfEntity, key: Int64) throws -> MigrationRow? {
    try editor.rows(reader.statements.one, [.integer(key)]).first.flatMap(reader.row)
  }

  /// A key that no object had: behind all that are there and all that were handed out.
  private func nextKey(_ mapping: EntityMapping) throws -> Int64 {
    let root = self.mapping.entities[mapping.root]
    let keys = try editor.rows(
      MetadataTables.readKeys(table: root.table, keyColumn: root.keyColumn),
      [.integer(root.number)])
    let last = (keys.first ?? []).reduce(given[mapping.root] ?? 0) { largest, value in
      if case .integer(let key) = value { max(largest, key) } else { largest }
    }
    guard last < ClosedRange.objectKeys.upperBound else {
      throw PersistenceError(
        .invalidStoredValue,
        "no key is left for a new object of '\(self.mapping.model.entities[mapping.root].name)': "
          + "'\(root.keyColumn)' of a row of the table '\(root.table)', or 'last' of it in "
          + "'\(MetadataTables.keys.name)', is \(last); another program took the last key: give that "
          + "row a smaller one, and set 'last' to the largest key in use")
    }
    given[mapping.root] = last + 1
    return last + 1
  }
}

/// The objects of an entity and of those below it, and how their rows are read.
struct RowsOfEntity {
  let statements: EntityRows
  private let forms: [Int64: RowForm]

  init(_ entity: CompiledEntity, _ mapping: StoreMapping) {
    statements = EntityRows(entity, mapping)
    // The key and the number of the entity come first.
    let positions = Dictionary(
      zip(statements.columns, 2...).map { ($0, $1) }
    ) { first, _ in first }
    forms = Dictionary(
      entity.subtree.map { index in
        let own = mapping.entities[index]
        return (own.number, RowForm(mapping.model.entities[index], own, positions))
      }
    ) { first, _ in first }
  }

  func form(_ entity: String) throws(PersistenceError) -> RowForm {
    guard let form = forms.values.first(where: { $0.entity.name == entity }) else {
      throw .unknownEntity(entity, among: forms.values.map(\.entity.name))
    }
    return form
  }

  func row(_ cells: [SQLValue]) -> MigrationRow? {
    guard case .integer(let key) = cells[0], case .integer(let number) = cells[1],
      let form = forms[number]
    else { return nil }
    return MigrationRow(form, key: key, cells)
  }
}

extension SQLValue {
  /// The value as it is, whatever attribute it may be of.
  fileprivate var plainValue: AttributeValue? {
    switch self {
    case .null: nil
    case .integer: ColumnCodec.integer64.decode(self)
    case .real: ColumnCodec.double.decode(self)
    case .text: ColumnCodec.text.decode(self)
    case .blob: ColumnCodec.blob.decode(self)
    }
  }
}
