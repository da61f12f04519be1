internal import OxbowModel
internal import OxbowSQLite

/// What is said of a store that Core Data wrote.
struct CoreDataInfoResult: ToolResult {
  struct Entity: Encodable {
    let name: String
    let number: Int64
    let hash: String?
    let rows: Int?

    /// What the computed hash is: equal, different or unknown; `nil` without a model.
    let computed: String?
  }

  struct Details: Encodable {
    let versionIdentifiers: [String]

    /// Whether the model's version hashes are the store's; `nil` without a model.
    let fits: Bool?

    /// The version of `--model` that fits.
    let version: String?
    let saves: Int?
    let changes: Int?
    let isMirrored: Bool
    let ownKeys: [String]
    let notes: [String]
  }

  let path: String
  let identifier: String
  let layout = "coreData"
  let layoutVersion: Int
  let keepsModel: Bool
  let entities: [Entity]
  let journalMode: String
  let bytes: Int
  let logBytes: Int
  let files: StoreInfoResult.Files?
  let coreData: Details

  init(_ store: CoreDataInspection, path: String, model: String?) throws(PersistenceError) {
    let given = try model.map { (model) throws(PersistenceError) in
      try ModelDocument.version(of: model, fitting: store.hashes, kept: try? store.model?.model)
    }
    var notes = store.notes
    var comparison = given?.comparison
    if given == nil {
      do throws(PersistenceError) { comparison = try store.comparison() } catch {
        notes.append("\(error)")
      }
    }
    if let comparison { notes += Self.notes(comparison) }
    self.path = path
    identifier = store.identifier
    layoutVersion = store.frameworkVersion
    keepsModel = store.keepsModel
    entities = store.entities.map { Entity($0, comparison) }
    journalMode = store.journalMode
    (bytes, logBytes) = (store.bytes, store.logBytes)
    files = store.files.count == 0 ? nil : .init(count: store.files.count, bytes: store.files.bytes)
    coreData = Details(
      versionIdentifiers: store.versionIdentifiers, fits: comparison?.fits,
      version: given?.document.versionName, saves: store.history?.saves,
      changes: store.history?.changes, isMirrored: store.isMirrored, ownKeys: store.ownKeys,
      notes: notes)
  }

  private static func notes(_ comparison: CoreDataComparison) -> [String] {
    let unknown = comparison.unknown.joined(separator: ", ")
    return comparison.texts.map { "version hashes that \($0)" }
      + (unknown.isEmpty
        ? []
        : ["version hashes with derived or composite attributes are not computed: \(unknown)"])
  }
}

extension CoreDataInfoResult.Entity {
  fileprivate init(_ entity: CoreDataInspection.Entity, _ comparison: CoreDataComparison?) {
    name = entity.name
    number = entity.number
    hash = entity.hash?.hexadecimalDigits
    rows = entity.rows
    computed = comparison.map {
      $0.equal.contains(entity.name)
        ? "equal" : $0.unknown.contains(entity.name) ? "unknown" : "different"
    }
  }
}

// MARK: - For people

extension CoreDataInfoResult {
  var lines: [String] {
    var facts = Table()
    facts.add("store", path)
    facts.add("identifier", identifier)
    facts.add("layout", "Core Data, framework \(layoutVersion)")
    facts.add("model", modelLine)
    facts.add("journal", journalMode)
    facts.add("size", "\(bytes) bytes" + (logBytes > 0 ? ", log \(logBytes) bytes" : ""))
    if let files {
      facts.add("large values", "\(counted(files.count, "file")), \(files.bytes) bytes")
    }
    if let saves = coreData.saves, let changes = coreData.changes {
      facts.add("history", "\(counted(saves, "save")), \(counted(changes, "change"))")
    }
    if coreData.isMirrored { facts.add("CloudKit", "mirrored") }
    facts.add("metadata", coreData.ownKeys)
    var rows = Table()
    for entity in entities {
      rows.add(
        entity.name, entity.rows.map { counted($0, "object") } ?? "no table", entity.hashText)
    }
    return facts.lines() + ["entities"] + rows.lines(indentation: 2)
      + coreData.notes.map { "note: \($0)" }
  }

  private var modelLine: String {
    let names = coreData.versionIdentifiers.filter { !$0.isEmpty }.map { "'\($0)'" }
    let version = names.isEmpty ? "" : ", version \(names.joined(separator: ", "))"
    let verdict: String =
      switch (coreData.version, coreData.fits) {
      case (let given?, _): "fits '\(given)'"
      case (nil, true?): "in the store, hashes match"
      case (nil, false?): "in the store, hashes do not match"
      case (nil, nil): keepsModel ? "in the store, damaged" : "not in the store"
      }
    return verdict + version
  }
}

extension CoreDataInfoResult.Entity {
  /// The beginning of the hash, and whether the computed one is another.
  fileprivate var hashText: String {
    let mark =
      switch computed {
      case "different": " (computed: another)"
      case "unknown": " (not computed)"
      default: ""
      }
    return short(hash) + mark
  }
}
