import OxbowMigration
import OxbowModel
import OxbowSQLite
import OxbowTestSupport
import Testing

/// A migration that is disturbed, one for each kind.
enum FaultCase: String, CaseIterable, CustomTestStringConvertible {
  case create, inPlace, rebuild, rename, links, script, plainCode, batchedCode, undo, baseline
  case repair, severalSteps, convert

  var testDescription: String { rawValue }

  /// The rows that the store has before.
  static let rowCount = 40

  private static let rows = """
    INSERT INTO "Folder" ("_id", "_version", "path") VALUES (1, 1, '/a'), (2, 1, '/b');
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
    INSERT INTO "File" ("_id", "_version", "name", "size", "kind", "folder")
      SELECT i, 1, 'file ' || i, i * 10, CASE WHEN i % 3 THEN 'text' END, 1 + i % 2 FROM n;
    """

  /// Makes the store as it is before, and the folder with the step.
  func prepare(_ lab: Lab) throws {
    guard self != .convert else {
      try lab.add(Shelf.model, "initial")
      return try lab.run(Shelf.tables + Shelf.rows + Shelf.extras)
    }
    try lab.add(Models.first, "initial")
    guard self != .create else { return }
    _ = try lab.migrator().apply()
    try lab.run(Self.rows)
    try addStep(lab)
  }

  private func addStep(_ lab: Lab) throws {
    switch self {
    case .create, .convert: break
    case .inPlace: try lab.add(Self.withNote, "note")
    case .rebuild: try lab.add(Self.required, "required")
    case .rename: try lab.add(Self.renamed, "renamed")
    case .links: try lab.add(Self.manyFolders, "many")
    case .script: try lab.add(sql: Self.statements, "script")
    case .plainCode: try addCode("plain", lab)
    case .batchedCode: try addCode("batched", lab)
    case .undo:
      try lab.add(Self.withNote, "note")
      _ = try lab.migrator().apply()
    case .baseline: try lab.run("DROP TABLE _oxbow_history")
    case .repair:
      try lab.add(sql: "SELECT 1;", "script")
      _ = try lab.migrator().apply()
      try lab.folder.write("-- better\nSELECT 1;\n", to: "Migrations/0002_script.sql")
    case .severalSteps:
      try lab.add(Self.withNote, "note")
      try lab.add(sql: Self.statements, "script")
      try addCode("batched", lab)
    }
  }

  private func addCode(_ name: String, _ lab: Lab) throws {
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: name, run: "x")
  }

  /// Runs the migration; `onBatch` is called between two transactions of it.
  func run(_ lab: Lab, onBatch: () -> Void = {}) throws {
    try run(lab.store, lab.migrations, onBatch: onBatch)
  }

  func run(_ store: String, _ migrations: String, onBatch: () -> Void = {}) throws {
    let migrator = try Lab.migrator(store, migrations, code: Self.code)
    switch self {
    case .undo: _ = try migrator.undo()
    case .baseline: _ = try migrator.baseline()
    case .repair: _ = try migrator.acceptChangedFiles()
    case .convert:
      // A program that was killed behind the commit is started again.
      guard try ForeignDatabase.at(store) != nil else { return }
      let options = ForeignOptions(map: try ForeignMap(), allowsLoss: true)
      _ = try migrator.convert(options, history: ["v1", "v2 tags"], of: "GRDB")
    default:
      _ = try migrator.apply { progress in
        switch progress {
        case .began, .copied, .ran, .prepared: break
        case .advanced, .finished: onBatch()
        }
      }
    }
  }

  /// Whether running again after it was done is no error.
  var canRepeat: Bool { self != .undo }
}

// MARK: - Steps

extension FaultCase {
  private static let withNote = Models.first.changing("File") {
    $0.attributes.append(AttributeDescription("note", .string, isOptional: true))
  }

  private static let required = Models.first.changing("File") {
    $0.attributes[2].isOptional = false
    $0.attributes[2].defaultValue = .string("none")
  }

  private static let renamed = ManagedObjectModel(
    entities: Models.first.entities.map { entity in
      var entity = entity
      if entity.name == "File" {
        entity.name = "Document"
        entity.renamingIdentifier = "File"
        entity.attributes[1].name = "bytes"
        entity.attributes[1].renamingIdentifier = "size"
      } else {
        entity.relationships[0].destination = "Document"
      }
      return entity
    })

  private static let manyFolders = Models.first.changing("File") {
    $0.relationships = [
      RelationshipDescription("folder", to: "Folder", inverse: "files", isToMany: true)
    ]
  }

  private static let statements = """
    UPDATE "File" SET "size" = "size" + 1;
    INSERT INTO "Folder" ("_id", "_version", "path") VALUES (3, 1, '/c');
    UPDATE "File" SET "folder" = 3 WHERE "_id" % 5 = 0;
    DELETE FROM "File" WHERE "_id" = 7;
    """

  private static let code: [CodeStep] = [
    .plain("plain") { rows in
      try rows.forEach("File") { file in
        try file.setValue(.string("plain \(file.key)"), for: "name")
      }
      try rows.insert("Folder", ["path": .string("/new")])
    },
    .batched("batched", over: "File", size: 15) { file, _ in
      guard case .string(let name)? = try file.value("name") else { return }
      try file.setValue(.string(name + "!"), for: "name")
    },
  ]
}
