import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Slices of stores of Core Data, whose decimal numbers are the results of other programs' sums.
@Suite struct CoreDataSliceTests {
  private static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Item" syncable="YES">
        <attribute name="price" optional="YES" attributeType="Decimal"/>
      </entity>
    </model>
    """

  @Test(arguments: [true, false])
  func `decimal numbers that are equal are in one slice each, however they are stored (CD-43)`(
    isAscending: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("Items.sqlite")
    var options = SQLiteStoreOptions()
    options.layout = .coreData
    let model = try ModelDocument(Array(Self.model.utf8), file: "m").model
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model), at: .file(path), options: options)
    let context = ManagedObjectContext(coordinator: coordinator)
    for _ in 1...8 { try context.insert(entityNamed: "Item").setValue(Decimal(1), for: "price") }
    try context.save()
    coordinator.close()
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    let texts = [
      "0.3", "0.30000000000000004", "0.3", "0.30000000000000016", "0.2999999999999999", "1", "NULL",
      "9007199254740993",
    ]
    for (key, text) in texts.enumerated() {
      try connection.execute("UPDATE ZITEM SET ZPRICE = \(text) WHERE Z_PK = \(key + 1)")
    }
    connection.close()
    let again = try PersistentStoreCoordinator(
      CompiledModel(model), at: .file(path), options: options)
    let reader = ManagedObjectContext(coordinator: again)
    let request = FetchRequest<ManagedObject>(
      entityNamed: "Item", sortedBy: [SortKey("price", ascending: isAscending)])
    var slice = try reader.slice(request, limit: 1)
    var forward = slice.items.map(\.objectID.key)
    while let next = slice.next, forward.count < 20 {
      slice = try reader.slice(request, after: next, limit: 1)
      forward += slice.items.map(\.objectID.key)
    }
    var backward = slice.items.map(\.objectID.key)
    while let previous = slice.previous, backward.count < 20 {
      slice = try reader.slice(request, after: previous, limit: 1)
      backward = slice.items.map(\.objectID.key) + backward
    }
    #expect(forward.sorted() == Array(1...8), "\(forward)")
    #expect(backward == forward)
    again.close()
  }

  @Test func `NaN is last in slices and limited fetches, and no slice begins there (CD-43)`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("Items.sqlite")
    var options = SQLiteStoreOptions()
    options.layout = .coreData
    let model = try CompiledModel(ModelDocument(Array(Self.model.utf8), file: "m").model)
    let maker = try PersistentStoreCoordinator(model, at: .file(path), options: options)
    let context = ManagedObjectContext(coordinator: maker)
    for _ in 1...4 { try context.insert(entityNamed: "Item").setValue(Decimal(1), for: "price") }
    try context.save()
    maker.close()
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    try connection.execute("UPDATE ZITEM SET ZPRICE = iif(Z_PK = 2, 'NaN', Z_PK)")
    connection.close()
    let coordinator = try PersistentStoreCoordinator(model, at: .file(path), options: options)
    defer { coordinator.close() }
    let reader = ManagedObjectContext(coordinator: coordinator)
    let request = FetchRequest<ManagedObject>(
      entityNamed: "Item", sortedBy: [SortKey("price")])
    let slice = try reader.slice(request, limit: 3)
    #expect(slice.items.map(\.objectID.key) == [1, 3, 4])
    let all = try reader.fetch(request)
    #expect(all.map(\.objectID.key) == [1, 3, 4, 2])
    #expect(
      failure { _ = try all[3].value("price", as: Decimal.self) }?.code == .invalidStoredValue)
    let unread = failure { _ = try reader.slice(request, after: slice.next, limit: 3) }
    #expect(unread?.code == .unsupported)
    var stored = FetchRequest<ManagedObject>(
      entityNamed: "Item", sortedBy: [SortKey("price", ascending: false)])
    stored.includesPendingChanges = false
    let error = failure { _ = try reader.slice(stored, limit: 1) }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("is not a number in the store") == true)
    // With a change that is not saved, the places are read.
    try all[0].setValue(Decimal(9), for: "price")
    var limited = request
    limited.limit = 3
    #expect(try reader.fetch(limited).map(\.objectID.key) == [3, 4, 1])
    limited.limit = 4
    #expect(try reader.fetch(limited).map(\.objectID.key) == [3, 4, 1, 2])
    // In memory, NaN meets no comparison either.
    let dear = FetchRequest<ManagedObject>(
      entityNamed: "Item", where: try FetchPredicate(format: "price > 3"),
      sortedBy: [SortKey("price")])
    #expect(try reader.fetch(dear).map(\.objectID.key) == [4, 1])
  }
}
