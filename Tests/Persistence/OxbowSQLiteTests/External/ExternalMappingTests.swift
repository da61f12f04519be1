import Foundation
import OxbowModel
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Values in files that are mapped into memory rather than read.
@Suite struct ExternalMappingTests {
  @Test(arguments: filed)
  func `PG-17 mapped values outlive their files, and the slab that brought them`(
    _ kind: StoreKind
  ) throws {
    let library = try albums(kind, mapsFiles: true)
    for key in 1...3 as ClosedRange<Int64> {
      try library.addPhoto(key, ["image": .data(image(Int(key)))])
    }
    let held = try (1...3).map { try library.data($0) }
    try library.changePhoto(1, 1, ["image": .data(image(10))])
    try library.deletePhoto(2)
    try SQLiteStoreFile(library.store.path).compact()
    #expect(library.externalNames.count == 2)
    #expect(held == [image(1), image(2), image(3)])
    #expect(try [library.data(1), library.data(2)] == [image(10), nil])
    library.store.close()
    #expect(held == [image(1), image(2), image(3)])
  }

  @Test func `PG-17 who changes mapped bytes changes neither the file nor another one's`() throws {
    let library = try albums(mapsFiles: true)
    try library.addPhoto(1, ["image": .data(image(1, 10_000))])
    let image = image(1, 10_000)
    do {
      let slabs = try library.store.rows(of: try library.entity("Photo").index, keys: [1])
      let property = try library.property("Photo", "image")
      guard case .data(var mine)? = slabs[0].storedValue(0, property) else { return }
      mine[5000] ^= 255
      mine.append(1)
      #expect(slabs[0].storedValue(0, property) == .data(image))
    }
    // Nothing else has these bytes any more.
    var alone = try #require(try library.data(1))
    alone.resetBytes(in: 0..<8000)
    #expect(alone.count == 10_000)
    #expect(try library.data(1) == image)
    #expect(try SQLiteStoreFile(library.store.path).check() == [])
  }

  @Test func `PG-17 memory is given back with the last use, and further values are read`()
    async throws
  {
    let result = await #expect(processExitsWith: .success) {
      let library = try albums(mapsFiles: true)
      for key in 1...20 as ClosedRange<Int64> {
        try library.addPhoto(key, ["image": .data(image(Int(key)))])
      }
      var slabs = try library.store.rows(of: try library.fetch("Photo"))
      #expect(MappedFiles.current == 20)
      var held = slabs[0].storedValue(7, try library.property("Photo", "image"))
      slabs = []
      #expect(MappedFiles.current == 1)
      #expect(held != nil)
      held = nil
      #expect(MappedFiles.current == 0)
      // As many as there may be.
      for _ in 0..<MappedFiles.most / 20 {
        slabs += try library.store.rows(of: try library.fetch("Photo"))
      }
      let more = try library.store.rows(of: try library.fetch("Photo"))
      #expect(MappedFiles.current == MappedFiles.most)
      let property = try library.property("Photo", "image")
      for row in 0..<20 {
        guard case .data(let data)? = more[0].storedValue(row, property) else { continue }
        #expect(data == image(Int(more[0]._key(row))))
      }
      slabs = []
      #expect(MappedFiles.current <= 20)
    }
    #expect(result != nil)
  }

  @Test func `PG-17 values of no byte and of one are there, mapped or not`() throws {
    let library = try albums(threshold: 0, mapsFiles: true)
    try library.addPhoto(1, ["image": .data(Data()), "proof": .data(Data([7]))])
    #expect(try library.data(1) == Data())
    #expect(try library.data(1, "proof") == Data([7]))
  }

  @Test func `PG-17 what is missing or damaged is the same error when it would be mapped`() throws {
    let library = try albums(mapsFiles: true)
    for key in [1, 2] as [Int64] { try library.addPhoto(key, ["image": .data(image(Int(key)))]) }
    for (key, text) in [(1, ", which is not there; "), (2, ", which has 3 bytes, and 2000 were ")] {
      let name = try library.cell(Int64(key)).split(separator: ":")[1]
      try FileManager.default.removeItem(atPath: "\(library.folder)/\(name)")
      if key == 2 { try Data("abc".utf8).write(to: URL(filePath: "\(library.folder)/\(name)")) }
      let error = errorOf { _ = try library.data(Int64(key)) }
      #expect(error?.code == .invalidStoredValue)
      #expect(error?.message.contains(text) == true)
    }
  }

  @Test func `PG-17 eight threads fetch mapped values while others are replaced`() throws {
    let library = try albums(mapsFiles: true)
    for key in 0..<10 as Range<Int64> {
      try library.addPhoto(key, ["image": .data(image(Int(key)))])
    }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<20 {
        if thread == 0 {
          for key in 0..<10 as Range<Int64> {
            #expect(throws: Never.self) {
              try library.changePhoto(
                key, Int64(round) + 1, ["image": .data(image(Int(key) + 100 * (round + 1)))])
            }
          }
        } else {
          let slabs = (try? library.store.rows(of: library.fetch("Photo"))) ?? []
          for slab in slabs {
            for row in 0..<slab.count {
              let property = try? library.property("Photo", "image")
              guard let property, case .data(let data)? = slab.storedValue(row, property) else {
                continue
              }
              let number = Int(slab._key(row)) + 100 * Int(slab._version(row) - 1)
              #expect(data == image(number))
            }
          }
        }
      }
    }
    try library.tidy()
    #expect(library.externalNames.count == 10)
  }
}
