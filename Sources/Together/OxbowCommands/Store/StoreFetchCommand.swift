internal import ArgumentParser
internal import OxbowModel
internal import OxbowRuntime
internal import OxbowSQLite

struct StoreFetchCommand: ToolCommand {
  static let words = "store fetch"
  static let configuration = help(
    abstract: "Shows values of a store's objects, or of groups of them. Changes nothing.",
    discussion: """
      Conditions, columns and sort keys are written in Core Data's format, with paths through \
      to-one relationships. A function such as count(), sum(…), avg(…), min(…), max(…) or \
      count(distinct …) groups the rows by the other columns.

      \(ToolName.current) store fetch catalog.sqlite File "name BEGINSWITH 'M'" \\
        --columns name,size --sort "size desc, name" --limit 50
      \(ToolName.current) store fetch catalog.sqlite File --group-by name \\
        --columns "name, count() as files, sum(size)" --having "files > 1"

      The result is a table. Long values are cut, end in '…' and are counted; a missing value is \
      '–'. With --json each row is an object on a line of its own. With --csv (RFC 4180) a missing \
      value is an empty field, an empty text is "", bytes are base64, and a text that a \
      spreadsheet would take for a formula is written as it is. All rows are read before the first \
      is written.

      With --explain it shows how the store answers instead: the statement, what SQLite reads, by \
      which index, what it sorts, and how many rows it had to read without an index.

      Leaves no file beside the store. A store that Core Data wrote before 2015 needs --model.
      """)

  @Argument(help: "The store's file, or a store on a server (postgres://…).", completion: .file())
  var file: String
  @Argument(help: "The entity; objects of its subentities are included.")
  var entity: String
  @Argument(help: "The condition that the objects meet; by default, all objects.")
  var condition: String?
  @Option(
    name: .long,
    help: "The columns, separated by commas; by default, every attribute and to-one relationship.")
  var columns: String?
  @Option(name: .long, help: "The sort keys, separated by commas; 'desc' after one reverses it.")
  var sort: String?
  @Option(name: .customLong("group-by"), help: "The columns to group the rows by.")
  var groupBy: String?
  @Option(name: .long, help: "The condition that the groups meet; it may use columns.")
  var having: String?
  @Option(name: .long, help: "Show at most this many rows.")
  var limit: Int?
  @Option(name: .long, help: "Skip this many rows.")
  var offset = 0
  @Option(name: .long, help: "How many characters of a value a table shows; 0 for all.")
  var width = 60
  @Option(
    name: .long,
    help: "A model of the app that wrote the store: .xcdatamodeld, .momd, or a version.",
    completion: .file())
  var model: String?
  @Flag(name: .long, help: "Show how the store answers, instead of the rows.")
  var explain = false
  @Flag(name: .long, help: "Write the result as CSV.")
  var csv = false
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if csv, output.json { throw ValidationError("Give --csv or --json, not both.") }
    if csv, explain { throw ValidationError("Give --csv or --explain, not both.") }
    if model != nil, ServerStore(file) != nil {
      throw ValidationError("--model is for a store in a file; one on a server keeps its model.")
    }
    for (name, value) in [("limit", limit ?? 0), ("offset", offset), ("width", width)]
    where value < 0 {
      throw ValidationError("--\(name) wants a number of 0 or more, not \(value).")
    }
  }

  func result(_ console: Console) throws -> StoreFetchResult {
    let coordinator =
      try ServerStore(file)?.opened()
      ?? PersistentStoreCoordinator.reading(file, document: model)
    defer { coordinator.close() }
    let entity = try coordinator.model.requireEntity(named: entity)
    let (query, shown) = try query(entity)
    if explain, ServerStore(file) != nil {
      throw PersistenceError(
        .unsupported, "--explain puts SQLite's plans into words, and this store is on a server")
    }
    if explain, let store = coordinator.store as? SQLiteStore {
      _ = try store.check(query)
      let explanation = try ExplainedStatement(query, in: store)
      return StoreFetchResult(count: explanation.count, width: width, explanation: explanation)
    }
    let types = try coordinator.store.check(query).prefix(shown)
    let rows = ShownRows(
      names: query.columns.prefix(shown).map(\.name), types: Array(types),
      rows: try coordinator.store.rows(of: query))
    return try write(rows, console)
  }

  private func write(_ rows: ShownRows, _ console: Console) throws -> StoreFetchResult {
    var result = StoreFetchResult(count: rows.count, width: width)
    if output.json {
      result.isWhole = try rows.write(console) { rows.json($0) }
    } else if csv {
      result.isWhole =
        try console.write(data: rows.csvHead) && rows.write(console) { rows.csv($0) }
    } else {
      let (table, cut) = rows.table(cuttingAt: width)
      result.cut = cut
      result.isWhole = try console.write(lines: table.lines())
    }
    return result
  }
}

