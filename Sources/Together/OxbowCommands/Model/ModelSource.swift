internal import ArgumentParser
internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel
internal import OxbowRelational
internal import OxbowSQLite

/// Where a command finds a model: documents, a store, a folder of migrations, classes.
enum ModelSource {
  /// The model of the classes that the program gave the tool.
  @TaskLocal static var classes: ManagedObjectModel?

  static func ofClasses() throws(PersistenceError) -> ManagedObjectModel {
    guard let classes else {
      throw PersistenceError(
        .unknownEntity,
        "this program has no classes; call OxbowTool.main(types: […]) in a program of your own and"
          + " give the command there")
    }
    return classes
  }

  /// The model of what is at a path.
  static func model(at path: String) throws(PersistenceError) -> ManagedObjectModel {
    if isStore(path) { return try storedModel(at: path) }
    if isMigrations(path) { return try model(ofMigrations: path) }
    return try ModelDocument(contentsOf: path).model
  }

  static func isStore(_ path: String) -> Bool {
    DocumentFile.beginning(of: path, count: 16) == Array("SQLite format 3\0".utf8)
  }

  /// The model made from the tables of another tool; `nil` for a store.
  static func foreignModel(at path: String) throws(PersistenceError) -> ForeignModel? {
    try ForeignDatabase.at(path).map { database in
      ForeignModel(database.schema) { SwiftName.refusal(ofProperty: $0) != nil }
    }
  }

  /// The document of the model that a store of Core Data keeps.
  static func coreDataDocument(at path: String) throws(PersistenceError) -> ModelDocument {
    if let store = try CoreDataInspection.at(path) { return try store.requireModel() }
    throw PersistenceError(
      .unsupported,
      "the store '\(path)' was not written by Core Data; give it without --from-store")
  }

  private static func isMigrations(_ path: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.contains { $0 == "oxbow.sum" || ($0.hasSuffix(".xml") && $0.contains("_")) }
  }

  /// The model of a store, or made from the tables of another tool.
  static func storedModel(at path: String) throws(PersistenceError) -> ManagedObjectModel {
    if let model = try StoredModel.ofCoreData(path) { return model }
    if let foreign = try foreignModel(at: path) { return foreign.model }
    return try StoredModel.of(path)
  }

  private static func model(
    ofMigrations folder: String
  ) throws(PersistenceError) -> ManagedObjectModel {
    let sequence = try MigrationSequence(folder: folder)
    guard let model = sequence.lastModel.flatMap({ sequence.models[$0] }) else {
      throw PersistenceError(
        .migrationFile,
        "the migrations in '\(folder)' lead to no model: none of them is a model step")
    }
    return model
  }
}

struct ModelPaths: ParsableArguments {
  @Argument(
    help: "An .xcdatamodeld, .xcdatamodel or .momd folder, or a file of one; several are merged.",
    completion: .file())
  var paths: [String]
}
