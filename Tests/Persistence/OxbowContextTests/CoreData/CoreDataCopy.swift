import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// A copy of a store of Core Data, in a folder of its own, which is opened for writing.
struct CoreDataCopy {
  let folder: TemporaryFolder
  let path: String
  /// The model of a store that keeps none.
  let document: String?

  /// Copies a sample, in a journal mode.
  init(of sample: String, document: String? = nil, journal: String) throws {
    folder = try TemporaryFolder()
    self.document = document
    path = folder.file("App." + (sample.split(separator: ".").last.map(String.init) ?? "sqlite"))
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: sample + suffix) {
      try FileManager.default.copyItem(atPath: sample + suffix, toPath: path + suffix)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: path + suffix)
    }
    try FixtureDatabase.run(path, "PRAGMA journal_mode = \(journal); SELECT * FROM sqlite_schema")
  }

  /// A store that a test makes at a path, with the document of a model that it does not keep.
  init(_ contents: String? = nil, making make: (String) throws -> Void) throws {
    folder = try TemporaryFolder()
    path = folder.file("App.sqlite")
    document = contents == nil ? nil : folder.file("M.xcdatamodel")
    if let contents { try folder.write(contents, to: "M.xcdatamodel/contents") }
    try make(path)
  }

  /// The store of the fixture that has every kind of relationship.
  static func shelves(journal: String = "wal", more: String = "") throws -> CoreDataCopy {
    try CoreDataCopy(CoreDataShelves.contents) { path in
      let document = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m")
      try CoreDataShelves.make(
        path, CoreDataHashes(of: document).values, journal: journal, more: more)
    }
  }

  /// The rows of a query with one column, which the closed store has.
  func rows(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    defer { connection.close() }
    let text = try connection.text(
      "WITH r(line) AS (\(sql)) SELECT group_concat(line, char(30)) FROM r")
    return (text ?? "").split(separator: "\u{1e}").map(String.init)
  }

  /// Opens the store, saves what `body` changes, and closes it.
  func change(
    options: (inout SQLiteStoreOptions) -> Void = { _ in },
    _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    try open(options) { coordinator in
      let context = ManagedObjectContext(coordinator: coordinator)
      try body(context)
      try context.save()
    }
  }

  /// The journal mode in the file's header.
  var hasLog: Bool {
    get throws {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? file.close() }
      return try file.read(upToCount: 20)?.last == 2
    }
  }

  /// Runs `body` with the store open, and closes it.
  func open<R>(
    _ change: (inout SQLiteStoreOptions) -> Void = { _ in },
    _ body: (PersistentStoreCoordinator) throws -> R
  ) throws -> R {
    let model = try CompiledModel(StoredModel.of(path, document: document))
    var options = SQLiteStoreOptions()
    change(&options)
    let coordinator = PersistentStoreCoordinator(
      store: try SQLiteStore(model, at: .file(path), options: options))
    defer { coordinator.close() }
    return try body(coordinator)
  }

  /// Copies the closed store beside itself.
  func keep(as name: String) throws -> String {
    let copy = folder.file(name)
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    return copy
  }
}

/// The object of an entity with a key.
func one(
  _ context: ManagedObjectContext, _ entity: String, _ key: Int64
) throws -> ManagedObject {
  let objects = try context.fetch(FetchRequest<ManagedObject>(entityNamed: entity))
  return try #require(objects.first { $0.objectID.key == key })
}

func failure(_ body: () throws -> Void) -> PersistenceError? {
  do { try body() } catch { return error as? PersistenceError }
  return nil
}

/// The program that judges stores of Core Data, beside the samples.
enum CoreDataJudge {
  static let path: String? = Samples.folder.map { $0 + "/../tools/coredata-check" }
    .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }

  /// Whether there are samples, the program, and what runs it.
  static var isThere: Bool { path != nil && (try? run([])) != nil }

  static let absence =
    "SKIPPED: no samples, no tools/coredata-check beside them, or no python3 to run it."

  private static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", path ?? ""] + arguments
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  /// What the judge says of a store, a line for each finding.
  static func findings(_ store: String, document: String? = nil) throws -> Set<String> {
    let model = try model(store, document)
    return Set(try run(model + [store]).split(separator: "\n").map(String.init))
  }

  /// What is wrong with a store, and was not before, and with what some saves have changed in it.
  static func problems(
    _ store: String, before old: String, saves: Int, document: String? = nil,
    besides known: Set<String>
  ) throws -> [String] {
    let model = try model(store, document)
    let now = try run(model + ["--before", old, "--saves", "\(saves)", store])
    let lines = now.split(separator: "\n").map(String.init)
    return lines.filter { line in
      let words = line.split(separator: " ")
      guard words.count > 1 else { return false }
      if words[0] == "ERROR" { return !known.contains(line) }
      return words[0] == "WARN" && words[1] == "C6"
    } + (lines.isEmpty ? ["the judge said nothing"] : [])
      + (now.contains("cannot be read") || now.contains("Traceback") ? [now] : [])
  }

  /// The argument that names the model of a store that keeps none: the judge reads XML.
  private static func model(_ store: String, _ document: String?) throws -> [String] {
    guard let document else { return [] }
    let text = try ModelWriter.text(StoredModel.of(store, document: document))
    let path = store + ".contents"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return ["--model", path]
  }
}
