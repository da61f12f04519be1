internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel
internal import OxbowRelational
internal import OxbowRuntime
internal import OxbowSQLite

struct StoreDoctorCommand: ToolCommand {
  static let words = "store doctor"
  static let configuration = help(
    abstract: "Says what is wrong with a store, and how to go on. Writes nothing.",
    discussion: """
      Looks for damage, for tables that are not those of the store's model, for keys and versions of \
      rows that no object can have, at the journal, at the version of SQLite, at who has the \
      store open and at who reads its history. Exit code 2 for findings.

      Of a store of Core Data it looks at metadata, numbers, tables, indexes, rows, links, orders, \
      counts, files of large values and the history, by rules that all stores keep which Core Data \
      alone has written. What bugs and migrations of apps leave behind, such as links to rows that \
      are not there, is a note and no finding. Leaves no file beside the store. A store that Core \
      Data wrote before 2015 needs --model.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @Option(
    name: .long,
    help: "A model of the app that wrote a store of Core Data: .xcdatamodeld, .momd, or a version.",
    completion: .file())
  var model: String?
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreDoctorResult {
    if let found = try CoreDataExamination.of(file, model: model) {
      return StoreDoctorResult(store: file, found)
    }
    guard model == nil else { throw PersistenceError.modelOfOtherStore(file) }
    let findings = try SQLiteStoreFile(file).check()
    do { return try result(findings) } catch let error as PersistenceError
      where error.code == .storeCorrupt && !findings.isEmpty
    {
      // Nothing else can be read.
      var result = StoreDoctorResult(store: file, openIn: [])
      for damage in findings { result.addDamage(damage) }
      return result
    }
  }

  private func result(_ findings: [String]) throws -> StoreDoctorResult {
    let store = try StoreInspection(path: file)
    var result = StoreDoctorResult(store: file, openIn: store.holders.map(\.description))
    // What is damaged may not be readable, and is said below.
    let dangling = findings.isEmpty ? [] : (try? SQLiteStoreFile(file).danglingRows()) ?? []
    for rows in dangling { result.add(rows.description, rows.advice) }
    for finding in findings.isEmpty ? [] : (try? SQLiteStoreFile(file).indexFindings()) ?? [] {
      result.add(finding, "run: \(ToolName.current) store compact \(file.shellWord)")
    }
    for damage in findings { result.addDamage(damage) }
    let migrator = try Migrator(SQLiteMigrationBackend(path: file), folder: nil, target: nil)
    let drift = try migrator.drift()
    for difference in drift {
      result.add(
        difference, "put the tables right, or restore a backup; no migration starts before")
    }
    for problem in drift.isEmpty ? try migrator.rowProblems() : [] {
      result.add(
        problem,
        "another program wrote them: give them others with a script, and change what refers to a key"
      )
    }
    if drift.isEmpty, store.state.model != nil { result.addHistory(of: file) }
    if store.state.model == nil {
      result.add(
        "the store does not keep its model", "give the model to commands that need one: --model")
    }
    if store.journalMode != "wal" {
      result.notes.append(
        "the journal mode is \(store.journalMode): readers wait for writers; opening the store in a "
          + "program makes it wal")
    }
    if store.logBytes > 64 << 20 {
      result.notes.append(
        "the log beside the store has \(store.logBytes) bytes: a reader that stays open keeps it "
          + "from being written back, or the store has not been closed for a long time")
    }
    if store.library.hasWALResetBug { result.notes.append(store.library.verdict) }
    if store.state.history.last?.event == "progressed" {
      result.notes.append(
        "the step \(store.state.history.last?.id ?? "") is not over; 'migrate apply' continues it")
    }
    return result
  }
}

struct StoreDoctorResult: ToolResult {
  struct Finding: Encodable {
    let message: String
    let advice: String
  }

  let store: String
  let openIn: [String]
  var findings: [Finding] = []
  var notes: [String] = []

  init(store: String, openIn: [String]) { (self.store, self.openIn) = (store, openIn) }

  init(store: String, _ examination: CoreDataExamination) {
    self.init(store: store, openIn: [])
    for finding in examination.findings {
      if finding.isLeftover {
        notes.append(finding.message)
      } else {
        add(
          finding.message,
          "Core Data alone writes nothing like it: keep a copy of all its files, and restore an older one"
        )
      }
    }
  }

  mutating func add(_ message: String, _ advice: String) {
    guard !findings.contains(where: { $0.message == message }) else { return }
    findings.append(Finding(message: message, advice: advice))
  }

  mutating func addDamage(_ message: String) {
    add(message, "stop writing, keep a copy of all its files, and restore a backup")
  }

  /// Adds what is wrong with the history of the store, if it has one.
  mutating func addHistory(of file: String) {
    do {
      let coordinator = try PersistentStoreCoordinator.ofStore(at: file, isReadOnly: true)
      defer { coordinator.close() }
      let days = HistoryLimits().days
      let oldest = Date().addingTimeInterval(-86_400 * Double(days))
      for consumer in try coordinator.historyConsumers()
      where consumer.seen < oldest && consumer.lag > 0 {
        add(
          "the consumer '\(consumer.name)' of the history was last seen on "
            + "\(consumer.seen.formatted(.iso8601)), and has \(counted(consumer.lag, "save")) to see",
          "let it run; otherwise the history is kept for it: \(ToolName.current) store history forget "
            + "\(file.shellWord) \(consumer.name.shellWord)")
      }
      // No consumer comes past a save that cannot be read.
      var history = try coordinator.history()
      while try history.next() != nil {}
    } catch {
      let failure = ToolFailure(error)
      if failure.code == PersistenceError.Code.historyOff.rawValue { return }
      add(
        "the history of the store cannot be read: \(failure.message)",
        "restore a backup, or remove the history: 'store history off'")
    }
  }

  var exitCode: Int32 { findings.isEmpty ? 0 : 2 }

  var lines: [String] {
    (findings.isEmpty ? ["'\(store)' is well"] : [])
      + findings.flatMap { [$0.message, "  \($0.advice)"] } + notes.map { "note: \($0)" }
      + openIn.map { "open in \($0)" }
  }
}
