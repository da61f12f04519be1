import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values that a store could not read, in rows that it could.
@Suite struct UnreadableValueTests {
  private let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Photo",
      attributes: [
        AttributeDescription("number", .integer64, isOptional: true),
        AttributeDescription("image", .binaryData, isOptional: true),
      ])
  ])

  /// The same row with a number, and an image that could not be read.
  private static func spoilt(_ slab: RowSlab, _ error: PersistenceError) -> RowSlab {
    let entity = slab.model.entities[slab._entity(0)]
    let layout = RowSlab.Layout(words: entity.slotCount)
    let row = UnsafeMutableRawPointer.allocate(byteCount: layout.stride, alignment: 8)
    RowSlab.Layout.writeHeader(
      of: row, key: slab._key(0), version: slab._version(0), entity: Int32(entity.index),
      slots: slab.model.slotTable.starts[entity.index])
    RowSlab.Layout.writeNullBits(layout.nullBits(besides: Array(0..<entity.slotCount)), of: row)
    let outside = OutsideBytes()
    let words = ["number": 7, "image": outside.append(.failure(error))]
    for (name, word) in words {
      let slot = entity.property(named: name)?.slot ?? 0
      row.storeBytes(of: word, toByteOffset: layout.wordOffset(slot), as: Int64.self)
    }
    return RowSlab(
      model: slab.model, layout: layout, rows: row, count: 1,
      bytes: .allocate(byteCount: 1, alignment: 1), byteCount: 0, outside: outside, isFault: false)
  }

  @Test func `PG-17 a value that could not be read is an error of its getter, and of no other`()
    throws
  {
    let store = FailingStore(try SQLiteStore(try CompiledModel(model), at: .temporary), [])
    defer { store.close() }
    let coordinator = PersistentStoreCoordinator(store: store)
    let writer = ManagedObjectContext(coordinator: coordinator)
    _ = try writer.insert(entityNamed: "Photo")
    try writer.save()
    let expected = PersistenceError(.invalidStoredValue, "the file is gone")
    store.spoil.withLock { $0 = { Self.spoilt($0, expected) } }
    let context = ManagedObjectContext(coordinator: coordinator)
    let request = FetchRequest<ManagedObject>(entityNamed: "Photo")
    let photo = try #require(try context.fetch(request).first)
    #expect(try photo.value("number", as: Int.self) == 7)
    let error = #expect(throws: PersistenceError.self) {
      try photo.value("image", as: Data.self)
    }
    #expect(error?.code == .invalidStoredValue)
    #expect(error?.message.contains("the file is gone") == true)
    #expect(try photo.value("number", as: Int.self) == 7)
    #expect(throws: PersistenceError.self) { try photo.attribute("image") }
  }
}
