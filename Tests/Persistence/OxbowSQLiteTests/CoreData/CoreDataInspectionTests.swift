import OxbowModel
import OxbowSQLite
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Looking at stores that Core Data wrote: what they say, and what is left beside them (nothing).
@Suite struct CoreDataInspectionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The hashes of the fixture; that of Author, which has a derived attribute, is made up.
  private static func hashes() throws -> [String: [UInt8]] {
    let document = try ModelDocument(CoreDataFixture.model(), file: "m")
    let computed = try CoreDataHashes(of: document)
    return computed.values.merging(["Author": [UInt8](repeating: 9, count: 32)]) { own, _ in own }
  }

  private func make(
    _ name: String = "s.sqlite", journal: String = "wal", uuid: String = "FIRST",
    properties: [UInt8]? = nil, model: [UInt8]? = nil, more: String = "",
    whileOpen body: () throws -> Void = {}
  ) throws {
    try CoreDataFixture.store(
      folder.file(name), properties ?? CoreDataFixture.properties(Self.hashes()),
      model: model ?? CoreDataFixture.deflated(CoreDataFixture.model()), journal: journal,
      uuid: uuid, more: more, whileOpen: body)
  }

  private func look(_ name: String = "s.sqlite") throws -> CoreDataInspection {
    try #require(try CoreDataInspection.at(folder.file(name)))
  }

  private func error(_ name: String = "s.sqlite") -> PersistenceError? {
    do throws(PersistenceError) {
      let store = try CoreDataInspection.at(folder.file(name))
      _ = try store?.requireModel()
      return nil
    } catch { return error }
  }

  /// The names, sizes and times of all files.
  private func trace() throws -> [String] {
    try folder.names().map { name in
      let facts = try FileManager.default.attributesOfItem(atPath: folder.file(name))
      return "\(name) \(facts[.size] ?? "") \(facts[.modificationDate] ?? "")"
    }
  }

  private func copy(_ names: [String: String]) throws {
    for (from, to) in names {
      try FileManager.default.copyItem(atPath: folder.file(from), toPath: folder.file(to))
    }
  }

  private static let rows = ["Author": 2, "Work": 0, "Book": 3]

  private func counts(_ store: CoreDataInspection) -> [String: Int?] {
    Dictionary(store.entities.map { ($0.name, $0.rows) }) { first, _ in first }
  }

  // MARK: - What a store says

  @Test(arguments: ["wal", "delete"])
  func `CD-30 a store says its entities, counts and hashes, and nothing is left beside it`(
    journal: String
  ) throws {
    try make(journal: journal)
    let before = try trace()
    let store = try look()
    #expect(try trace() == before)
    #expect(try folder.names() == ["s.sqlite"])
    #expect(store.identifier == "FIRST")
    #expect(store.frameworkVersion == 1344)
    #expect(store.journalMode == journal)
    #expect(counts(store) == Self.rows)
    // The key table has the name that Book had before.
    #expect(store.entities.map(\.storedName) == ["Author", "Work", "Volume"])
    #expect(store.ownKeys == ["lastSync"])
    #expect(store.history == nil)
    #expect(!store.isMirrored)
    #expect(store.notes == [])
    let comparison = try #require(try store.comparison())
    #expect(comparison.fits)
    #expect(comparison.equal == ["Book", "Work"])
    #expect(comparison.unknown == ["Author"])
    #expect(
      try store.requireModel().model
        == ModelDocument(Array(CoreDataFixture.document().utf8), file: "d").model)
  }

  @Test func `CD-30 what an app's store has beside its rows is said`() throws {
    try make(
      more: """
        CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY); INSERT INTO ATRANSACTION VALUES (1), (2);
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY); INSERT INTO ACHANGE VALUES (1), (2), (3);
        CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY); DROP TABLE ZAUTHOR;
        ALTER TABLE ZWORK RENAME TO old; CREATE TABLE ZWORK (Z_PK, Z_ENT, Z_OPT);
        INSERT INTO ZWORK VALUES ('1', '3', '1');
        """)
    try folder.write("12345", to: ".s_SUPPORT/_EXTERNAL_DATA/5C3D7A3B-0000-0000-0000-000000000000")
    let store = try look()
    #expect(store.history?.saves == 2)
    #expect(store.history?.changes == 3)
    #expect(store.isMirrored)
    #expect(store.files.count == 1)
    #expect(store.files.bytes == 5)
    #expect(
      store.notes == [
        "the entity 'Author' has no table",
        "the table ZWORK was made anew by another tool: its column Z_PK is not an INTEGER PRIMARY KEY, "
          + "so Core Data does not open the store",
      ])
    #expect(counts(store)["Author"] == .some(nil))
  }

  @Test func `CD-30 an old store has no model inside, and says where to look`() throws {
    try CoreDataFixture.store(
      folder.file("s.sqlite"), CoreDataFixture.properties(Self.hashes(), framework: 419),
      journal: "delete")
    let store = try look()
    #expect(!store.keepsModel)
    #expect(store.entities.map(\.name) == ["Author", "Work", "Volume"])
    #expect(
      error()?.message
        == "the store '\(store.path)' does not keep its model: frameworks before version 637, of 2015, "
        + "did not write it, and version 419 wrote this one; give the model of the app, an "
        + ".xcdatamodeld or .momd folder")
    #expect(error()?.code == .unsupported)
  }

  @Test func `CD-30 other databases and files are not stores of Core Data`() throws {
    try FixtureDatabase.run(folder.file("other.sqlite"), "CREATE TABLE t (a)")
    #expect(try CoreDataInspection.at(folder.file("other.sqlite")) == nil)
    try folder.write("", to: "empty.sqlite")
    #expect(try CoreDataInspection.at(folder.file("empty.sqlite")) == nil)
    #expect(error("missing.sqlite")?.code == .storeUnreachable)
    try folder.write(String(repeating: "secret", count: 1000), to: "crypt.sqlite")
    #expect(error("crypt.sqlite")?.code == .notAStore)
    try folder.write(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">",
      to: "s.xml")
    #expect(
      error("s.xml")?.message
        == "'\(folder.file("s.xml"))' is an XML store of Core Data and not a database; export it as a "
        + "SQLite store with the app that wrote it")
  }

  // MARK: - Logs

  @Test func `CD-30 a store that a program has open is read with its log`() throws {
    try make {
      let before = try folder.names()
      #expect(before == ["s.sqlite", "s.sqlite-shm", "s.sqlite-wal"])
      let store = try look()
      #expect(counts(store) == Self.rows)
      #expect(store.logBytes > 0)
      #expect(try folder.names() == before)
      // A copy of the two, with which no program has an index.
      try copy(["s.sqlite": "c.sqlite", "s.sqlite-wal": "c.sqlite-wal"])
    }
    let before = try trace()
    let copied = try look("c.sqlite")
    #expect(counts(copied) == Self.rows)
    #expect(try trace() == before)
    // Closed by Core Data, a store keeps an empty log and an index.
    try folder.write("", to: "s.sqlite-wal")
    try folder.write("", to: "s.sqlite-shm")
    let after = try trace()
    #expect(counts(try look()) == Self.rows)
    #expect(try trace() == after)
  }

  @Test func `CD-30 a log of another store is refused`() throws {
    try make("a.sqlite", uuid: "FIRST") {
      try copy(["a.sqlite-wal": "c.sqlite-wal", "a.sqlite": "p.sqlite"])
    }
    try make("b.sqlite", uuid: "SECOND")
    try copy(["b.sqlite": "c.sqlite"])
    func text(_ name: String, _ reason: String) -> String {
      let path = folder.file(name)
      return "the log '\(path)-wal' does not belong to the store '\(path)': \(reason); put the log "
        + "beside it that was copied with it, or give a copy of the file without a log, which lacks "
        + "the last saves"
    }
    #expect(
      error("c.sqlite")?.message
        == text("c.sqlite", "with it the file is the store FIRST, without it SECOND"))
    #expect(error("c.sqlite")?.code == .storeCorrupt)
    try folder.write("this is not a log of anything, is it", to: "b.sqlite-wal")
    #expect(error("b.sqlite")?.message == text("b.sqlite", "its beginning is not one of a log"))
    try FixtureDatabase.run(folder.file("d.sqlite"), "PRAGMA page_size = 1024; CREATE TABLE t (a)")
    try copy(["c.sqlite-wal": "d.sqlite-wal"])
    #expect(
      error("d.sqlite")?.message
        == text("d.sqlite", "its pages have 4096 bytes, those of the file 1024"))
    #expect(try folder.names().filter { $0.hasSuffix("-shm") } == [])
  }

  @Test func `CD-30 the journal of a program that ended is worked in on a copy`() throws {
    try make(
      journal: "delete",
      more: """
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO ZWORK SELECT i, 3, 1, 'committed' FROM n;
        PRAGMA cache_size = 5; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;
        UPDATE ZWORK SET ZTITLE = 'never committed'; DELETE FROM ZAUTHOR;
        INSERT INTO ZWORK SELECT Z_PK + 5000, 3, 1, 'more' FROM ZWORK;
        """
    ) { try copy(["s.sqlite": "c.sqlite", "s.sqlite-journal": "c.sqlite-journal"]) }
    let before = try trace()
    let store = try look("c.sqlite")
    #expect(counts(store) == ["Author": 2, "Work": 0, "Book": 1994])
    #expect(try trace() == before)
  }

  // MARK: - Damage

  @Test func `CD-30 damaged metadata and models are errors with a place`() throws {
    try make("a.sqlite", properties: Array("bplist00 and nothing more".utf8))
    #expect(
      error("a.sqlite")?.description
        == "the metadata of the store '\(folder.file("a.sqlite"))' cannot be read: "
        + "\"\(folder.file("a.sqlite"))/Z_METADATA\" is not a binary property list of version 00")
    try make("b.sqlite", model: [5, 0, 0])
    let damaged = error("b.sqlite")
    #expect(damaged?.code == .storeCorrupt)
    #expect(
      damaged?.description.hasPrefix(folder.file("b.sqlite") + "/Z_MODELCACHE:1:4: the model")
        == true)
    #expect(
      damaged?.message.hasPrefix(
        "the model of the store '\(folder.file("b.sqlite"))' cannot be read: the compressed bytes are "
          + "damaged: ") == true)
    // The rest of the store is described nevertheless.
    #expect(try look("b.sqlite").entities.map(\.rows) == [2, 0, 3])
    try make("c.sqlite", more: "DELETE FROM Z_METADATA")
    #expect(
      error("c.sqlite")?.message
        == "the table Z_METADATA of '\(folder.file("c.sqlite"))' does not have one row with an "
        + "identifier and a property list, as every store of Core Data has; restore a copy")
    try make("d.sqlite", more: "UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(70000000)")
    #expect(
      error("d.sqlite")?.message.hasSuffix(
        "has 70000000 bytes, more than the limit of 67108864") == true)
  }

  @Test func `CD-30 flipped bits of metadata and models are errors or a description`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    let (list, model) = (
      try CoreDataFixture.properties(Self.hashes()),
      CoreDataFixture.deflated(CoreDataFixture.model())
    )
    func flipped(_ bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
      return bytes
    }
    for round in 0..<30 {
      try make("\(round)", journal: "delete", properties: flipped(list), model: flipped(model))
      if let failure = error("\(round)") {
        #expect(
          [.storeCorrupt, .invalidModel].contains(failure.code), "seed \(seed): \(failure)")
      }
    }
  }
}
