import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// What others link to an object between its deletion here and the save (PG-02, PG-11).
@Suite struct LatecomerTests {
  /// What the context that deletes knows of the object that others link.
  enum Knowledge: CaseIterable { case edited, registered, none }

  /// A box, what is in it, and what belongs to that.
  private final class Attic {
    let folder: TemporaryFolder
    let coordinator: PersistentStoreCoordinator
    let mine: ManagedObjectContext
    let theirs: ManagedObjectContext

    /// The box that is deleted here, and the item that others put into it.
    let box: ManagedObject
    let item: ManagedObject

    init(_ rule: DeleteRule, _ policy: MergePolicy) throws {
      folder = try TemporaryFolder()
      let name = AttributeDescription("name", .string, isOptional: true)
      let model = ManagedObjectModel(entities: [
        EntityDescription(
          "Box", attributes: [name],
          relationships: [
            RelationshipDescription(
              "items", to: "Item", inverse: "box", isToMany: true, deleteRule: rule),
            RelationshipDescription("label", to: "Label", inverse: "box", deleteRule: rule),
          ]),
        EntityDescription(
          "Item", attributes: [name],
          relationships: [
            RelationshipDescription("box", to: "Box", inverse: "items"),
            RelationshipDescription(
              "parts", to: "Part", inverse: "item", isToMany: true, deleteRule: .cascade),
          ]),
        EntityDescription(
          "Label", relationships: [RelationshipDescription("box", to: "Box", inverse: "label")]),
        EntityDescription(
          "Part", relationships: [RelationshipDescription("item", to: "Item", inverse: "parts")]),
      ])
      coordinator = try PersistentStoreCoordinator(
        CompiledModel(model), stores: [SQLiteStoreDescription(.file(folder.file("s.sqlite")))])
      mine = ManagedObjectContext(coordinator: coordinator)
      theirs = ManagedObjectContext(coordinator: coordinator)
      mine.mergePolicy = policy
      box = try theirs.insert(entityNamed: "Box")
      item = try theirs.insert(entityNamed: "Item")
      try theirs.insert(entityNamed: "Part").setObjects([item], for: "item")
      try theirs.save()
    }

    deinit { coordinator.close() }

    func here(_ object: ManagedObject) throws -> ManagedObject {
      try mine.existingObject(with: object.objectID, as: ManagedObject.self)
    }

    /// Learns of the item, deletes the box, and lets others put the item into it.
    ///
    /// - Returns: What has to be held.
    func collide(_ knowledge: Knowledge) throws -> [ManagedObject] {
      let known = knowledge == .none ? [] : [try here(item)]
      if knowledge == .edited { try known[0].setValue("mine", for: "name") }
      try mine.delete(here(box))
      try item.setObjects([box], for: "box")
      try theirs.save()
      return known
    }

    /// The names of the items in the store and whether they are in a box, and how many boxes and
    /// parts there are.
    func contents() throws -> (items: [String], boxes: Int, parts: Int) {
      let fresh = ManagedObjectContext(coordinator: coordinator)
      let items = try fresh.fetch(FetchRequest<ManagedObject>(entityNamed: "Item")).map { item in
        let name = try item.value("name", as: String.self) ?? "-"
        return try item.objects("box").isEmpty ? name : "\(name) in a box"
      }
      return (
        items, try fresh.count(FetchRequest<ManagedObject>(entityNamed: "Box")),
        try fresh.count(FetchRequest<ManagedObject>(entityNamed: "Part"))
      )
    }
  }

