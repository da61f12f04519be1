internal import ArgumentParser
internal import OxbowMigration
internal import OxbowModel
internal import OxbowSQLite

/// The command `oxbowctl migrate …`.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Changes a store from one version of its model to another.",
    discussion: """
      With --migrations the steps of that folder are applied in order. Without it, the step is \
      inferred from the model that the store keeps and the one given.

      oxbowctl migrate new initial --model Catalog.xcdatamodeld --migrations Migrations
      oxbowctl migrate plan --store catalog.sqlite --migrations Migrations
      oxbowctl migrate apply --store catalog.sqlite --migrations Migrations
      """,
    subcommands: [
      MigrateStatusCommand.self, MigratePlanCommand.self, MigrateApplyCommand.self,
      MigrateNewCommand.self, MigrateSumCommand.self,
    ])
}

/// What names a store and the steps for it.
struct MigrationOptions: ParsableArguments {
  @Option(name: .long, help: "The store's file.")
  var store: String

  @Option(
    name: .long, parsing: .upToNextOption,
    help: "The model documents that the store shall have; several are merged.")
  var model: [String] = []

  @Option(name: .long, help: "The folder of the migration files.")
  var migrations: String?

  func validate() throws {
    if store.isEmpty { throw ValidationError("--store wants the path of a file.") }
  }

  /// Refuses options that name no steps; `status` can do without.
  func requireSteps() throws {
    if migrations == nil, model.isEmpty {
      throw ValidationError("Give --migrations DIR, or --model PATH, or both.")
    }
  }

  func migrator(_ options: SQLiteMigrationExecutor.Options = .init()) throws -> Migrator {
    let source = try migrations.map { Migrator.Source.line(try MigrationLine(folder: $0)) }
    let target = model.isEmpty ? nil : try ManagedObjectModel(contentsOf: model)
    try target?.validate()
    return Migrator(
      SQLiteMigrationExecutor(path: store, options: options), source: source ?? .inferred,
      target: target, tool: "oxbowctl \(ToolVersion.current)")
  }

  /// A command with the same options, for hints.
  func command(_ verb: String) -> String {
    let model = model.isEmpty ? "" : " --model " + model.joined(separator: " ")
    let folder = migrations.map { " --migrations \($0)" } ?? ""
    return "oxbowctl migrate \(verb) --store \(store)\(model)\(folder)"
  }
}

/// Returns the beginning of a hash, enough to tell models apart.
func short(_ hash: String?) -> String { hash.map { String($0.prefix(12)) } ?? "none" }
