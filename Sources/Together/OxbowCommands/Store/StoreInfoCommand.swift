internal import ArgumentParser
internal import OxbowModel
internal import OxbowRelational
internal import OxbowSQLite

struct StoreInfoCommand: ToolCommand {
  static let words = "store info"
  static let configuration = help(
    abstract: "Describes a store: model, entities, rows, layout, journal, SQLite. Writes nothing.",
    discussion: """
      A store of Core Data is described too, without a trace beside it. The version hashes that \
      it has are compared with those of the model that it keeps; with --model, which version of a \
      model it was written for is found, exit code 73 if there is not one.
      """)

  @Argument(help: "The store's file, or a store on a server (postgres://…).", completion: .file())
  var file: String
  @Option(
    name: .long,
    help: "A model of the app that wrote a store of Core Data: .xcdatamodeld, .momd, or a version.",
    completion: .file())
  var model: String?
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreInfo {
    if let server = ServerStore(file) {
      guard model == nil else { throw PersistenceError.modelOfOtherStore(server.shown) }
      return .server(try ServerInfoResult(server))
    }
    if let store = try CoreDataInspection.at(file) {
      return .coreData(try CoreDataInfoResult(store, path: file, model: model))
    }
    guard model == nil else { throw PersistenceError.modelOfOtherStore(file) }
    return .plain(StoreInfoResult(try StoreInspection(path: file), path: file))
  }
}

extension PersistenceError {
  static func modelOfOtherStore(_ file: String) -> PersistenceError {
    PersistenceError(
      .unsupported, "--model is for a store of Core Data, and '\(file)' is another one")
  }
}

/// What is said of a store, by what wrote it.
enum StoreInfo: ToolResult {
  case plain(StoreInfoResult)
  case coreData(CoreDataInfoResult)
  case server(ServerInfoResult)

  var lines: [String] {
    switch self {
    case .plain(let result): result.lines
    case .coreData(let result): result.lines
    case .server(let result): result.lines
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .plain(let result): try result.encode(to: encoder)
    case .coreData(let result): try result.encode(to: encoder)
    case .server(let result): try result.encode(to: encoder)
    }
  }
}

struct StoreInfoResult: ToolResult {
  struct Entity: Encodable {
    let name: String
    let number: Int64
    let hash: String
    let rows: Int?
  }

  struct TableRows: Encodable {
    let name: String
    let rows: Int
  }

  struct Files: Encodable {
    let count: Int
    let bytes: Int
  }

  struct Library: Encodable {
    let version: String
    let sourceID: String
    let hasWALResetBug: Bool
    let verdict: String
  }

  let path: String
  let identifier: String
  let layout: String
  let layoutVersion: Int
  let model: String
  let keepsModel: Bool
  let entities: [Entity]
  let tables: [TableRows]
  let journalMode: String
  let bytes: Int
  let logBytes: Int
  let files: Files?
  let schemaVersion: Int
  let sqlite: Library
  let openIn: [String]
  let history: [HistoryEntry]

  init(_ store: StoreInspection, path: String) {
    self.path = path
    identifier = store.state.identifier
    layout = store.state.layout
    layoutVersion = store.state.layoutVersion
    model = store.state.modelHash
    keepsModel = store.state.model != nil
    entities = store.state.entities.map {
      Entity(name: $0.name, number: $0.number, hash: $0.hash, rows: store.entityRows?[$0.name])
    }
    tables = store.tables.map { TableRows(name: $0.name, rows: $0.rows) }
    journalMode = store.journalMode
    bytes = store.pageSize * store.pageCount
    logBytes = store.logBytes
    files =
      store.files.count == 0 ? nil : Files(count: store.files.count, bytes: store.files.bytes)
    schemaVersion = store.schemaVersion
    sqlite = Library(
      version: "\(store.library)", sourceID: store.library.sourceID,
      hasWALResetBug: store.library.hasWALResetBug, verdict: store.library.verdict)
    openIn = store.holders.map(\.description)
    history = store.state.history
  }

  var lines: [String] {
    var facts = Table()
    facts.add("store", path)
    facts.add("identifier", identifier)
    facts.add("model", model)
    facts.add("layout", "\(layout) \(layoutVersion)")
    facts.add("journal", journalMode)
    facts.add("size", "\(bytes) bytes" + (logBytes > 0 ? ", log \(logBytes) bytes" : ""))
    if let files {
      facts.add("large values", "\(counted(files.count, "file")), \(files.bytes) bytes")
    }
    facts.add("sqlite", sqlite.verdict)
    facts.add("open in", openIn.isEmpty ? "no other process" : openIn.joined(separator: ", "))
    facts.add("history", history.map { "\($0.id) \($0.name): \($0.event) \($0.finished)" })
    var rows = Table()
    for entity in entities {
      rows.add(entity.name, entity.rows.map { counted($0, "object") } ?? "")
    }
    var tableRows = Table()
    for table in tables { tableRows.add(table.name, counted(table.rows, "row")) }
    return facts.lines() + ["entities"] + rows.lines(indentation: 2) + ["tables"]
      + tableRows.lines(indentation: 2)
  }
}
