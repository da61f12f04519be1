import CSQLite
import Foundation
import Oxbow
import OxbowTestSupport

@testable import catalog

/// A store that version 1 of the catalog filled, with a label on one file.
struct VersionOneTree {
  let tree: Tree

  var path: String { tree.store }
  var store: StoreReader { StoreReader(path: path) }

  init() throws {
    try self.init { try $0.fill(folders: 5, files: 5) }
  }

  /// Fills a directory tree and indexes it as version 1 did.
  init(_ fill: (Tree) throws -> Void) throws {
    tree = try Tree()
    try fill(tree)
    let run = try ProgramRun("catalog", ["index-version-1", tree.root, "--store", tree.store])
    guard run.status == 0 else { throw FailedRun(run: run) }
    let container = try PersistentContainer(.file(path), model: try Self.model())
    defer { container.close() }
    try container.perform { context in
      let label = try context.insert(entityNamed: "Label")
      try label.setValue("seen", for: "name")
      let files = try context.fetch(FetchRequest<ManagedObject>(entityNamed: "File", limit: 1))
      try label.setObjects(files, for: "files")
      try context.save()
    }
  }

  static func model() throws -> ManagedObjectModel {
    let models = try Resources.path("Models")
    return try ManagedObjectModel(contentsOf: [
      models + "/Files.xcdatamodeld/Files-1.xcdatamodel", models + "/Labels.xcdatamodel",
    ])
  }

  /// The project's folder of migrations.
  static let migrations = PackageFolder.path("Migrations")

  /// What `apply` says when it has applied these steps.
  static func applied(_ steps: ClosedRange<Int>) -> String {
    let names = ["initial", "totals", "count-bytes", "kinds-of-raw-names", "count-kinds"]
    return steps.map { "applied 000\($0) \(names[$0 - 1])\n" }.joined() + "model 07b0f04c148d\n"
  }

  func arguments(_ verb: String, _ more: [String] = []) -> [String] {
    ["migrate", verb, "--store", path, "--migrations", Self.migrations] + more
  }

  /// Runs a command of the catalog's own tool, or of another program.
  func migrate(
    _ verb: String, _ more: String..., by program: String = "catalogctl"
  ) throws -> ProgramRun {
    try ProgramRun(program, arguments(verb, more))
  }

  func apply(_ more: String...) throws -> ProgramRun {
    try ProgramRun("catalogctl", arguments("apply", more))
  }

  /// Runs statements on the store's file, past Oxbow.
  func execute(_ sql: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(path, &database) == SQLITE_OK,
      sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
    else { throw SQLiteFailure(message: String(cString: sqlite3_errmsg(database))) }
  }
}
