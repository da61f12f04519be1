internal import ArgumentParser
internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel
internal import OxbowSQLite

struct ModelExportCommand: ToolCommand {
  static let words = "model export"
  static let configuration = help(
    abstract: "Writes a model as a document that Xcode opens.",
    discussion: """
      The model is that of the documents given, of a store, of a folder of migrations, or of the \
      program's classes when no path is given. Of a database of another tool it is one made from its \
      tables, to begin with. With --from-store it is the one that a store of Core Data keeps. Written over a document, it changes what the model says and keeps \
      everything else: diagram, order, what Oxbow does not know. In an .xcdatamodeld folder it \
      becomes the current version.
      """)

  @Argument(
    help: "Model documents, which are merged, a store's file or a folder of migrations.",
    completion: .file())
  var paths: [String] = []
  @Option(
    name: .customLong("from-store"), help: "A store of Core Data, whose model is written.",
    completion: .file())
  var store: String?
  @Option(
    name: .customLong("output"), help: "The .xcdatamodel or .xcdatamodeld folder to write.",
    completion: .file())
  var target: String
  @Option(
    name: .customLong("model-version"),
    help: "The name of the version in an .xcdatamodeld folder; the current one by default.")
  var modelVersion: String?
  @Flag(name: .long, help: "Write over a document that says something else.")
  var force = false
  @OptionGroup var output: OutputOptions

  func validate() throws {
    let ending = trimmed.hasSuffix(".xcdatamodel") || trimmed.hasSuffix(".xcdatamodeld")
    guard ending else {
      throw ValidationError("--output wants a name that ends with .xcdatamodel or .xcdatamodeld.")
    }
    guard modelVersion == nil || trimmed.hasSuffix("d") else {
      throw ValidationError("--model-version is for an .xcdatamodeld folder.")
    }
    guard store == nil || paths.isEmpty else {
      throw ValidationError("Give documents or --from-store, not both.")
    }
  }

  func result(_ console: Console) throws -> ModelExportResult {
    var document = try source()
    let notes = try notes(document)
    try document.model.validate()
    let isPackage = trimmed.hasSuffix(".xcdatamodeld")
    let path = isPackage ? "\(trimmed)/\(try version()).xcdatamodel" : trimmed
    let isThere = ["contents", "elements"].contains {
      FileManager.default.fileExists(atPath: "\(path)/\($0)")
    }
    if isThere {
      let model = document.model
      document = try ModelDocument(contentsOf: path)
      try refuseChanges(of: document.model, to: model, path)
      document.model = model
    }
    if isPackage {
      let package = ModelPackage(
        versions: [document.named(try version())], currentVersionName: try version())
      try package.write(to: trimmed)
    } else {
      try document.write(to: path)
    }
    return ModelExportResult(
      path: path, entities: document.model.entities.count, model: document.model.versionHash,
      notes: notes)
  }

  private var trimmed: String { target.hasSuffix("/") ? String(target.dropLast()) : target }
}

extension ModelExportCommand {
  /// The document to write: one that was read keeps what Oxbow does not know.
  private func source() throws -> ModelDocument {
    if let store { return try ModelSource.coreDataDocument(at: store) }
    switch paths.count {
    case 0: return ModelDocument(try ModelSource.ofClasses(), versionName: "Model")
    case 1 where paths[0].isModelDocument: return try ModelDocument(contentsOf: paths[0])
    case 1 where ModelSource.isStore(paths[0]):
      if let found = try CoreDataInspection.at(paths[0]) { return try found.requireModel() }
      return ModelDocument(try ModelSource.storedModel(at: paths[0]), versionName: "Model")
    case 1: return ModelDocument(try ModelSource.model(at: paths[0]), versionName: "Model")
    default:
      return ModelDocument(try ManagedObjectModel(contentsOf: paths), versionName: "Model")
    }
  }

  /// What the tables of another tool, or an archive of Core Data, have and the model does not say.
  private func notes(_ document: ModelDocument) throws -> [String] {
    if document.isArchived { return document.notes.map(\.text) }
    guard paths.count == 1, ModelSource.isStore(paths[0]) else { return [] }
    return try ModelSource.foreignModel(at: paths[0])?.notes ?? []
  }

  private func version() throws -> String {
    if let modelVersion { return modelVersion }
    let name = trimmed.split(separator: "/").last.map { String($0.dropLast(13)) } ?? "Model"
    guard FileManager.default.fileExists(atPath: trimmed) else { return name }
    let versions = try FileManager.default.contentsOfDirectory(atPath: trimmed)
    guard versions.contains(where: { $0.hasSuffix(".xcdatamodel") }) else { return name }
    return try ModelVersions(of: trimmed).current.name
  }

  private func refuseChanges(
    of old: ManagedObjectModel, to new: ManagedObjectModel, _ path: String
  ) throws(PersistenceError) {
    guard !force, old != new else { return }
    let changes = ModelDiffResult(from: old, to: new).changes.map(\.description)
    throw PersistenceError(
      .fileChanged,
      "'\(path)' says something else; give another --model-version, or --force to change it",
      details: [.init(label: "changes", text: changes.joined(separator: "; "))])
  }
}

extension String {
  fileprivate var isModelDocument: Bool {
    let path = hasSuffix("/") ? String(dropLast()) : self
    let endings = [".xcdatamodel", ".xcdatamodeld", ".mom", ".momd", "contents", "elements"]
    return endings.contains(where: path.hasSuffix)
  }
}

struct ModelExportResult: ToolResult {
  let path: String
  let entities: Int
  let model: String
  let notes: [String]

  var lines: [String] {
    ["wrote \(path)", "model \(short(model)): \(counted(entities, "entity", "entities"))"]
      + notes.map { "note: \($0)" }
  }
}
