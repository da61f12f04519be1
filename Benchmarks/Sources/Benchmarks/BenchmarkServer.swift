import CServerBaseline
import Foundation
import OxbowPostgres
import OxbowRuntime

/// A server of its own in a folder, which ends with the process.
struct BenchmarkServer {
  let folder: URL
  let connection: String

  /// Starts a server whose syncs cost nothing, or the given time each.
  init(in directory: URL, syncMicroseconds: Int? = nil) throws {
    folder = directory.appending(path: "server-\(syncMicroseconds ?? 0)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    connection = "host=\(folder.path) user=oxbow dbname=postgres"
    let settings = """
      shared_buffers = 512MB
      max_wal_size = 8GB
      checkpoint_timeout = 1h
      fsync = \(syncMicroseconds == nil ? "off" : "on")
      """
    var environment = ["OXBOW_SERVER_SETTINGS": settings]
    if let syncMicroseconds {
      let library = folder.appending(path: "libFixedSync.so")
      try FileManager.default.copyItem(at: Self.library, to: library)
      environment["LD_PRELOAD"] = library.path
      environment["FIXED_SYNC"] = "\(syncMicroseconds)"
    }
    try Self.run(
      "start '\(folder.path)' \(ProcessInfo.processInfo.processIdentifier)", environment)
  }

  func stop() { try? Self.run("remove '\(folder.path)'") }

  /// The same server, each way to and from which takes some time.
  func delayed(microseconds: Int32) throws -> String {
    let port = server_delay(folder.appending(path: ".s.PGSQL.5432").path, microseconds)
    guard port > 0 else { throw BenchmarkFailure(description: "no port for the delay") }
    return "host=127.0.0.1 port=\(port) user=oxbow dbname=postgres sslmode=disable"
  }

  func run(_ sql: String) throws {
    guard server_run(connection, sql) >= 0 else {
      throw BenchmarkFailure(description: "the server refused: \(sql)")
    }
  }

  /// A store in a schema that is made anew.
  func emptyStore(_ types: [any ModelObject.Type]) throws -> PersistentContainer {
    try run("DROP SCHEMA IF EXISTS oxbow CASCADE")
    return try open(types, connection)
  }

  func open(_ types: [any ModelObject.Type], _ connection: String) throws -> PersistentContainer {
    try PersistentContainer(
      coordinator: PersistentStoreCoordinator(
        CompiledModel(ManagedObjectModel(types: types), classes: types),
        at: PostgresLocation(connection), options: PostgresStoreOptions(connections: 40)))
  }

  private static var library: URL {
    URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "libFixedSync.so")
  }

  /// Runs the script of servers; `Process` would wait for the server, too, which the script leaves
  /// behind.
  private static func run(_ words: String, _ environment: [String: String] = [:]) throws {
    let script = URL(filePath: #filePath).appending(path: "../../../../Scripts/server").standardized
    for (name, value) in environment { setenv(name, value, 1) }
    defer { for name in environment.keys { unsetenv(name) } }
    guard server_script("'\(script.path)' \(words) >/dev/null") == 0 else {
      throw BenchmarkFailure(description: "Scripts/server \(words) failed")
    }
  }
}
