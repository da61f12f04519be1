import OxbowModel
import OxbowRelational
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Large values in files beside the store.
@Suite struct ExternalStorageTests {
  // MARK: Round trips

  @Test(arguments: filed, [999, 1000, 1001, 300_000])
  func `PG-17 a value comes back as it was saved, on both sides of the threshold`(
    _ kind: StoreKind, _ count: Int
  ) throws {
    let library = try albums(kind)
    let (first, second) = (image(1, count), image(2, count))
    try library.addPhoto(1, ["image": .data(first), "thumbnail": .data(second)])
    #expect(library.externalNames.count == (count > 1000 ? 1 : 0))
    #expect(library.incomingNames == [])
    #expect(try library.data(1) == first)
    #expect(try library.data(1, "thumbnail") == second)
    try library.changePhoto(1, 1, ["image": .data(second)])
    #expect(try library.data(1) == second)
    library.store.close()
    let again = try albums(kind, in: library.scratch)
    #expect(try again.data(1) == second)
    #expect(again.externalNames.count == (count > 1000 ? 1 : 0))
  }

  @Test func `PG-17 a store in memory keeps all in rows, and a temporary one leaves nothing`()
    throws
  {
    let memory = try albums(.inMemory)
    let lookalike = Data(FileReference(byteCount: 5).bytes)
    try memory.addPhoto(1, ["image": .data(image(1)), "proof": .data(lookalike)])
    #expect(try memory.data(1) == image(1))
    #expect(try memory.data(1, "proof") == lookalike)
    #expect(memory.externalNames == [])
    let temporary = try albums(.temporary)
    try temporary.addPhoto(1, ["image": .data(image(1))])
    #expect(try temporary.data(1) == image(1))
    #expect(temporary.externalNames.count == 1)
    temporary.store.close()
    #expect(!FileManager.default.fileExists(atPath: temporary.folder))
    #expect(!FileManager.default.fileExists(atPath: temporary.store.path))
  }

