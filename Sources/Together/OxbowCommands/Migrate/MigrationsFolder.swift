internal import ArgumentParser
internal import OxbowFoundation

/// Names a folder of migrations, where a command cannot do without.
struct MigrationsFolder: ParsableArguments {
  @Option(
    name: .customLong("migrations"),
    help: "The folder of the migration files; without it, OXBOW_MIGRATIONS says which.",
    completion: .directory)
  var given: String?

  var path: String { given ?? ToolEnvironment.migrations ?? "" }

  func validate() throws {
    guard path.isEmpty else { return }
    throw ValidationError("Give --migrations DIR, or set OXBOW_MIGRATIONS.")
  }
}

/// What the environment says where options do not; what is empty says nothing.
enum ToolEnvironment {
  static var store: String? { value("OXBOW_STORE") }
  static var migrations: String? { value("OXBOW_MIGRATIONS") }

  private static func value(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
