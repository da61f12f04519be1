import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

/// Links to objects whose deletion leaves the other end as it is.
@Suite struct DanglingLinkTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Stage",
      relationships: [
        RelationshipDescription(
          "acts", to: "Act", inverse: "stage", isToMany: true, isOrdered: true,
          deleteRule: .noAction)
      ]),
    EntityDescription(
      "Act", relationships: [RelationshipDescription("stage", to: "Stage", inverse: "acts")]),
  ])

  @Test func `a link that is set before its end is deleted replaces the one in the store`() throws {
    let coordinator = try PersistentStoreCoordinator(CompiledModel(Self.model), at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator, owner: .holder)
    let (first, second) = (
      try context.insert(entityNamed: "Stage"), try context.insert(entityNamed: "Stage")
    )
    let act = try context.insert(entityNamed: "Act")
    try act.setObjects([first], for: "stage")
    try context.save()
    try act.setObjects([second], for: "stage")
    try context.delete(second)
    try context.save()
    let reader = ManagedObjectContext(coordinator: coordinator, owner: .holder)
    #expect(try reader.fetchRows(RowRequest("Act", ["stage"])).first?["stage"] != nil)
    #expect(
      try reader.count(
        FetchRequest<ManagedObject>(
          entityNamed: "Act", where: FetchPredicate(format: "stage == %@", first.objectID))) == 0)
  }
}