  @Test func `PG-17 a value is delivered by fetches of rows and by statements too`() throws {
    let library = try albums()
    try library.addPhoto(1, ["title": .string("a"), "image": .data(image(1))])
    let query = try ColumnQuery(
      entity: library.entity("Photo").index, columns: ["title", "image"])
    #expect(
      try library.store.rows(of: query).values == [
        .attribute(.string("a")), .attribute(.data(image(1))),
      ])
    let rows = try library.store.rows(of: SQLText("SELECT image, title FROM Photo"))
    #expect(rows.count == 1)
    #expect(try rows[0].value("image", as: Data.self) == image(1))
    let count = try ColumnQuery(
      entity: library.entity("Photo").index, columns: ["count(image)"])
    #expect(try library.store.rows(of: count).values == [.attribute(.integer(1))])
  }

  @Test(arguments: filed)
  func `PG-17 a value that looks like a reference is a value`(_ kind: StoreKind) throws {
    let library = try albums(kind)
    try library.addPhoto(1, ["image": .data(image(1))])
    let lookalike = Data(try library.cell(1).utf8)
    #expect(lookalike.count == FileReference.length)
    #expect(lookalike.count == RowReader.referenceLength)
    try library.addPhoto(2, ["thumbnail": .data(lookalike), "title": .string("second")])
    #expect(try library.data(2, "thumbnail") == lookalike)
    #expect(library.externalNames.count == 2)
    try library.deletePhoto(2)
    try library.tidy()
    #expect(try library.data(1) == image(1))
    #expect(library.externalNames.count == 1)
  }

  @Test func `PG-17 a value that looked like a reference before there were any is one still`()
    throws
  {
    let plain = try albums(model: albumModel(allowsExternalStorage: false))
    let lookalike = Data(FileReference(byteCount: 5).bytes)
    try plain.addPhoto(1, ["image": .data(lookalike), "thumbnail": .data(lookalike)])
    #expect(try plain.data(1) == lookalike)
    plain.store.close()
    let library = try albums(in: plain.scratch)
    #expect(try library.data(1) == lookalike)
    #expect(try library.data(1, "thumbnail") == lookalike)
    #expect(library.externalNames.count == 2)
  }

  @Test func `PG-17 switched on and off, a value moves when it is next assigned`() throws {
    let plain = try albums(model: albumModel(allowsExternalStorage: false))
    try plain.addPhoto(1, ["image": .data(image(1))])
    let plainDigest = try SQLiteStoreFile(plain.store.path).digest()
    #expect(plainDigest.layoutVersion == 1 && plainDigest.fileCount == 0)
    plain.store.close()
    let library = try albums(in: plain.scratch)
    #expect(try SQLiteStoreFile(library.store.path).digest().layoutVersion == 2)
    #expect(library.externalNames == [])
    #expect(try library.data(1) == image(1))
    try library.changePhoto(1, 1, ["image": .data(image(2))])
    #expect(library.externalNames.count == 1)
    let digest = try SQLiteStoreFile(library.store.path).digest()
    #expect(digest.fileCount == 1 && digest.fileBytes == image(2).count)
    library.store.close()
    let again = try albums(model: albumModel(allowsExternalStorage: false), in: plain.scratch)
    #expect(try again.data(1) == image(2))
    try again.changePhoto(1, 2, ["image": .data(image(3))])
    #expect(try again.data(1) == image(3))
    #expect(try again.cell(1).hasPrefix("oxbow-file:") == false)
    try again.tidy()
    #expect(again.externalNames == [])
  }

  @Test func `PG-17 a store that was opened before there were files reads them, and replaces them`()
    throws
  {
    let plain = try albums(model: albumModel(allowsExternalStorage: false))
    try plain.addPhoto(1, ["image": .data(image(1))])
    #expect(try plain.data(1) == image(1))
    let library = try albums(in: plain.scratch)
    try library.addPhoto(2, ["image": .data(image(2))])
    try library.addPhoto(3, ["image": .data(image(3))])
    let rows = try plain.store.rows(of: SQLText("SELECT image FROM Photo ORDER BY _id DESC"))
    #expect(try rows[0].value("image", as: Data.self) == image(3))
    #expect(try plain.data(2) == image(2))
    try plain.changePhoto(2, 1, ["image": nil])
    try plain.deletePhoto(3)
    try library.tidy()
    #expect(library.externalNames == [])
  }

  @Test func `PG-17 what a transformer makes data of is in files as well`() throws {
    let notes = AttributeDescription(
      "notes", .transformable, isOptional: true, allowsExternalStorage: true)
    let library = try albums(
      model: ManagedObjectModel(entities: [EntityDescription("Photo", attributes: [notes])]))
    try library.addPhoto(1, ["notes": .data(image(1))])
    #expect(library.externalNames.count == 1)
    #expect(try library.data(1, "notes") == image(1))
  }

  @Test func `PG-17 files are as private as the store`() throws {
    let library = try albums()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: library.store.path)
    try library.addPhoto(1, ["image": .data(image(1))])
    func permissions(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try permissions(library.folder) == 0o700)
    #expect(try permissions(library.folder + "/" + library.externalNames[0]) == 0o600)
  }

  // MARK: What is replaced

  @Test(arguments: filed)
  func `PG-17 a file goes with its value: replaced, emptied or deleted`(_ kind: StoreKind) throws {
    let library = try albums(kind)
    for key in 1...20 as ClosedRange<Int64> {
      try library.addPhoto(
        key, ["image": .data(image(Int(key))), "proof": .data(image(100 + Int(key)))])
    }
    #expect(library.externalNames.count == 40)
    try library.changePhoto(1, 1, ["image": .data(image(50))])
    try library.changePhoto(2, 1, ["image": nil])
    try library.changePhoto(3, 1, ["title": .string("untouched files")])
    try library.deletePhoto(4, 1)
    try library.save { changes in
      changes.deletes = try (10...20).map { try library.delete("Photo", $0, 1) }
    }
    #expect(try library.tidy())
    // 40 and one, less the old ones of 1, 2, 4 and the eleven.
    #expect(library.externalNames.count == 41 - 1 - 1 - 2 - 22)
    #expect(try library.data(1) == image(50))
    #expect(try library.data(2) == nil)
    #expect(try library.data(3) == image(3))
    #expect(try library.data(3, "proof") == image(103))
    #expect(try SQLiteStoreFile(library.store.path).check() == [])
  }

  @Test(arguments: filed)
  func `PG-17 a batch update gives each row a file of its own, and discards those before`(
    _ kind: StoreKind
  ) throws {
    let library = try albums(kind)
    for key in 1...3 as ClosedRange<Int64> {
      try library.addPhoto(key, ["image": .data(image(Int(key)))])
    }
    let property = try library.property("Photo", "image").index
    func set(_ value: FetchValue) throws {
      _ = try library.store.update(
        StoreUpdate(try library.fetch("Photo"), [(property, .value(value))]))
    }
    try set(.attribute(.data(image(9))))
    try library.tidy()
    #expect(library.externalNames.count == 3)
    for key in 1...3 as ClosedRange<Int64> { #expect(try library.data(key) == image(9)) }
    try set(.null)
    try library.tidy()
    #expect(library.externalNames == [])
  }

  @Test func `PG-17 a batch update refuses what two rows would share, and what looks like a file`()
    throws
  {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    func error(_ name: String, _ value: FetchExpression) throws -> String {
      let update = StoreUpdate(
        try library.fetch("Photo"), [(try library.property("Photo", name).index, value)])
      return errorOf { _ = try library.store.update(update) }?.message ?? ""
    }
    #expect(
      try error("proof", .path(["image"])).hasPrefix(
        "'proof' cannot be set to the value of another attribute"))
    let lookalike = Data(try library.cell(1).utf8)
    #expect(
      try error("thumbnail", .value(.attribute(.data(lookalike)))).contains(
        "they look like what the store keeps for a value in a file"))
    try library.tidy()
    #expect(try library.data(1) == image(1))
  }

  @Test(arguments: filed)
  func `PG-17 a refused save leaves no file, and what it would have replaced`(_ kind: StoreKind)
    throws
  {
    let library = try albums(kind)
    try library.addPhoto(1, ["image": .data(image(1)), "number": .integer(1)])
    let stale = errorOf { try library.changePhoto(1, 9, ["image": .data(image(2))]) }
    #expect(stale?.code == .conflict)
    let taken = errorOf {
      try library.addPhoto(2, ["image": .data(image(3)), "number": .integer(1)])
    }
    #expect(taken?.code == .uniquenessViolated)
    let refused = errorOf {
      var changes = ChangeSet()
      changes.deletes = [try library.delete("Photo", 1, 1)]
      changes.inserts = [try library.insert("Photo", 3, ["image": .data(image(4))])]
      try library.store.save(changes) { () throws(PersistenceError) in
        throw PersistenceError(.validation, "no")
      }
    }
    #expect(refused?.message == "no")
    #expect(library.externalNames.count == 1)
    #expect(library.incomingNames == [])
    try library.tidy()
    #expect(try library.data(1) == image(1))
  }

  @Test func `PG-17 values are exchanged between rows whose numbers are unique`() throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1)), "number": .integer(1)])
    try library.addPhoto(2, ["image": .data(image(2)), "number": .integer(2)])
    try library.save { changes in
      changes.updates = [
        try library.update("Photo", 1, 1, ["image": .data(image(3)), "number": .integer(2)]),
        try library.update("Photo", 2, 1, ["image": .data(image(4)), "number": .integer(1)]),
      ]
    }
    try library.tidy()
    #expect(try library.data(1) == image(3))
    #expect(try library.data(2) == image(4))
    #expect(library.externalNames.count == 2)
    #expect(try SQLiteStoreFile(library.store.path).check() == [])
  }

  @Test(arguments: filed)
  func `PG-17 of saves that share a commit, one that fails takes only its own files along`(
    _ kind: StoreKind
  ) throws {
    let library = try albums(kind)
    try library.addPhoto(1, ["image": .data(image(1)), "number": .integer(1)])
    var saves: [ChangeSet] = []
    for key in 2...6 as ClosedRange<Int64> {
      var changes = ChangeSet()
      // The fourth takes the number of the first photo.
      changes.inserts = [
        try library.insert(
          "Photo", key, ["image": .data(image(Int(key))), "number": .integer(key == 4 ? 1 : key)])
      ]
      saves.append(changes)
    }
    let errors = try saveTogether(saves, library.store)
    #expect(errors.map { $0?.code } == [nil, nil, .uniquenessViolated, nil, nil])
    #expect(library.externalNames.count == 5)
    #expect(library.incomingNames == [])
    for key in [1, 2, 3, 5, 6] as [Int64] { #expect(try library.data(key) == image(Int(key))) }
    #expect(try SQLiteStoreFile(library.store.path).check() == [])
  }

  @Test func `PG-17 many discarded files are removed as saves go on`() throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(0))])
    for number in 1...200 as ClosedRange<Int64> {
      try library.changePhoto(1, number, ["image": .data(image(Int(number)))])
      #expect(library.externalNames.count <= 65)
    }
    library.store.close()
    #expect(library.externalNames.count == 1)
  }

  // MARK: Readers

  @Test(arguments: filed)
  func `PG-17 no reader misses a file while others replace and remove them`(_ kind: StoreKind)
    async throws
  {
    let library = try albums(kind)
    for key in 1...4 as ClosedRange<Int64> {
      try library.addPhoto(key, ["number": .integer(key), "image": .data(image(Int(key)))])
    }
    let photos = try library.fetch("Photo")
    let (number, picture) = (
      try library.property("Photo", "number"), try library.property("Photo", "image")
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<150 {
            for slab in try library.store.rows(of: photos) {
              for row in 0..<slab.count {
                guard case .integer(let value)? = slab.storedValue(row, number) else { continue }
                #expect(slab.storedValue(row, picture) == .data(image(Int(value))))
              }
            }
          }
        }
      }
      group.addTask {
        for round in 1...60 as ClosedRange<Int64> {
          for key in 1...4 as ClosedRange<Int64> {
            let next = 10 * round + key
            try library.changePhoto(
              key, round, ["number": .integer(next), "image": .data(image(Int(next)))])
          }
          try library.tidy()
        }
      }
      try await group.waitForAll()
    }
    try library.tidy()
    #expect(library.externalNames.count == 4)
  }

  @Test func `PG-17 a pinned view reads a value that was replaced and deleted meanwhile`() throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    try library.addPhoto(2, ["image": .data(image(2))])
    let view = try library.store.pinned(PinnedViewLimits(age: .seconds(3600), logBytes: 1 << 30))
    try library.changePhoto(1, 1, ["image": .data(image(3))])
    try library.deletePhoto(2, 1)
    #expect(try !library.tidy())
    try SQLiteStoreFile(library.store.path).compact()
    #expect(library.externalNames.count == 3)
    #expect(try library.data(1, in: view) == image(1))
    #expect(try library.data(2, in: view) == image(2))
    #expect(try library.data(1) == image(3))
    view.close()
    #expect(try library.tidy())
    #expect(library.externalNames.count == 1)
  }

  @Test func `PG-17 a store that is only read settles nothing, and reads what is not settled`()
    throws
  {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    library.store.close()
    let name = library.externalNames[0]
    try FileManager.default.moveItem(
      atPath: library.folder + "/" + name, toPath: library.folder + "/incoming/" + name)
    let reader = try Library(
      options: SQLiteStoreOptions(isReadOnly: true), model: albumModel(), in: library.scratch)
    #expect(try reader.data(1) == image(1))
    #expect(reader.incomingNames == [name])
    reader.store.close()
    let writer = try albums(in: library.scratch)
    #expect(writer.incomingNames == [])
    #expect(writer.externalNames == [name])
    #expect(try writer.data(1) == image(1))
  }
}
