import OxbowModel
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

/// Files that are missing, damaged, or cannot be written.
@Suite struct ExternalFileErrorTests {
  @Test func `PG-17 a missing file is an error that says whose it is, and nothing is lost`() throws
  {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1)), "proof": .data(image(2))])
    let path = library.folder + "/" + (try library.cell(1).dropFirst(11).prefix(36))
    try FileManager.default.moveItem(atPath: path, toPath: library.scratch.file("aside"))
    let error = errorOf { _ = try library.data(1) }
    #expect(error?.code == .invalidStoredValue)
    #expect(
      error?.message
        == "the column 'image' of the table 'Photo', in the row with _id 1, has its value in the "
        + "file '\(path)', which is not there; nothing was changed: the folder belongs to the "
        + "store's file, and both are copied and moved together; put the file back from a backup")
    let query = try ColumnQuery(entity: library.entity("Photo").index, columns: ["image"])
    #expect(
      errorOf { _ = try library.store.rows(of: query) }?.message.hasPrefix(
        "the column 'image' of a fetch of rows has its value in the file") == true)
    #expect(
      errorOf { _ = try library.store.rows(of: SQLText("SELECT image FROM Photo")) }?.message
        .hasPrefix("the column 'image' has its value in the file") == true)
    // Other attributes can be read, and the rows counted.
    #expect(try library.store.count(of: library.fetch("Photo")) == 1)
    #expect(
      try SQLiteStoreFile(library.store.path).check() == [
        "the file '\(path)' of a value is missing"
      ])
    #expect(
      errorOf { try SQLiteStoreFile(library.store.path).backUp(to: library.scratch.file("copy")) }?
        .code == .invalidStoredValue)
    #expect(!FileManager.default.fileExists(atPath: library.scratch.file("copy-files")))
    try FileManager.default.moveItem(atPath: library.scratch.file("aside"), toPath: path)
    #expect(try library.data(1) == image(1))
  }

  @Test func `PG-17 a file of another size is not taken for the value`() throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    let path = library.folder + "/" + library.externalNames[0]
    try Data(image(1).prefix(10)).write(to: URL(filePath: path))
    let error = errorOf { _ = try library.data(1) }
    #expect(error?.code == .invalidStoredValue)
    #expect(error?.message.contains("which has 10 bytes, and 2000 were written") == true)
    #expect(try SQLiteStoreFile(library.store.path).check().count == 1)
  }

  @Test(arguments: filed)
  func `PG-17 where no file can be written, nothing is saved, and a smaller value is`(
    _ kind: StoreKind
  ) throws {
    let library = try albums(kind)
    try Data("not a folder".utf8).write(to: URL(filePath: library.folder))
    let error = errorOf { try library.addPhoto(1, ["image": .data(image(1))]) }
    #expect(error?.code == .ioFailure)
    #expect(
      error?.message.contains("belongs in '\(library.folder)', which must be a folder, but is not")
        == true)
    #expect(try library.keys("Photo") == [])
    try library.addPhoto(1, ["image": .data(image(1, 10))])
    try FileManager.default.removeItem(atPath: library.folder)
    try library.changePhoto(1, 1, ["image": .data(image(2))])
    #expect(try library.data(1) == image(2))
  }

  @Test func `PG-17 a value that is too large is refused as it is in rows`() throws {
    let library = try albums()
    try library.store.database.write { $0.limit(valueBytes: 5000) }
    try library.addPhoto(1, ["image": .data(image(1, 5000))])
    let error = errorOf { try library.addPhoto(2, ["image": .data(image(2, 5001))]) }
    #expect(error?.code == .validation)
    #expect(error?.message.contains("has 5001 bytes") == true)
    #expect(library.externalNames.count == 1)
  }

  @Test func `PG-17 values in files are compared with nil only`() throws {
    let library = try albums()
    try library.addPhoto(1, ["image": .data(image(1))])
    try library.addPhoto(2, [:])
    let isSet = FetchPredicate.comparison(.path(["image"]), .notEqual, .value(.null))
    #expect(try library.keys("Photo", isSet) == [1])
    #expect(try library.keys("Photo", .not(isSet)) == [2])
    #expect(try library.keys("Photo", .isIn(.path(["image"]), [.null])) == [2])
    let bytes = FetchValue.attribute(.data(image(1)))
    let refused: [FetchPredicate] = [
      .comparison(.path(["image"]), .equal, .value(bytes)),
      .comparison(.value(bytes), .notEqual, .path(["image"])),
      .comparison(.path(["image"]), .less, .value(bytes)),
      .comparison(.path(["image"]), .equal, .path(["thumbnail"])),
      .isIn(.path(["image"]), [bytes, .null]),
      .isBetween(.path(["image"]), .value(bytes), .value(bytes)),
      .comparison(.coalesced(.path(["image"]), .value(.null)), .equal, .value(.null)),
    ]
    for predicate in refused {
      let error = errorOf { _ = try library.keys("Photo", predicate) }
      #expect(error?.code == .invalidPredicate, "\(predicate)")
      #expect(
        error?.message.hasPrefix("'image' of 'Photo' allows external storage, and values in files")
          == true, "\(predicate)")
    }
    #expect(
      try library.keys("Photo", .comparison(.path(["thumbnail"]), .equal, .value(bytes))) == [])
  }

  @Test func `PG-17 values in files make no order, no group and no difference`() throws {
    let library = try albums()
    var fetch = try library.fetch("Photo")
    fetch.sortKeys = [OrderingTerm(path: ["image"], ascending: true)]
    #expect(errorOf { _ = try library.store.rows(of: fetch) }?.code == .invalidPredicate)
    let photo = try library.entity("Photo").index
    let queries = [
      try ColumnQuery(entity: photo, columns: ["image", "count()"]),
      try ColumnQuery(entity: photo, columns: ["image"], isDistinct: true),
      try ColumnQuery(entity: photo, columns: ["count(distinct image)"]),
      try ColumnQuery(entity: photo, columns: ["image"], sortedBy: [.ascending("image")]),
    ]
    for query in queries {
      #expect(errorOf { _ = try library.store.rows(of: query) }?.code == .invalidPredicate)
    }
  }
}
