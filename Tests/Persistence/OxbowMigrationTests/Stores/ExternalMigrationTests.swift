import Foundation
import OxbowMigration
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Migrations of stores with values in files.
@Suite struct ExternalMigrationTests {
  private let lab: Lab

  private static let model = ManagedObjectModel(entities: [
    EntityDescription("Folder", attributes: [AttributeDescription("path", .string)]),
    EntityDescription(
      "Photo",
      attributes: [
        AttributeDescription("title", .string),
        AttributeDescription("image", .binaryData, isOptional: true, allowsExternalStorage: true),
        AttributeDescription("proof", .binaryData, isOptional: true, allowsExternalStorage: true),
      ]),
  ])

  init() throws {
    lab = try Lab()
    try lab.add(Self.model, "initial")
    _ = try lab.migrator().apply()
    let store = try open(Self.model)
    defer { store.close() }
    let photo = try store.model.requireEntity(named: "Photo")
    var changes = ChangeSet()
    changes.inserts = (1...3).map { key in
      ChangeSet.Insert(
        entity: photo.index, key: key,
        values: ContiguousArray(
          photo.properties.map { property in
            switch property.name {
            case "title": .string("photo \(key)")
            case "image": .data(Self.bytes(key))
            default: .data(Self.bytes(10 * key))
            }
          }))
    }
    try store.save(changes)
    #expect(try files() == 6)
  }

  private static func bytes(_ number: Int64) -> Data {
    Data(repeating: UInt8(number), count: 2000)
  }

  private func open(_ model: ManagedObjectModel) throws -> SQLiteStore {
    try SQLiteStore(
      CompiledModel(model), at: .file(lab.store), options: .init(externalStorageThreshold: 1000))
  }

