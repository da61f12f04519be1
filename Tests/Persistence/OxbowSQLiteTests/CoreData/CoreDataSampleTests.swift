import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Every store of the samples, as Core Data wrote it; the samples themselves are never opened.
@Suite(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
struct CoreDataSampleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let documents = Samples.paths(below: "stores") { $0.hasSuffix(".xcdatamodel") }

  /// A copy of each store, with its log, in a folder of its own.
  private func stores() throws -> [(path: String, folder: String, file: String)] {
    let paths = Samples.paths(below: "stores") {
      $0.hasSuffix(".sqlite") || $0.hasSuffix(".wiredatabase")
    }
    return try paths.enumerated().map { number, path in
      let own = folder.file("\(number)")
      try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: own + "/s" + suffix)
      }
      return (path, own, own + "/s")
    }
  }

  /// What an independent reader has counted: framework and objects by entity, by store.
  private func facts() throws -> [String: (framework: Int, counts: [String: Int])] {
    let path = try #require(Samples.folder) + "/coredata-facts.tsv"
    let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    var facts: [String: (Int, [String: Int])] = [:]
    for line in text.split(separator: "\n").dropFirst() {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let counts = cells[10].split(separator: "; ").map { $0.split(separator: " ") }
      facts[cells[0]] = (
        Int(cells[1]) ?? 0,
        Dictionary(counts.map { (String($0[0]), Int($0[1]) ?? 0) }) { first, _ in first }
      )
    }
    return facts
  }

  /// Looks at a store, which stays as it is, and compares it with what was counted.
  private func look(
    _ path: String, _ folder: String, _ file: String,
    _ facts: [String: (framework: Int, counts: [String: Int])]
  ) throws -> CoreDataInspection {
    let fact = try #require(facts.first { path.hasSuffix("/stores/" + $0.key) }?.value, "\(path)")
    let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let store = try #require(try CoreDataInspection.at(file))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
    #expect(store.frameworkVersion == fact.framework, "\(path)")
    #expect(store.keepsModel == (fact.framework >= 637), "\(path)")
    let found = store.entities.filter { ($0.rows ?? 0) > 0 }.map { ($0.name, $0.rows ?? 0) }
    // The objects of the store that another tool has edited were not counted by entity.
    guard !fact.counts.isEmpty || store.notes.isEmpty else { return store }
    #expect(Dictionary(found) { first, _ in first } == fact.counts, "\(path)")
    return store
  }

  /// Hashes say the version; what is not in them may differ from the app's document.
  @Test func `CD-30 stores say what was counted, and keep the models of their apps' documents`()
    throws
  {
    let facts = try facts()
    #expect(facts.count == 52)
    let documents = try Self.documents.map { path in
      let document = try ModelDocument(contentsOf: path)
      return (path: path, document: document, hashes: try CoreDataHashes(of: document))
    }
    var (models, equal, pairs, chosen) = (0, 0, 0, 0)
    var unknown: Set<String> = []
    for (path, folder, file) in try stores() {
      let store = try look(path, folder, file, facts)
      let app = path.split(separator: "/").dropLast().joined(separator: "/")
      let document = documents.first {
        let comparison = CoreDataComparison($0.hashes, stored: store.hashes)
        return $0.path.hasPrefix("/\(app)/") && comparison.fits && comparison.unknown.isEmpty
      }
      if document != nil { chosen += 1 }
      guard let comparison = try store.comparison() else { continue }
      let model = try store.requireModel().model
      try model.validate()
      models += 1
      #expect(comparison.texts == [], "\(path)")
      equal += comparison.equal.count
      unknown.formUnion(comparison.unknown)
      guard let document else { continue }
      pairs += 1
      compare(model, document.document.model, path)
    }
    #expect((models, equal) == (49, 401))
    #expect(unknown == ["Book", "GraphicNovel"])
    #expect((chosen, pairs) == (32, 31))
  }

  /// The documents of stores that keep no model.
  private static let documentsBeside = [
    "RKSeedDatabase.sqlite": "models/RestKit__RestKit/RKTwitterCoreData.xcdatamodel",
    "CoreData.sqlite": "models/Sunic__DigitalOrder/Hotel.mom",
    "SurfJournalModel.sqlite":
      "stores/raywenderlich__cdt-materials/model/SurfJournalModel.xcdatamodel",
  ]

  private func mapping(_ path: String, _ file: String) throws -> (StoreMapping, CoreDataTables) {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let document = try Self.documentsBeside[name].map { try #require(Samples.folder) + "/" + $0 }
    let model = try CompiledModel(StoredModel.of(file, document: document))
    let connection = try Connection(path: file, configuration: .init(role: .sole))
    defer { connection.close() }
    let tables = try #require(try CoreDataTables.read(connection))
    return (try CoreDataLayout.mapping(of: model, tables, path: file), tables)
  }

  /// What neither an entity nor a link is mapped to, in the tables that have objects or links.
  private func unmapped(_ mapping: StoreMapping, _ tables: CoreDataTables) -> Set<String> {
    var used: Set<String> = []
    for entity in mapping.entities {
      let header = [entity.keyColumn, entity.versionColumn, entity.typeColumn ?? "Z_ENT"]
      for column in header + entity.columns.map(\.name) { used.insert("\(entity.table).\(column)") }
    }
    for join in mapping.joins.values {
      for column in [
        join.ownerColumn, join.memberColumn, join.memberPositionColumn, join.ownerPositionColumn,
      ] {
        if let column { used.insert("\(join.table).\(column)") }
      }
    }
    let own = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    let objects = tables.schemas.filter { $0.name.hasPrefix("Z") && !own.contains($0.name) }
    return Set(objects.flatMap { table in table.columns.map { "\(table.name).\($0.name)" } })
      .subtracting(used)
  }

  @Test func `CD-31 every column of every store is mapped, but leftovers of migrations`() throws {
    var (mapped, refused) = (0, 0)
    for (path, _, file) in try stores() {
      do {
        let (mapping, tables) = try mapping(path, file)
        #expect(unmapped(mapping, tables) == [], "\(path)")
        mapped += 1
      } catch let error as PersistenceError {
        #expect(error.message.contains("the table ZLPARENTITY was made anew"), "\(path): \(error)")
        refused += 1
      }
    }
    #expect((mapped, refused) == (51, 1))
  }

  private func compare(
    _ model: ManagedObjectModel, _ document: ManagedObjectModel, _ path: String
  ) {
    for (found, wanted) in zip(model.entities, document.entities) {
      #expect(Self.plain(found) == Self.plain(wanted), "\(path) \(wanted.name)")
      let indexes = Set(found.fetchIndexes)
      #expect(indexes.isSuperset(of: wanted.fetchIndexes), "\(path) \(wanted.name)")
    }
    #expect(model.entities.count == document.entities.count)
    #expect(model.fetchRequestTemplates == document.fetchRequestTemplates)
    #expect(model.configurations == document.configurations)
  }

  /// An entity without what a model in a store does not have.
  ///
  /// Classes may not have been loaded, indexes are those of the database, and Core Data does not
  /// know the spelling "renamingIdentifier" of one document.
  private static func plain(_ entity: EntityDescription) -> EntityDescription {
    var entity = entity
    entity.className = nil
    entity.fetchIndexes = []
    for place in entity.attributes.indices {
      entity.attributes[place].renamingIdentifier = nil
    }
    return entity
  }
}
