import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

@Suite struct ValidationTests {
  let garden: Garden
  let context: ManagedObjectContext

  init() throws {
    garden = try Garden()
    context = garden.context()
  }

  private func failures(_ body: () throws -> Void) -> [ValidationFailure] {
    let error = #expect(throws: PersistenceError.self) { try body() }
    #expect(error.map { PersistenceError.Code.validation ~= $0 } == true)
    return error?.validationFailures ?? []
  }

  @Test func `a save reports all rules that all objects break, for programs (PG-05)`() throws {
    let bed = try context.insert(Bed.self)
    let oak = try context.insert(Plant.self) { $0.name = "oak" }
    try context.save()
    let blank = try context.insert(Plant.self) { $0.height = 2000 }
    let high = try context.insert(Plant.self) {
      $0.name = "LOUD"
      $0.height = 120
      $0.bed = bed
    }
    try context.delete(oak)
    let failures = failures { try context.save() }
    #expect(
      failures == [
        ValidationFailure(
          objectID: blank.objectID, property: "height", rule: .maximum,
          message: "'height' of '\(blank)' is 2000, above the maximum 1000"),
        ValidationFailure(
          objectID: blank.objectID, property: "name", rule: "notBlank",
          message: "'name' of '\(blank)' is blank"),
        ValidationFailure(
          objectID: high.objectID, property: nil, rule: "quiet", message: "'\(high)' is shouted"),
        ValidationFailure(
          objectID: high.objectID, property: nil, rule: "fits",
          message: "'\(high)' is too high for a bed"),
        ValidationFailure(
          objectID: oak.objectID, property: nil, rule: "protected",
          message: "'\(oak)' is protected"),
      ])
    #expect(try garden.context().count(FetchRequest<Plant>()) == 1)
    #expect(context.hasChanges)
    blank.name = "fern"
    blank.height = 1
    high.name = "ivy"
    high.height = 1
    oak.name = "elm"
    try context.save()
  }

  @Test func `the rule of a property is asked of an object only when that changed (PG-05)`() throws
  {
    let plant = try context.insert(Plant.self) { $0.name = "fern" }
    try context.save()
    // Another program's value, which was not set here.
    let store = garden.context()
    let found = try #require(try store.fetch(FetchRequest<Plant>()).first)
    #expect(found.objectID == plant.objectID)
    plant.height = 3
    try context.save()
    plant.name = ""
    #expect(failures { try context.save() }.map(\.rule) == ["notBlank"])
    plant.name = "fern"
    #expect(!plant.hasChanges)
    try context.save()
  }

  @Test func `a subclass adds rules, and those of its base hold for it (PG-05)`() throws {
    let mint = try context.insert(Herb.self) {
      $0.name = ""
      $0.taste = "hot"
    }
    #expect(failures { try context.save() }.map(\.rule) == ["notBlank", "mild"])
    mint.name = "peppermint"
    mint.taste = "fresh"
    let failures = failures { try context.save() }
    #expect(failures.map(\.rule) == ["short"])
    #expect(failures.map(\.property) == ["name"])
    mint.name = "mint"
    try context.save()
    // Read as its base, it keeps the rules of its own class.
    let other = garden.context()
    let found = try #require(try other.fetch(FetchRequest<Plant>()).first)
    found.name = "peppermint"
    #expect(self.failures { try other.save() }.map(\.rule) == ["short"])
  }

  @Test func `denied deletions are failures of the save as well, all of them (PG-02, PG-05)`()
    throws
  {
    let model = try CompiledModel(
      ManagedObjectModel(entities: [
        EntityDescription(
          "Team", attributes: [AttributeDescription("name", .string, isOptional: false)],
          relationships: [
            RelationshipDescription(
              "members", to: "Member", inverse: "team", isToMany: true, deleteRule: .deny)
          ]),
        EntityDescription(
          "Member",
          relationships: [RelationshipDescription("team", to: "Team", inverse: "members")]),
      ]))
    let coordinator = try PersistentStoreCoordinator(model, at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator)
    let teams = try ["a", "b"].map { name in
      let team = try context.insert(entityNamed: "Team")
      try team.setValue(name, for: "name")
      try team.setObjects([try context.insert(entityNamed: "Member")], for: "members")
      return team
    }
    try context.save()
    for team in teams { try context.delete(team) }
    let nameless = try context.insert(entityNamed: "Team")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.message == "nothing was saved: 3 rules of the model are broken")
    #expect(
      error?.validationFailures.map(\.rule) == [.required, .deny, .deny])
    #expect(
      error?.validationFailures.map(\.objectID) == ([nameless] + teams).map(\.objectID))
    #expect(error?.validationFailures.map(\.property) == ["name", "members", "members"])
  }
}
