internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRuntime

struct StoreUndoCommand: ToolCommand {
  static let words = "store undo"
  static let configuration = help(
    abstract: "Takes back a save that is in a store's history, as a new save.",
    discussion: """
      The history must have the values before (history: values). The new save can be undone in \
      turn; rules in Swift are not checked. Exit code 2, and nothing is saved, where the same was \
      changed since.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @Argument(help: "The number of the save, as 'store history' shows it.")
  var number: Int64
  @Option(name: .long, help: "The author of the new save.")
  var author = "oxbowctl"
  @Flag(name: .customLong("dry-run"), help: "Show what would change, and save nothing.")
  var isDryRun = false
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreUndoResult {
    let transaction = try transaction()
    let coordinator = try PersistentStoreCoordinator.ofStore(
      at: file, isReadOnly: isDryRun, history: isDryRun ? .off : .values)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator, name: "undo of save \(number)")
    context.transactionAuthor = author
    var result = StoreUndoResult(store: file, number: number)
    do throws(PersistenceError) {
      try context.undo(transaction)
    } catch {
      guard error.code == .conflict else { throw error }
      result.add(error)
      return result
    }
    try result.addChanges(of: context)
    guard !isDryRun, context.hasChanges else { return result }
    try context.save()
    result.save = context.lastHistoryToken?.number
    return result
  }

  /// The save, found by one who only reads: a store that has no history would get one.
  private func transaction() throws -> HistoryTransaction {
    let coordinator = try PersistentStoreCoordinator.ofStore(at: file, isReadOnly: true)
    defer { coordinator.close() }
    return try save(in: coordinator)
  }

  private func save(
    in coordinator: PersistentStoreCoordinator
  ) throws(PersistenceError) -> HistoryTransaction {
    let current = try coordinator.currentHistoryToken()
    if (1...max(1, current.number)).contains(number) {
      var history = try coordinator.history(after: current.at(number - 1))
      history.limits.saves = 1
      switch try history.next() {
      case .saves(let saves)?:
        if let save = saves.first, save.number == number { return save }
      case .migrated(let migration)?: return migration
      case .missed?, nil: break
      }
    }
    throw PersistenceError(
      .historyMissed,
      "the store '\(file)' has no save \(number) in its history; 'store history' shows those that it "
        + "has")
  }
}

/// What an undo has changed, or would, or why it did not.
struct StoreUndoResult: ToolResult {
  struct Change: Encodable {
    let kind: String
    let object: String
    let properties: [String: String]
  }

  struct Conflict: Encodable {
    let object: String
    let property: String?
    let base: String?
    let mine: String?
    let theirs: String?
  }

  let store: String
  let number: Int64
  var changes: [Change] = []
  var conflicts: [Conflict] = []

  /// Why it was not made, and the number of the save that has made it.
  var message: String?
  var save: Int64?

  init(store: String, number: Int64) { (self.store, self.number) = (store, number) }

  var exitCode: Int32 { message == nil ? 0 : 2 }
  var hint: String? { message }

  mutating func addChanges(of context: ManagedObjectContext) throws {
    try add("insert", context.insertedObjects)
    try add("update", context.updatedObjects)
    try add("delete", context.deletedObjects)
  }

  private mutating func add(_ kind: String, _ objects: Set<ManagedObject>) throws {
    for object in objects.sorted(by: {
      ($0.entityName, $0.objectID.key) < ($1.entityName, $1.objectID.key)
    }) {
      let values = kind == "delete" ? [:] : try object.changedValues()
      changes.append(
        Change(
          kind: kind, object: object.description, properties: values.mapValues { "\($0)" }))
    }
  }

  mutating func add(_ error: PersistenceError) {
    message = error.message
    for conflict in error.conflicts {
      let object = "\(conflict.objectID.entityName)/p\(conflict.objectID.key)"
      let contested = Set((conflict.base ?? [:]).keys)
      for name in contested.isEmpty ? [nil] : contested.sorted().map(Optional.some) {
        func text(_ values: [String: PropertyValue]?) -> String? {
          name.flatMap { values?[$0] }.map { "\($0)" }
        }
        conflicts.append(
          Conflict(
            object: object, property: name, base: text(conflict.base), mine: text(conflict.mine),
            theirs: text(conflict.theirs)))
      }
    }
  }

  var lines: [String] {
    var table = Table()
    if !conflicts.isEmpty {
      table.add("OBJECT", "PROPERTY", "SAVED", "BEFORE", "NOW")
      for item in conflicts {
        table.add(
          item.object, item.property ?? "", item.base ?? "", item.mine ?? "", item.theirs ?? "")
      }
      return table.lines()
    }
    for change in changes {
      let values = change.properties.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
      table.add(change.kind, change.object, values.joined(separator: ", "))
    }
    if message != nil { return [] }
    let end =
      save.map { "undid save \(number) with save \($0)" }
      ?? (changes.isEmpty ? "nothing to undo" : "nothing was saved")
    return table.lines() + [end]
  }
}
