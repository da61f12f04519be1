import Foundation
import OxbowContext
import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowStore
import OxbowTestSupport

/// A store in a file, so that another program can write to it: animals of three entities, and
/// keepers.
final class Zoo: Sendable {
  let coordinator: PersistentStoreCoordinator
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let types: [any ModelObject.Type] = [Animal.self, Dog.self, Cat.self, Keeper.self]
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types),
      at: .file(folder.file("zoo.sqlite"))
    )
  }

  deinit { coordinator.close() }

  func context(_ name: String = "context", owner: ContextOwner = .holder) -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, name: name, owner: owner)
  }

  /// Saves a dog, and a keeper whose guest it is, and returns their IDs.
  func fill() throws -> (dog: ManagedObjectID, keeper: ManagedObjectID) {
    let context = context()
    let dog = try context.insert(Dog.self)
    dog.name = "Laika"
    dog.bark = "loud"
    let keeper = try context.insert(Keeper.self)
    keeper.name = "Vera"
    keeper.guest = dog
    try context.save()
    return (dog.objectID, keeper.objectID)
  }

  /// Writes to the store's tables as another program does.
  func intrude(_ sql: String) throws {
    var configuration = Connection.Configuration(role: .sole)
    configuration.busyMilliseconds = 1000
    try Connection(path: folder.file("zoo.sqlite"), configuration: configuration).execute(sql)
  }

  /// The SQL for the number that the store keeps for an entity.
  func number(of entity: String) -> String {
    "(SELECT number FROM _oxbow_entities WHERE name = '\(entity)')"
  }

  /// The ID's text with another entity in it.
  func id(_ id: ManagedObjectID, as path: String) throws -> ManagedObjectID {
    let text = "x-oxbow://\(id.store.uuidString)/\(path)/p\(id.key)"
    guard let id = ManagedObjectID(text) else { throw NoID(text: text) }
    return id
  }

  struct NoID: Error { let text: String }
}

/// An enumeration without a stand-in of its own.
enum Mood: String, AttributeConvertible {
  case calm, wild
}

class Animal: ManagedObject, ModelObject {
  var name: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var weight: Float {
    get { _value(1) }
    set { _setValue(1, newValue) }
  }
  var mood: Mood {
    get { _value(2) }
    set { _setValue(2, newValue) }
  }
  var lastMood: Mood? {
    get { _optionalValue(3) }
    set { _setValue(3, newValue) }
  }
  class var entityName: String { "Animal" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Animal", className: "Animal",
      attributes: [
        AttributeDescription("name", String.attributeType, defaultValue: .string("")),
        AttributeDescription("weight", Float.attributeType, defaultValue: .double(1)),
        AttributeDescription("mood", Mood.attributeType, defaultValue: Mood.wild.attributeValue),
        AttributeDescription("lastMood", Mood.attributeType, isOptional: true),
      ])
  }
  class var _propertyNames: [String] { ["name", "weight", "mood", "lastMood"] }
  class var _propertyCount: Int { 4 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [] }
}

final class Dog: Animal {
  var bark: String {
    get { _value(4) }
    set { _setValue(4, newValue) }
  }
  override class var entityName: String { "Dog" }
  override class var entityDescription: EntityDescription {
    EntityDescription(
      "Dog", className: "Dog", parent: "Animal",
      attributes: [AttributeDescription("bark", String.attributeType, defaultValue: .string(""))])
  }
  override class var _propertyNames: [String] { Animal._propertyNames + ["bark"] }
}

final class Cat: Animal {
  var lives: Int {
    get { _value(4) }
    set { _setValue(4, newValue) }
  }
  override class var entityName: String { "Cat" }
  override class var entityDescription: EntityDescription {
    EntityDescription(
      "Cat", className: "Cat", parent: "Animal",
      attributes: [AttributeDescription("lives", Int.attributeType, defaultValue: .integer(9))])
  }
  override class var _propertyNames: [String] { Animal._propertyNames + ["lives"] }
}

final class Keeper: ManagedObject, ModelObject {
  var name: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var guest: Animal? {
    get { _object(1) }
    set { _setObject(1, newValue) }
  }
  var hours: Decimal? {
    get { _optionalValue(2) }
    set { _setValue(2, newValue) }
  }
  var since: Date? {
    get { _optionalValue(3) }
    set { _setValue(3, newValue) }
  }
  class var entityName: String { "Keeper" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Keeper", className: "Keeper",
      attributes: [
        AttributeDescription("name", String.attributeType, defaultValue: .string("")),
        AttributeDescription("hours", Decimal.attributeType, isOptional: true),
        AttributeDescription("since", Date.attributeType, isOptional: true),
      ],
      relationships: [RelationshipDescription("guest", to: "Animal")])
  }
  class var _propertyNames: [String] { ["name", "guest", "hours", "since"] }
  class var _propertyCount: Int { 4 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [] }
}
