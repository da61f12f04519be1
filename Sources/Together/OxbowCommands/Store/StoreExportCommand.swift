internal import ArgumentParser
internal import OxbowModel
internal import OxbowRuntime
internal import OxbowSQLite

struct StoreExportCommand: ToolCommand {
  static let words = "store export"
  static let configuration = help(
    abstract: "Writes a store's objects as lines of JSON. Changes nothing.",
    discussion: """
      Each line is one object: its entity, its URI as Core Data writes it, its values, and how \
      often it was saved. Lines are sorted by the names of entities and by keys. All are of one \
      moment, or the command ends with exit code 75: a store that Core Data has open, or one without \
      a write-ahead log, was changed meanwhile. Dates are seconds since 2001, decimals are texts, and bytes are base64. A value whose file is missing is null, \
      and so is a link to a missing object. Two stores with the same lines have the same objects.

      Leaves no file beside the store. A store that Core Data wrote before 2015 needs --model.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @Option(
    name: .long,
    help: "A model of the app that wrote a store of Core Data: .xcdatamodeld, .momd, or a version.",
    completion: .file())
  var model: String?
  @Option(name: .long, help: "Write only the objects of this entity; may be repeated.")
  var entity: [String] = []
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreExportResult {
    let source = SQLiteStoreFile(file)
    // Beside programs that save, one moment is kept; otherwise it is enough that nothing happens.
    let isShared = source.isShared
    let coordinator = try PersistentStoreCoordinator.reading(
      file, document: model, leavesNoTrace: !isShared)
    defer { coordinator.close() }
    guard isShared else { return try source.unchanged { try export(coordinator.store, console) } }
    let store = try coordinator.store.snapshot(.init(age: .seconds(1 << 32), logBytes: .max))
    defer { store.close() }
    return try export(store, console)
  }

  private func export(
    _ store: any PersistentStore, _ console: Console
  ) throws -> StoreExportResult {
    var result = StoreExportResult()
    let export = ObjectExport(store)
    for entity in try entities(store.model) {
      let count = try export.write(entity) { try console.write($0) }
      guard let count else { break }
      result.count += count
    }
    return result
  }

  private func entities(_ model: CompiledModel) throws(PersistenceError) -> [CompiledEntity] {
    var entities = model.entities
    if !entity.isEmpty {
      entities = try entity.map { (name) throws(PersistenceError) in
        try model.requireEntity(named: name)
      }
    }
    let concrete = Set(entities.flatMap(\.concrete))
    return concrete.map { model.entities[$0] }.sorted { $0.name < $1.name }
  }
}

struct StoreExportResult: ToolResult {
  var count = 0

  var lines: [String] { [] }
  var isWritten: Bool { true }
}
