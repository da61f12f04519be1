internal import ArgumentParser
internal import OxbowModel
internal import OxbowSQLite

struct ModelHashesCommand: ToolCommand {
  static let words = "model hashes"
  static let configuration = help(
    abstract: "Shows the version hashes that Core Data has for a model's entities.",
    discussion: """
      A store of Core Data has the hashes of the model that it was written for. They are computed, \
      but for entities with derived or composite attributes: those are known where a compiled model \
      or a store says them.
      """)

  @Argument(
    help: "A model document, a compiled model (.momd, .mom), or a store of Core Data.",
    completion: .file())
  var path: String
  @Option(name: .customLong("model-version"), help: "The version; the current one by default.")
  var modelVersion: String?
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> ModelHashesResult {
    if ModelSource.isStore(path) { return try ofStore() }
    let document = try ModelDocument(contentsOf: version())
    try document.model.validate()
    return ModelHashesResult(document, try document.recordedHashes(), try .init(of: document))
  }

  private func ofStore() throws(PersistenceError) -> ModelHashesResult {
    guard let store = try CoreDataInspection.at(path) else {
      throw PersistenceError(
        .unsupported,
        "the store '\(path)' was not written by Core Data; 'model show' has Oxbow's own hashes")
    }
    let document = try store.requireModel()
    return ModelHashesResult(document, store.hashes, try .init(of: document))
  }

  private func version() throws(PersistenceError) -> String {
    guard let modelVersion else { return path }
    let versions = try ModelVersions(of: path).all
    guard let found = versions.first(where: { $0.name == modelVersion }) else {
      let names = versions.map(\.name)
      throw PersistenceError(
        .invalidModel,
        "the model '\(path)' has no version '\(modelVersion)'; it has "
          + PersistenceError.listed(names),
        nearNames: PersistenceError.nearNames(to: modelVersion, among: names))
    }
    return found.path
  }
}

struct ModelHashesResult: ToolResult {
  struct Entity: Encodable {
    let name: String

    /// The hash; `nil` if it is not known.
    let hash: String?

    /// Whether it is the one that a store or a compiled model says, and could not be computed.
    let isRecorded: Bool
  }

  let version: String
  let entities: [Entity]

  /// The entities for which a store or a compiled model says another hash than the computed one.
  let differing: [String]

  init(_ document: ModelDocument, _ recorded: [String: [UInt8]], _ hashes: CoreDataHashes) {
    version = document.versionName
    entities = document.model.entities.map { entity in
      let computed = hashes.values[entity.name]
      return Entity(
        name: entity.name, hash: (computed ?? recorded[entity.name])?.hexadecimalDigits,
        isRecorded: computed == nil && recorded[entity.name] != nil)
    }
    differing = hashes.values.keys.sorted().filter { name in
      recorded[name].map { $0 != hashes.values[name] } ?? false
    }
  }

  var lines: [String] {
    var table = Table()
    for entity in entities { table.add(entity.name, entity.hash ?? "unknown") }
    return table.lines()
  }

  var hint: String? {
    let unknown = entities.filter { $0.hash == nil }.map(\.name)
    let hints =
      (unknown.isEmpty
        ? []
        : [
          "note: not known, because of derived or composite attributes: "
            + "\(unknown.joined(separator: ", ")); a compiled model (.momd) or a store of this version "
            + "has them"
        ])
      + (differing.isEmpty
        ? []
        : ["note: recorded with another hash: \(differing.joined(separator: ", "))"])
    return hints.isEmpty ? nil : hints.joined(separator: "\n")
  }

  var exitCode: Int32 { differing.isEmpty ? 0 : 2 }
}
