import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Batches that change the values of a store of Core Data.
@Suite struct CoreDataBatchTests {
  private static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Item" syncable="YES">
        <attribute name="changed" optional="YES" attributeType="Date"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="ratio" optional="YES" attributeType="Float"/>
        <attribute name="size" optional="YES" attributeType="Double"/>
        <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="children" inverseEntity="Item"/>
        <relationship name="children" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="parent" inverseEntity="Item"/>
      </entity>
    </model>
    """

  private let folder: TemporaryFolder
  private var path: String { folder.file("Items.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Opens the store, which is made with an item and its three children at first.
  private func open<R>(_ body: (ManagedObjectContext) throws -> R) throws -> R {
    var options = SQLiteStoreOptions()
    options.layout = .coreData
    let isNew = !FileManager.default.fileExists(atPath: path)
    let model = try ModelDocument(Array(Self.model.utf8), file: "m").model
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model), at: .file(path), options: options)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    if isNew {
      let parent = try context.insert(entityNamed: "Item")
      for _ in 1...3 {
        try context.insert(entityNamed: "Item").setObjects([parent], for: "parent")
      }
      try context.save()
    }
    return try body(context)
  }

  private func run(_ sql: String) throws {
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    defer { connection.close() }
    try connection.execute(sql)
  }

  private func cells(_ column: String) throws -> [String] {
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    defer { connection.close() }
    let text = try connection.text(
      "SELECT group_concat(ifnull(\(column), '-'), ' ') FROM (SELECT * FROM ZITEM ORDER BY Z_PK)")
    return (text ?? "").split(separator: " ").map(String.init)
  }

  private func set(
    _ context: ManagedObjectContext, _ name: String, to value: FetchExpression,
    where format: String = "TRUEPREDICATE"
  ) throws {
    let request = FetchRequest<ManagedObject>(
      entityNamed: "Item", where: try FetchPredicate(format: format))
    _ = try context.batchUpdate(request, [(name: name, value: value)])
  }

  private func decimal(_ text: String) -> FetchExpression {
    .value(.attribute(.decimal(Decimal(string: text) ?? .nan)))
  }

  @Test func `CD-42 a batch sets dates to the present moment`() throws {
    let start = Date()
    try open { context in
      try set(context, "changed", to: .now)
      let date = try #require(try one(context, "Item", 1).value("changed", as: Date.self))
      #expect(date >= start && date <= Date())
    }
  }

  @Test func `CD-42 a batch gives a version to a row without one, and none beyond 32 bits`()
    throws
  {
    try open { _ in }
    try run("UPDATE ZITEM SET Z_OPT = NULL WHERE Z_PK = 2")
    try open { try set($0, "size", to: .value(.attribute(.double(1)))) }
    #expect(try cells("Z_OPT") == ["2", "1", "2", "2"])
    try run("UPDATE ZITEM SET Z_OPT = 2147483647 WHERE Z_PK = 3")
    try open { context in
      let error = failure { try set(context, "size", to: .value(.attribute(.double(2)))) }
      #expect(error?.code == .invalidStoredValue)
      #expect(error?.message.contains("has the largest version that Core Data has") == true)
    }
    #expect(try cells("Z_OPT") == ["2", "1", "2147483647", "2"])
    #expect(try cells("ZSIZE") == ["1.0", "1.0", "1.0", "1.0"])
  }

  @Test func `CD-42 a batch keeps no decimal number of which digits would be lost`() throws {
    try open { context in
      try set(context, "price", to: decimal("0.1"), where: "parent != nil")
      let sum = FetchExpression.aggregate(.sum, path: ["children", "price"])
      try set(context, "price", to: sum, where: "parent == nil")
    }
    #expect(try cells("ZPRICE") == ["0.3", "0.1", "0.1", "0.1"])
    try open { context in
      try set(context, "price", to: decimal("123456789012345"), where: "parent != nil")
      try set(context, "price", to: .value(.null), where: "parent == nil")
      // A price that is there is taken without the constant.
      let long = decimal("1.2345678901234567")
      try set(context, "price", to: .coalesced(.path(["price"]), long), where: "parent != nil")
      try one(context, "Item", 2).setValue(Decimal(string: "0.25"), for: "price")
      try context.save()
      for value in [
        .coalesced(.path(["price"]), long), .conditional(.constant(true), long, decimal("1")),
        .aggregate(.sum, path: ["children", "price"]),
      ] as [FetchExpression] {
        let error = failure { try set(context, "price", to: value, where: "parent == nil") }
        #expect(error?.message.contains("has more digits than the store keeps") == true, "\(value)")
      }
      let constant = failure { try set(context, "price", to: long) }
      #expect(constant?.code == .validation)
    }
    #expect(try cells("ZPRICE").first == "-")
  }

  @Test func `CD-42 a batch writes numbers of 32 bits where the model has them`() throws {
    try open { context in
      try set(context, "size", to: .value(.attribute(.double(0.1))))
      try set(context, "ratio", to: .value(.attribute(.double(0.1))), where: "parent == nil")
      try set(context, "ratio", to: .path(["size"]), where: "parent != nil")
      let ratio = try one(context, "Item", 2).value("ratio", as: Float.self)
      #expect(ratio == 0.1)
    }
    #expect(try cells("ZRATIO = 0.100000001490116119384765625") == ["1", "1", "1", "1"])
    try open { context in
      try set(context, "size", to: .value(.attribute(.double(1e39))))
      let error = failure { try set(context, "ratio", to: .path(["size"])) }
      #expect(error?.code == .validation)
    }
    #expect(try cells("ZRATIO = 0.100000001490116119384765625") == ["1", "1", "1", "1"])
  }

  @Test func `CD-42 a batch inserts numbers of 32 bits by name`() throws {
    let zoo = try Zoo()
    let context = zoo.context()
    try context.batchInsert(Dog.self, [0.1]) { weight, dog in
      dog.set("weight", to: .value(.attribute(.double(weight))))
    }
    let exact = FetchPredicate.comparison(
      .path(["weight"]), .equal, .value(.attribute(.double(Double(Float(0.1))))))
    #expect(try context.count(FetchRequest<Dog>(where: exact)) == 1)
  }
}
