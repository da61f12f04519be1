internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel
internal import OxbowSQLite

/// What names a store and the steps for it.
struct MigrationOptions: ParsableArguments {
  /// The steps in Swift that the program gave the tool.
  @TaskLocal static var steps: [CodeStep] = []

  @Option(
    name: .customLong("store"), help: "The store's file; without it, OXBOW_STORE says which.",
    completion: .file())
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
  var store: String { givenStore ?? ToolEnvironment.store ?? "" }
  var migrations: String? { givenMigrations ?? ToolEnvironment.migrations }

  /// Refuses options that name no store.
  func requireStore() throws {
    guard store.isEmpty else { return }
    throw ValidationError(
      givenStore == nil
        ? "Give --store FILE, or set OXBOW_STORE." : "--store wants the path of a file.")
  }

  /// Refuses options that name no steps; `status` can do without.
  func requireSteps() throws {
    if migrations == nil, model.isEmpty, ModelSource.classes == nil {
      throw ValidationError("Give --migrations DIR, or --model PATH, or both.")
    }
  }

  /// The migrator for the store, or for a copy of it; waits for others that have it open.
  func migrator(_ change: ChangeOptions? = nil, at path: String? = nil) throws -> Migrator {
    let target =
      model.isEmpty ? ModelSource.classes : try ManagedObjectModel(contentsOf: model)
    try target?.validate()
    return try Migrator(
      SQLiteMigrationBackend(
        path: path ?? store, busyMilliseconds: change?.busyMilliseconds ?? 5000,
        sharesStore: change?.sharesStore ?? false, interruption: { Interruption.isRequested }),
      folder: migrations, target: target, code: Self.steps,
      tool: "oxbowctl \(OxbowTool.version)")
  }

  /// The migrator of a store that has to be there.
  func migratorOfStore(_ change: ChangeOptions? = nil) throws -> Migrator {
    let migrator = try migrator(change)
    guard try migrator.hasStore else {
      guard FileManager.default.fileExists(atPath: store) else {
        throw PersistenceError(
          .notAStore, "there is no store at '\(store)'; check the path given with --store")
      }
      throw PersistenceError(
        .notAStore,
        "'\(store)' is empty, so there is no store in it yet; 'migrate apply' makes one, with all "
          + "steps: \(command("apply"))")
    }
    return migrator
  }

  /// A command with the same options, for hints.
  func command(_ verb: String) -> String {
    let folder = migrations.map { " --migrations \($0.shellWord)" } ?? ""
    return "\(ToolName.current) migrate \(verb) --store \(store.shellWord)\(modelOption)\(folder)"
  }

  /// The option that names the model documents, where there are some.
  var modelOption: String {
    model.isEmpty ? "" : " --model " + model.map(\.shellWord).joined(separator: " ")
  }
}
