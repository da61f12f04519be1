internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel
internal import OxbowRelational
internal import OxbowSQLite

/// What names a store and the steps for it.
struct MigrationOptions: ParsableArguments {
  /// The steps in Swift that the program gave the tool.
  @TaskLocal static var steps: [CodeStep] = []

  /// Whether a store and steps count as given, so that the parser finds what else is wrong.
  @TaskLocal static var isComplete = false

  @Option(
    name: .customLong("store"),
    help: """
      The store's file, or a store on a server (postgres://user@host/database?schema=name); without \
      it, OXBOW_STORE says which.
      """, completion: .file())
  var givenStore: String?

  @Option(
    name: .long, parsing: .upToNextOption,
    help: """
      The model documents that the store shall have; several are merged. The program's own classes \
      when it is left out and the program has some.
      """, completion: .file())
  var model: [String] = []

  @Option(
    name: .customLong("migrations"),
    help: "The folder of the migration files; without it, OXBOW_MIGRATIONS says which.",
    completion: .directory)
  var givenMigrations: String?
  /// The store on a server, where the option names one.
  var server: ServerStore? { ServerStore(store) }

  /// The store as results name it.
  var shown: String { server?.shown ?? store }

  var store: String { givenStore ?? ToolEnvironment.store ?? "" }
  var migrations: String? { givenMigrations ?? ToolEnvironment.migrations }

  /// Refuses options that name no store.
  func requireStore() throws {
    guard store.isEmpty, !Self.isComplete else { return }
    throw ValidationError(
      givenStore == nil
        ? "Give --store FILE, or set OXBOW_STORE." : "--store wants the path of a file.")
  }

  /// Refuses options that name no steps; `status` can do without.
  func requireSteps() throws {
    if migrations == nil, model.isEmpty, ModelSource.classes == nil, !Self.isComplete {
      throw ValidationError("Give --migrations DIR, or --model PATH, or both.")
    }
  }

  /// The migrator for the store; waits for others that have it open.
  func migrator(_ change: ChangeOptions? = nil) throws -> Migrator {
    if let server { return try migrator(over: server.backend(change)) }
    return try migrator(over: file(at: store, change))
  }

  /// What changes a store in a file.
  func file(at path: String, _ change: ChangeOptions? = nil) -> SQLiteMigrationBackend {
    SQLiteMigrationBackend(
      path: path, busyMilliseconds: change?.busyMilliseconds ?? 5000,
      sharesStore: change?.sharesStore ?? false, interruption: { Interruption.isRequested })
  }

  /// The migrator for a store, or for a copy of it.
  func migrator(over backend: any MigrationBackend & Sendable) throws -> Migrator {
    let target =
      model.isEmpty ? ModelSource.classes : try ManagedObjectModel(contentsOf: model)
    try target?.validate()
    return try Migrator(
      backend, folder: migrations, target: target, code: Self.steps,
      tool: "oxbowctl \(OxbowTool.version)")
  }

  /// The migrator of a store that has to be there.
  func migratorOfStore(_ change: ChangeOptions? = nil) throws -> Migrator {
    let migrator = try migrator(change)
    guard try migrator.hasStore else {
      guard server != nil || FileManager.default.fileExists(atPath: store) else {
        throw PersistenceError(
          .notAStore, "there is no store at '\(store)'; check the path given with --store")
      }
      throw PersistenceError(
        .notAStore,
        "'\(shown)' is empty, so there is no store in it yet; 'migrate apply' makes one, with all "
          + "steps: \(command("apply"))")
    }
    return migrator
  }

  /// A command with the same options, for hints.
  func command(_ verb: String) -> String {
    let folder = migrations.map { " --migrations \($0.shellWord)" } ?? ""
    return "\(ToolName.current) migrate \(verb) --store \(shown.shellWord)\(modelOption)\(folder)"
  }

  /// The option that names the model documents, where there are some.
  var modelOption: String {
    model.isEmpty ? "" : " --model " + model.map(\.shellWord).joined(separator: " ")
  }
}