  /// The number of files, with those that wait for the next opening.
  private func files() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: lab.store + "-files")
      .filter { $0 != "incoming" }.count
  }

  /// The values of an attribute, by the keys of the objects; the store is opened and closed.
  private func values(_ entity: String, _ name: String, _ model: ManagedObjectModel) throws
    -> [Int64: Data]
  {
    let store = try open(model)
    defer { store.close() }
    let entity = try store.model.requireEntity(named: entity)
    var values: [Int64: Data] = [:]
    for slab in try store.rows(of: StoreFetch(entity: entity.index)) {
      for row in 0..<slab.count {
        guard
          case .data(let data)? = slab.storedValue(row, try entity.requireProperty(named: name))
        else { continue }
        values[slab._key(row)] = data
      }
    }
    return values
  }

  private static let all: [Int64: Data] = [1: bytes(1), 2: bytes(2), 3: bytes(3)]

  @Test func `PG-17 a rebuilt and renamed table keeps its files`() throws {
    let next = Self.model.changing("Photo") { photo in
      photo.name = "Picture"
      photo.renamingIdentifier = "Photo"
      photo.attributes[1].name = "scan"
      photo.attributes[1].renamingIdentifier = "image"
      photo.attributes[1].isOptional = false
      photo.attributes.append(
        AttributeDescription("rank", .integer32, defaultValue: .integer(7)))
    }
    try lab.add(next)
    _ = try lab.migrator().apply()
    #expect(try values("Picture", "scan", next) == Self.all)
    #expect(try files() == 6)
    #expect(try SQLiteStoreFile(lab.store).check() == [])
  }

  @Test func `PG-17 a removed attribute and a removed entity take their files along`() throws {
    let next = Self.model.changing("Photo") { $0.attributes.removeLast() }
    try lab.add(next)
    _ = try lab.migrator().apply(allowsLoss: true)
    #expect(try values("Photo", "image", next) == Self.all)
    #expect(try files() == 3)
    let last = next.removing("Photo")
    try lab.add(last)
    _ = try lab.migrator().apply(allowsLoss: true)
    try open(last).close()
    #expect(try files() == 0)
    #expect(try SQLiteStoreFile(lab.store).check() == [])
  }

  @Test func `PG-17 a step in Swift reads the values, and what it writes is in rows`() throws {
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "mirror", run: "x")
    let step = CodeStep.plain("mirror") { rows in
      try rows.forEach("Photo") { photo in
        guard case .data(let data)? = try photo.value("image") else { return }
        #expect(data == Self.bytes(photo.key))
        try photo.setValue(.data(Data(data.map { 100 + $0 })), for: "image")
      }
    }
    _ = try Lab.migrator(lab.store, lab.migrations, code: [step]).apply()
    #expect(
      try values("Photo", "image", Self.model) == [
        1: Self.bytes(101), 2: Self.bytes(102), 3: Self.bytes(103),
      ])
    #expect(try files() == 3)
    #expect(try SQLiteStoreFile(lab.store).check() == [])
  }

  @Test func `PG-17 a script that copies a value gives the copy a file of its own`() throws {
    try lab.run("CREATE VIRTUAL TABLE words USING fts4(text); CREATE TABLE notes (text)")
    try lab.add(sql: "UPDATE \"Photo\" SET \"proof\" = \"image\";")
    _ = try lab.migrator().apply()
    #expect(try values("Photo", "proof", Self.model) == Self.all)
    #expect(try files() == 6)
    let store = try open(Self.model)
    var changes = ChangeSet()
    changes.updates = [
      ChangeSet.Update(
        entity: try store.model.requireEntity(named: "Photo").index, key: 1, version: 1,
        values: [
          (try store.model.requireEntity(named: "Photo").requireProperty(named: "image").index, nil)
        ])
    ]
    try store.save(changes)
    store.close()
    #expect(try values("Photo", "proof", Self.model) == Self.all)
    #expect(try values("Photo", "image", Self.model).keys.sorted() == [2, 3])
    #expect(try files() == 5)
  }

  @Test func `PG-17 a step that copies values is proved by what they are, not where`() throws {
    try lab.add(
      sql: """
        -- up
        UPDATE "Photo" SET "proof" = "image";
        -- down
        UPDATE "Photo" SET "proof" = NULL;
        """)
    let copy = lab.folder.file("copy.sqlite")
    try SQLiteStoreFile(lab.store).backUp(to: copy)
    let steps = try Lab.migrator(copy, lab.migrations, code: []).verify()
    #expect(steps.map(\.outcome) == [.proved])
  }

  @Test func `PG-17 a migration that is rolled back keeps the files, and makes none`() throws {
    try lab.add(
      sql: "UPDATE \"Photo\" SET \"proof\" = \"image\"; UPDATE \"Photo\" SET \"nothing\" = 1;")
    #expect(throws: PersistenceError.self) { try lab.migrator().apply() }
    #expect(try values("Photo", "image", Self.model) == Self.all)
    #expect(try files() == 6)
    #expect(try SQLiteStoreFile(lab.store).check() == [])
  }

  @Test func `PG-17 a model that allows external storage needs no migration`() throws {
    let plain = Self.model.changing("Photo") { photo in
      for index in photo.attributes.indices {
        photo.attributes[index].allowsExternalStorage = false
      }
    }
    #expect(try Migrator(lab.backend(), folder: nil, target: plain).plan().steps.isEmpty)
    #expect(try values("Photo", "image", plain) == Self.all)
  }

  @Test func `PG-17 what a step in Swift writes is a value even if it looks like a reference`()
    throws
  {
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "mirror", run: "x")
    let names = try FileManager.default.contentsOfDirectory(atPath: lab.store + "-files")
    let name = try #require(names.first { $0 != "incoming" })
    let lookalike = Data("oxbow-file:\(name):0000002000".utf8)
    let step = CodeStep.plain("mirror") { rows in
      try rows.forEach("Photo") { photo in
        guard photo.key == 1 else { return }
        try photo.setValue(.data(lookalike), for: "image")
      }
    }
    _ = try Lab.migrator(lab.store, lab.migrations, code: [step]).apply()
    #expect(try values("Photo", "image", Self.model)[1] == lookalike)
    #expect(try files() == 6)
    #expect(try SQLiteStoreFile(lab.store).check() == [])
  }

  @Test(arguments: ["LONGBLOB", "TEXT", "VARCHAR(20)"])
  func `PG-17 a script moves values into a column of any type of a table of its own`(
    _ type: String
  ) throws {
    try lab.add(
      sql: """
        CREATE TABLE archive (id INTEGER PRIMARY KEY, data \(type));
        INSERT INTO archive SELECT _id, image FROM "Photo";
        UPDATE "Photo" SET image = NULL;
        """)
    _ = try lab.migrator().apply()
    let store = try open(Self.model)
    defer { store.close() }
    let rows = try store.rows(of: SQLText("SELECT data FROM archive ORDER BY id"))
    #expect(
      try rows.map { try $0.value("data", as: Data.self) } == [
        Self.bytes(1), Self.bytes(2), Self.bytes(3),
      ])
    #expect(try files() == 6)
  }
}
