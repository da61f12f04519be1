import OxbowModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Classes as `@Entity` writes them, as far as predicates look at them.

class TestObject: Hashable {
  var objectID: ManagedObjectID { Objects.id("Person", 0) }

  static func == (a: TestObject, b: TestObject) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

enum Rank: String, Codable, Sendable { case high, low }

class Person: TestObject, ModelObject {
  var name: String { "" }
  var nickname: String? { nil }
  var age: Int { 0 }
  var height: Double { 0 }
  var salary: Decimal? { nil }
  var isActive: Bool { false }
  var born: Date? { nil }
  var photo: Data { Data() }
  var token: UUID? { nil }
  var homepage: URL? { nil }
  var rank: Rank { .low }
  var team: Team? { nil }
  var friends: Set<Person> { [] }
  var unstored: Int { 0 }

  class var entityName: String { "Person" }
  class var entityDescription: EntityDescription { EntityDescription("Person") }
  class var _propertyNames: [String] { _keyPaths.map(\.name) }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { keyPaths(Person.self) }

  static func keyPaths<R: Person>(_: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
    [
      (\R.name, "name"), (\R.nickname, "nickname"), (\R.age, "age"), (\R.height, "height"),
      (\R.salary, "salary"), (\R.isActive, "isActive"), (\R.born, "born"), (\R.photo, "photo"),
      (\R.token, "token"), (\R.homepage, "homepage"), (\R.rank, "rank"), (\R.team, "team"),
      (\R.friends, "friends"),
    ]
  }
}

final class Manager: Person {
  var budget: Int { 0 }

  override class var entityName: String { "Manager" }
  override class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    keyPaths(Manager.self) + [(\Manager.budget, "budget")]
  }
}

final class Team: TestObject, ModelObject {
  var title: String { "" }
  var members: Set<Person> { [] }
  var leader: Person? { nil }

  static var entityName: String { "Team" }
  static var entityDescription: EntityDescription { EntityDescription("Team") }
  static var _propertyNames: [String] { _keyPaths.map(\.name) }
  static var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Team.title, "title"), (\Team.members, "members"), (\Team.leader, "leader")]
  }
}

/// Objects in dictionaries, for evaluation.
enum Objects {
  static let store = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  static func id(_ entity: String, _ key: Int64) -> ManagedObjectID {
    ManagedObjectID(store: store, rootEntityName: entity, entityName: entity, key: key)
  }

  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Person",
      attributes: [
        AttributeDescription("name", .string),
        AttributeDescription("nickname", .string, isOptional: true),
        AttributeDescription("age", .integer64, isOptional: true),
        AttributeDescription("height", .double, isOptional: true),
        AttributeDescription("salary", .decimal, isOptional: true),
        AttributeDescription("isActive", .boolean, isOptional: true),
        AttributeDescription("born", .date, isOptional: true),
        AttributeDescription("photo", .binaryData, isOptional: true),
      ],
      relationships: [
        RelationshipDescription("team", to: "Team", inverse: "members"),
        RelationshipDescription("friends", to: "Person", isToMany: true),
      ]),
    EntityDescription(
      "Team", attributes: [AttributeDescription("title", .string)],
      relationships: [
        RelationshipDescription("members", to: "Person", inverse: "team", isToMany: true),
        RelationshipDescription("leader", to: "Person"),
      ]),
  ])
}

/// An object whose values are in dictionaries.
final class MemoryObject: PredicateTarget {
  let predicateModel: CompiledModel
  let predicateEntity: CompiledEntity
  let predicateID: ManagedObjectID
  var values: [String: AttributeValue]
  var one: [String: MemoryObject] = [:]
  var many: [String: [MemoryObject]] = [:]

  init(_ entity: String, _ key: Int64, _ values: [String: AttributeValue] = [:]) throws {
    predicateModel = try CompiledModel(Objects.model)
    predicateEntity = try predicateModel.requireEntity(named: entity)
    predicateID = Objects.id(entity, key)
    self.values = values
  }

  func predicateValue(of property: CompiledProperty) throws(PersistenceError) -> AttributeValue? {
    values[property.name]
  }

  func predicateObject(of property: CompiledProperty) throws(PersistenceError) -> MemoryObject? {
    one[property.name]
  }

  func predicateObjects(of property: CompiledProperty) throws(PersistenceError) -> [MemoryObject] {
    many[property.name] ?? []
  }
}