// MARK: - The question

extension StoreFetchCommand {
  /// The question, and how many of its columns are shown: the others are only sorted by.
  private func query(
    _ entity: CompiledEntity
  ) throws(PersistenceError) -> (query: ColumnQuery, shown: Int) {
    let groups = try groupBy.map(FetchColumn.list)
    let order = try sort.map(RowOrder.list) ?? []
    let shown =
      try columns.map(FetchColumn.list) ?? groups.map { $0 + [.count()] }
      ?? Self.columns(of: entity)
    var query = try ColumnQuery(
      entity: entity.index, columns: shown + hidden(order, shown), groupedBy: groups,
      having: having.map { (text) throws(PersistenceError) in try FetchPredicate(format: text) },
      sortedBy: order)
    query.predicate = try condition.map { (text) throws(PersistenceError) in
      try FetchPredicate(format: text)
    }
    (query.limit, query.offset) = (limit, offset)
    return (query, shown.count)
  }

  /// What rows of objects are sorted by and do not show.
  private func hidden(
    _ order: [RowOrder], _ shown: [FetchColumn]
  ) throws(PersistenceError) -> [FetchColumn] {
    var columns = try shown.map { (column) throws(PersistenceError) in try column.resolved() }
    guard groupBy == nil, !columns.contains(where: \.expression.isAggregate) else { return [] }
    for key in order where !columns.contains(where: { $0.name == key.column }) {
      let column = try FetchColumn(key.column).resolved()
      let isKnown = columns.contains { $0.expression == column.expression }
      if !isKnown, !column.expression.isAggregate { columns.append(column) }
    }
    return columns.dropFirst(shown.count).map { FetchColumn($0.expression, as: $0.name) }
  }

  /// The stored attributes and to-one links of an entity; the object where it has none.
  private static func columns(of entity: CompiledEntity) -> [FetchColumn] {
    let properties = entity.properties.filter { property in
      if let relationship = property.relationship { return !relationship.isToMany }
      return property.slot >= 0 && !property.isComposite
    }
    guard !properties.isEmpty else { return ["self"] }
    return properties.map { .value(.path([$0.name]), as: $0.name) }
  }
}

extension PersistentStoreCoordinator {
  /// Opens a store for reading, by the model that it keeps or one of the app that wrote it, and
  /// leaves nothing beside it unless it may.
  static func reading(
    _ file: String, document: String?, leavesNoTrace: Bool = true
  ) throws(PersistenceError) -> PersistentStoreCoordinator {
    let model = try CompiledModel(StoredModel.of(file, document: document))
    var options = SQLiteStoreOptions(isReadOnly: true, createsStore: false)
    options.leavesNoTrace = leavesNoTrace
    return try PersistentStoreCoordinator(model, at: .file(file), options: options)
  }
}

struct StoreFetchResult: ToolResult {
  let count: Int
  let width: Int

  /// How the store answers, where that is asked.
  var explanation: ExplainedStatement?

  /// How many values the table has cut.
  var cut = 0

  /// Whether the reader took all of it.
  var isWhole = true

  enum CodingKeys: CodingKey { case count, explanation }

  var lines: [String] { explanation?.lines ?? [] }
  var isWritten: Bool { explanation == nil }

  var hint: String? {
    guard isWhole, isWritten else { return nil }
    let rows = counted(count, "row")
    return cut == 0
      ? rows
      : "\(rows); \(counted(cut, "value")) cut after \(counted(width, "character")), which --width 0 "
        + "shows whole"
  }
}
