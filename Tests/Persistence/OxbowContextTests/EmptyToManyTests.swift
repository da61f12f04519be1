import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

/// Which ends may be empty when an object is saved (review 2, P1).
@Suite struct EmptyToManyTests {
  private static func context(
    isOptional: Bool = false, minimum: Int = 0, maximum: Int = 0, isOrdered: Bool = false
  ) throws -> ManagedObjectContext {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Company", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription(
            "employees", to: "Employee", inverse: "company", isToMany: true, isOrdered: isOrdered,
            isOptional: isOptional, minimumCount: minimum, maximumCount: maximum)
        ]),
      EntityDescription(
        "Employee",
        relationships: [RelationshipDescription("company", to: "Company", inverse: "employees")]),
    ])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model, classes: []), at: .inMemory)
    return ManagedObjectContext(coordinator: coordinator)
  }

  @Test(arguments: [false, true])
  func `P1 a to-many end that is not optional may be empty`(isOrdered: Bool) throws {
    let context = try Self.context(isOrdered: isOrdered)
    let company = try context.insert(entityNamed: "Company")
    try context.save()
    let employee = try context.insert(entityNamed: "Employee")
    try company.setObjects([employee], for: "employees")
    try context.save()
    try company.setObjects([], for: "employees")
    try company.setValue("empty", for: "name")
    try context.save()
    let draft = ManagedObjectContext(parent: context)
    try draft.insert(entityNamed: "Company").setObjects([], for: "employees")
    try draft.save()
    try context.save()
    #expect(try context.count(FetchRequest(entityNamed: "Company")) == 2)
  }

  @Test(arguments: [(true, 2, 0), (false, 0, 3), (true, 0, 3)])
  func `P1 a limit for ends that are not empty leaves the empty one alone`(
    isOptional: Bool, minimum: Int, maximum: Int
  ) throws {
    let context = try Self.context(isOptional: isOptional, minimum: minimum, maximum: maximum)
    let company = try context.insert(entityNamed: "Company")
    try company.setObjects([], for: "employees")
    try context.save()
  }

  @Test func `P1 an end with a smallest count and not optional must not be empty`() throws {
    let context = try Self.context(minimum: 1)
    let company = try context.insert(entityNamed: "Company")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.validationFailures.map(\.rule) == [.required])
    let employee = try context.insert(entityNamed: "Employee")
    try company.setObjects([employee], for: "employees")
    try context.save()
    try context.delete(employee)
    #expect(throws: PersistenceError.self) { try context.save() }
    try context.rollback()
    let batch = #expect(throws: PersistenceError.self) {
      try context.batchDelete(FetchRequest<ManagedObject>(entityNamed: "Employee"))
    }
    #expect(batch?.code == .unsupported)
  }

  @Test func `P1 a batch deletes the last object of an end without a smallest count`() throws {
    let context = try Self.context()
    let company = try context.insert(entityNamed: "Company")
    try company.setObjects([context.insert(entityNamed: "Employee")], for: "employees")
    try context.save()
    let gone = try context.batchDelete(FetchRequest<ManagedObject>(entityNamed: "Employee"))
    #expect(gone.count == 1)
    #expect(try company.objects("employees").isEmpty)
  }

  @Test func `P1 a batch inserts objects whose end without a smallest count is empty`() throws {
    let types: [any ModelObject.Type] = [Firm.self, Clerk.self]
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator)
    let result = try context.batchInsert(Firm.self, ["a", "b"]) { $1.set(\.name, to: $0) }
    #expect(result.count == 2)
    let firms = try context.fetch(Firm.self, sortedBy: [SortKey("name")])
    #expect(firms.map(\.name) == ["a", "b"] && firms.allSatisfy(\.clerks.isEmpty))
    firms[0].clerks = [try context.insert(Clerk.self) { $0.firm = firms[0] }]
    try context.save()
    let error = #expect(throws: PersistenceError.self) {
      try context.batchInsert(Clerk.self, [1]) { _, _ in }
    }
    #expect(error?.code == .validation)
    #expect(error?.message.contains("'firm' needs an object") == true)
    #expect(try context.count(FetchRequest<Clerk>()) == 1)
  }
}

private final class Firm: ManagedObject, ModelObject {
  var name: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var clerks: Set<Clerk> {
    get { _objects(1) }
    set { _setObjects(1, newValue) }
  }

  class var entityName: String { "Firm" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Firm", className: "Firm", attributes: [AttributeDescription("name", String.attributeType)],
      relationships: [
        RelationshipDescription(
          "clerks", to: Clerk.entityName, inverse: "firm", isToMany: true, isOptional: false)
      ])
  }

  class var _propertyNames: [String] { ["name", "clerks"] }
  class var _propertyCount: Int { 2 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Firm.name, "name"), (\Firm.clerks, "clerks")]
  }
}

private final class Clerk: ManagedObject, ModelObject {
  var firm: Firm? {
    get { _object(0) }
    set { _setObject(0, newValue) }
  }

  class var entityName: String { "Clerk" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Clerk", className: "Clerk",
      relationships: [
        RelationshipDescription(
          "firm", to: Firm.entityName, inverse: "clerks", isOptional: false)
      ])
  }

  class var _propertyNames: [String] { ["firm"] }
  class var _propertyCount: Int { 1 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [(\Clerk.firm, "firm")] }
}