  @Test(
    arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback],
    [DeleteRule.nullify, .cascade, .deny])
  func `where the store wins, the deletion is taken back (PG-11)`(
    _ policy: MergePolicy, _ rule: DeleteRule
  ) throws {
    for knowledge in Knowledge.allCases {
      let attic = try Attic(rule, policy)
      let known = try attic.collide(knowledge)
      try attic.mine.save()
      let name = knowledge == .edited && policy != .rollback ? "mine" : "-"
      #expect(try attic.contents() == (["\(name) in a box"], 1, 1), "\(knowledge)")
      let box = try attic.here(attic.box)
      #expect(!box.isDeleted && !attic.mine.hasChanges)
      #expect(try box.objects("items") == [attic.here(attic.item)])
      #expect(!attic.mine.mergedConflicts.isEmpty)
      withExtendedLifetime(known) {}
    }
  }

  @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback])
  func `a deletion is taken back although others have deleted what it unlinked (PG-11)`(
    _ policy: MergePolicy
  ) throws {
    let attic = try Attic(.nullify, policy)
    try attic.item.setObjects([attic.box], for: "box")
    try attic.theirs.save()
    let box = try attic.here(attic.box)
    #expect(try box.objects("items").count == 1)
    attic.mine.sweep()
    try attic.box.setValue("theirs", for: "name")
    try attic.theirs.delete(attic.item)
    try attic.theirs.save()
    try attic.mine.delete(box)
    try attic.mine.save()
    #expect(try attic.contents() == ([], 1, 0))
    #expect(!box.isDeleted && !attic.mine.hasChanges)
    #expect(try box.objects("items").isEmpty)
  }

  @Test(
    arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite],
    [(DeleteRule.nullify, ["-"], 1), (.cascade, [], 0)])
  func `where the context wins, the rule goes for what others have linked as well (PG-02, PG-11)`(
    _ policy: MergePolicy, _ expected: (rule: DeleteRule, items: [String], parts: Int)
  ) throws {
    for knowledge in [Knowledge.registered, .none] {
      let attic = try Attic(expected.rule, policy)
      let known = try attic.collide(knowledge)
      try attic.mine.save()
      #expect(try attic.contents() == (expected.items, 0, expected.parts), "\(knowledge)")
      #expect(attic.mine.mergedConflicts.map(\.kind) == [.deleteOfUpdated])
      #expect(attic.mine.mergedConflicts.map(\.objectID) == [attic.box.objectID])
      withExtendedLifetime(known) {}
    }
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyObjectTrump, DeleteRule.nullify, ["mine"], 1),
    (.mergeByPropertyObjectTrump, .cascade, [], 0),
    // The item as a whole is written as it was here: in no box.
    (.overwrite, .cascade, ["mine"], 1),
  ])
  func `what was changed here too goes by the same rules (PG-02, PG-11)`(
    _ policy: MergePolicy, _ rule: DeleteRule, _ items: [String], _ parts: Int
  ) throws {
    let attic = try Attic(rule, policy)
    let known = try attic.collide(.edited)
    try attic.mine.save()
    #expect(try attic.contents() == (items, 0, parts))
    withExtendedLifetime(known) {}
  }

  @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func `the rule deny denies what others have linked (PG-02, PG-11)`(_ policy: MergePolicy) throws {
    let attic = try Attic(.deny, policy)
    _ = try attic.collide(.none)
    let error = #expect(throws: PersistenceError.self) { try attic.mine.save() }
    #expect(error?.code == .validation)
    #expect(try attic.contents() == (["- in a box"], 1, 1))
    #expect(try attic.here(attic.box).isDeleted)
  }

  @Test(
    arguments: [MergePolicy.error, .mergeByProperty], [DeleteRule.nullify, .cascade])
  func `without an answer the error names both ends, and a second deletion knows them (PG-11)`(
    _ policy: MergePolicy, _ rule: DeleteRule
  ) throws {
    let attic = try Attic(rule, policy)
    _ = try attic.collide(.none)
    let error = #expect(throws: PersistenceError.self) { try attic.mine.save() }
    #expect(error?.code == .conflict)
    #expect(error?.conflicts.map(\.kind) == [.deleteOfUpdated])
    #expect(error?.objectIDs == [attic.box.objectID])
    #expect(
      error?.message.hasPrefix("others have led objects to what is deleted here: 'items' of ")
        == true)
    #expect(try attic.here(attic.box).isDeleted)
    #expect(try attic.contents() == (["- in a box"], 1, 1))

    try attic.mine.rollback()
    try attic.mine.delete(attic.here(attic.box))
    try attic.mine.save()
    #expect(try attic.contents() == (rule == .cascade ? ([], 0, 0) : (["-"], 0, 1)))
  }

  @Test(arguments: [
    (MergePolicy.rollback, DeleteRule.cascade, 1, 1), (.overwrite, .cascade, 0, 0),
    (.overwrite, .nullify, 0, 1),
  ])
  func `an end to one whose key others have is no exception (PG-01, PG-11)`(
    _ policy: MergePolicy, _ rule: DeleteRule, _ boxes: Int, _ labels: Int
  ) throws {
    let attic = try Attic(rule, policy)
    try attic.mine.delete(attic.here(attic.box))
    try attic.theirs.insert(entityNamed: "Label").setObjects([attic.box], for: "box")
    try attic.theirs.save()
    try attic.mine.save()
    let fresh = ManagedObjectContext(coordinator: attic.coordinator)
    #expect(try fresh.count(FetchRequest<ManagedObject>(entityNamed: "Box")) == boxes)
    #expect(try fresh.count(FetchRequest<ManagedObject>(entityNamed: "Label")) == labels)
  }

  @Test func `a merge that finds them and fails has changed nothing (PG-11)`() throws {
    let attic = try Attic(.nullify, .mergeByPropertyObjectTrump)
    _ = try attic.collide(.none)
    try attic.mine.insert(entityNamed: "Item").setValue("new", for: "name")
    // Others have deleted what a new link leads to: this policy has no answer to that.
    let gone = try attic.theirs.insert(entityNamed: "Box")
    try attic.theirs.save()
    let item = try attic.mine.insert(entityNamed: "Item")
    try item.setObjects([attic.here(gone)], for: "box")
    try attic.theirs.delete(gone)
    try attic.theirs.save()
    #expect(throws: PersistenceError.self) { try attic.mine.save() }
    #expect(try attic.contents() == (["- in a box"], 1, 1))
    #expect(try attic.here(attic.box).isDeleted)
    #expect(try item.objects("box").count == 1)
  }
}
