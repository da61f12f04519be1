import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Rows of other programs whose keys were reserved here.
@Suite struct TakenKeyTests {
  @Test func `after a key that another program took, objects have keys behind it (PS-02)`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(
      CompiledModel(ManagedObjectModel(types: [Stamp.self]), classes: [Stamp.self]),
      at: .file(folder.path + "/store.sqlite"))
    let coordinator = PersistentStoreCoordinator(store: store)
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert(Stamp.self).value = 1
    try context.save()
    try store.database.write {
      try $0.execute("INSERT INTO Stamp(_version, value) VALUES (1, 2), (1, 3)")
    }
    let refused = try context.insert(Stamp.self)
    refused.value = 4
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    #expect(error?.objectIDs == [refused.objectID])
    #expect(error?.message.contains("'last' in '_oxbow_keys'") == true)
    try context.delete(refused)
    for value in 4...6 { try context.insert(Stamp.self).value = value }
    try context.save()
    #expect(
      try ManagedObjectContext(coordinator: coordinator)
        .fetch(Stamp.self, sortedBy: [.ascending(\.value)]).map(\.value) == [1, 2, 3, 4, 5, 6])
    coordinator.close()
  }
}

private final class Stamp: ManagedObject, ModelObject {
  var value: Int {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  class var entityName: String { "Stamp" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Stamp", className: "Stamp", attributes: [AttributeDescription("value", .integer64)])
  }
  class var _propertyNames: [String] { ["value"] }
  class var _propertyCount: Int { 1 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { _keyPathsOfStamp(Stamp.self) }
  static func _keyPathsOfStamp<R: Stamp>(_: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
    [(\R.value, "value")]
  }
}
