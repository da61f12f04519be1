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
}
