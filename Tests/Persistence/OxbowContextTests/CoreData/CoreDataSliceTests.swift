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
}
