import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

@Suite struct UniqueMergeTests {
  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext

  init() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Item",
        attributes: [
          AttributeDescription("code", .string, isOptional: true),
          AttributeDescription("name", .string, isOptional: true),
          AttributeDescription("count", .integer64, defaultValue: .integer(0)),
        ],
        relationships: [
          RelationshipDescription("box", to: "Box", inverse: "items"),
          RelationshipDescription("notes", to: "Note", inverse: "item", isToMany: true),
          RelationshipDescription("cover", to: "Cover", inverse: "item"),
        ], uniquenessConstraints: [["code"]]),
      EntityDescription(
        "Box",
        attributes: [AttributeDescription("label", .string, isOptional: true)],
        relationships: [
          RelationshipDescription("items", to: "Item", inverse: "box", isToMany: true)
        ]),
      EntityDescription(
        "Note",
        relationships: [RelationshipDescription("item", to: "Item", inverse: "notes")]),
      EntityDescription(
        "Cover", relationships: [RelationshipDescription("item", to: "Item", inverse: "cover")]),
      EntityDescription(
        "Tagging",
        relationships: [
          RelationshipDescription("item", to: "Item"),
          RelationshipDescription("items", to: "Item", isToMany: true, isOrdered: true),
        ]),
    ])
    coordinator = try PersistentStoreCoordinator(CompiledModel(model, classes: []), at: .inMemory)
    context = ManagedObjectContext(coordinator: coordinator)
  }

  private func item(
    _ code: String?, _ name: String?, in context: ManagedObjectContext? = nil
  ) throws -> ManagedObject {
    let item = try (context ?? self.context).insert(entityNamed: "Item")
    try item.setValue(code, for: "code")
    try item.setValue(name, for: "name")
    return item
  }

  /// The items of a fresh context: code, name and label of the box.
  private func stored() throws -> [[String?]] {
    let fresh = ManagedObjectContext(coordinator: coordinator)
    return try fresh.fetch(FetchRequest(entityNamed: "Item", sortedBy: [SortKey("code")])).map {
      [
        try $0.value("code", as: String.self), try $0.value("name", as: String.self),
        try $0.objects("box").first?.value("label", as: String.self),
      ]
    }
  }

  @Test func `texts of other bytes are two unique values for a merge, as for a store`() throws {
    let other = ManagedObjectContext(coordinator: coordinator)
    _ = try item("x", "old", in: other)
    try other.save()
    context.mergePolicy = .mergeByPropertyObjectTrump
    _ = try item("e\u{301}", "two letters")
    _ = try item("\u{E9}", "one letter")
    _ = try item("x", "new")
    try context.save()
    #expect(try stored().map { $0[1] } == ["two letters", "new", "one letter"])
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyStoreTrump, "old" as String?), (.mergeByPropertyObjectTrump, "new"),
    (.overwrite, "new"), (.rollback, "old"), (.mergeByProperty, nil), (.error, nil),
  ])
  func `a new object with a code that the store has (PG-12)`(
    _ policy: MergePolicy, _ name: String?
  ) throws {
    let old = try item("a", "old")
    try context.save()
    let importer = ManagedObjectContext(coordinator: coordinator)
    importer.mergePolicy = policy
    let new = try item("a", "new", in: importer)
    let box = try importer.insert(entityNamed: "Box")
    try box.setValue("box", for: "label")
    try new.setObjects([box], for: "box")
    let note = try importer.insert(entityNamed: "Note")
    try note.setObjects([new], for: "item")
    _ = try item("b", "other", in: importer)
    guard let name else {
      let error = #expect(throws: PersistenceError.self) { try importer.save() }
      #expect(error?.code == .uniquenessViolated)
      #expect(new.isInserted && importer.insertedObjects.count == 4)
      #expect(try note.objects("item") == [new] && new.objects("notes") == [note])
      return
    }
    try importer.save()
    let keepsLinks = policy != .rollback
    #expect(try stored() == [["a", name, keepsLinks ? "box" : nil], ["b", "other", nil]])
    #expect(new.context == nil)
    #expect(importer.mergedConflicts.map(\.kind) == [.uniqueness])
    #expect(importer.mergedConflicts.first?.holderID == old.objectID)
    #expect(importer.mergedConflicts.first?.mine?["name"] == .attribute(.string("new")))
    #expect(try note.objects("item").map(\.objectID) == (keepsLinks ? [old.objectID] : []))
  }

  @Test(
    arguments: [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .rollback])
  func `what leads to a new object without an inverse leads to the one with its code (PG-12)`(
    _ policy: MergePolicy
  ) throws {
    let old = try item("a", "old")
    try context.save()
    let importer = ManagedObjectContext(coordinator: coordinator)
    importer.mergePolicy = policy
    let new = try item("a", "new", in: importer)
    let other = try item("b", "other", in: importer)
    let tagging = try importer.insert(entityNamed: "Tagging")
    try tagging.setObjects([new], for: "item")
    try tagging.setObjects([new, other], for: "items")
    try importer.save()
    let led = policy == .rollback ? [] : [old.objectID]
    for context in [importer, ManagedObjectContext(coordinator: coordinator)] {
      let found = try context.get(tagging.objectID)
      #expect(try found.objects("item").map(\.objectID) == led)
      #expect(try found.objects("items").map(\.objectID) == led + [other.objectID])
    }
    #expect(!importer.hasChanges)
  }

  @Test func `a one-to-one that the object with the code loses ends at both ends (PG-12)`() throws {
    let old = try item("a", "old")
    let cover = try context.insert(entityNamed: "Cover")
    try old.setObjects([cover], for: "cover")
    try context.save()
    let importer = ManagedObjectContext(coordinator: coordinator)
    importer.mergePolicy = .mergeByPropertyObjectTrump
    let new = try item("a", "new", in: importer)
    let other = try importer.insert(entityNamed: "Cover")
    try new.setObjects([other], for: "cover")
    try importer.save()
    let fresh = ManagedObjectContext(coordinator: coordinator)
    #expect(try fresh.get(cover.objectID).objects("item").isEmpty)
    #expect(try fresh.get(other.objectID).objects("item").map(\.objectID) == [old.objectID])
    #expect(try fresh.get(old.objectID).objects("cover").map(\.objectID) == [other.objectID])
  }

  @Test func `a hook that fails the deletion inside of a merge fails the save (PG-12)`() throws {
    let types: [any ModelObject.Type] = [Ticket.self]
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: .inMemory)
    let setup = ManagedObjectContext(coordinator: coordinator)
    _ = try setup.insert(Ticket.self) { $0.code = "a" }
    let gone = try setup.insert(Ticket.self) { $0.code = "gone" }
    try setup.save()
    let importer = ManagedObjectContext(coordinator: coordinator)
    importer.mergePolicy = .mergeByPropertyObjectTrump
    let ghost = try importer.object(with: gone.objectID)
    try setup.delete(gone)
    try setup.save()
    let new = try importer.insert(Ticket.self) { $0.code = "a" }
    let script = Script()
    script.actions["prepareForDeletion"] = { _ in _ = (ghost as? Ticket)?.code }
    let code = Script.$bound.withValue(script) { () -> PersistenceError.Code? in
      do throws(PersistenceError) { try importer.save() } catch { return error.code }
      return nil
    }
    #expect(code == .rowGone && script.seen.count == 1)
    #expect(new.isInserted && new.code == "a" && importer.insertedObjects == [new])
    try importer.save()
    #expect(!importer.hasChanges && new.context == nil && new.code == "a")
  }

  @Test func `W-3 what becomes of a new object is said by the object, and by its undo`() throws {
    let old = try item("a", "old")
    try context.save()
    let importer = ManagedObjectContext(coordinator: coordinator)
    importer.mergePolicy = .mergeByPropertyObjectTrump
    importer.isUndoEnabled = true
    let new = try item("a", "new", in: importer)
    try importer.save()
    let error = #expect(throws: PersistenceError.self) { try new.setObjects([], for: "notes") }
    #expect(error?.code == .foreignObject)
    #expect(error?.message.contains("has given its values to '\(old.objectID)'") == true)
    #expect(error?.objectIDs == [new.objectID, old.objectID])
    #expect(try new.value("name") == "new")
    let refused = #expect(throws: PersistenceError.self) { try importer.undo() }
    #expect(refused?.code == .conflict)
    #expect(refused?.message.contains("which a save has merged into another") == true)
    #expect(importer.canUndo && !importer.hasChanges)
    #expect(try importer.undo(overwriting: true))
    #expect(!importer.hasChanges)
    #expect(try stored() == [["a", "new", nil]])
  }

  @Test func `P3 a program has the last word on objects that share a code`() throws {
    let old = try item("a", "old")
    try old.setValue(5, for: "count")
    try context.save()
    let importer = ManagedObjectContext(coordinator: coordinator)
    importer.mergePolicy = .mergeByPropertyObjectTrump
    let new = try item("a", "new", in: importer)
    try new.setValue(7, for: "count")
    _ = try item("b", "other", in: importer)
    var seen: [String] = []
    importer.afterMerging = { conflicts, context throws(PersistenceError) in
      for conflict in conflicts {
        seen.append("\(conflict.kind) \(conflict.objectID == new.objectID)")
        guard case .attribute(.integer(let mine))? = conflict.mine?["count"],
          case .attribute(.integer(let theirs))? = conflict.theirs?["count"],
          let holder = conflict.holderID
        else { continue }
        try context.object(with: holder).setValue(mine + theirs, for: "count")
      }
    }
    try importer.save()
    #expect(seen == ["uniqueness true"])
    #expect(try stored() == [["a", "new", nil], ["b", "other", nil]])
    try context.refresh(old, mergingChanges: false)
    #expect(try old.value("count", as: Int64.self) == 12)
    #expect(!importer.hasChanges)
  }

  @Test func `P3 what the rule throws leaves the objects that share a code apart`() throws {
    _ = try item("a", "old")
    try context.save()
    let importer = ManagedObjectContext(coordinator: coordinator)
    importer.mergePolicy = .mergeByPropertyObjectTrump
    let new = try item("a", "new", in: importer)
    importer.afterMerging = { conflicts, context throws(PersistenceError) in
      for id in conflicts.compactMap(\.holderID) {
        try context.object(with: id).setValue("neither", for: "name")
      }
      throw PersistenceError(.validation, "not today")
    }
    let error = #expect(throws: PersistenceError.self) { try importer.save() }
    #expect(error?.message == "not today")
    #expect(new.isInserted && new.context === importer)
    #expect(try new.value("name") == "new")
    #expect(importer.insertedObjects == [new] && importer.updatedObjects.isEmpty)
    #expect(try stored() == [["a", "old", nil]])
    importer.afterMerging = nil
    try importer.save()
    #expect(try stored() == [["a", "new", nil]])
  }

  @Test func `P3 what the rule inserts before it throws is gone (PG-12)`() throws {
    _ = try item("a", "old")
    try context.save()
    let importer = ManagedObjectContext(coordinator: coordinator)
    importer.mergePolicy = .mergeByPropertyObjectTrump
    _ = try item("a", "new", in: importer)
    var added: [ManagedObject] = []
    importer.afterMerging = { _, context throws(PersistenceError) in
      added.append(try context.insert(entityNamed: "Note"))
      throw PersistenceError(.validation, "not today")
    }
    #expect(throws: PersistenceError.self) { try importer.save() }
    #expect(added.count == 1 && importer.insertedObjects.count == 1)
    #expect(added.allSatisfy { $0.context == nil })
    #expect(added.allSatisfy { importer.registeredObject(for: $0.objectID) == nil })
  }

  @Test func `P3 a code that the rule takes away and that is taken again is merged again`() throws {
    _ = try item("a", "first")
    _ = try item("b", "second")
    try context.save()
    let importer = ManagedObjectContext(coordinator: coordinator)
    importer.mergePolicy = .mergeByPropertyObjectTrump
    _ = try item("a", "new", in: importer)
    importer.afterMerging = { conflicts, context throws(PersistenceError) in
      for id in conflicts.compactMap(\.holderID) {
        try context.object(with: id).setValue("b", for: "code")
      }
    }
    // Two objects of the store cannot become one, so the save is refused as without the rule.
    let error = #expect(throws: PersistenceError.self) { try importer.save() }
    #expect(error?.code == .uniquenessViolated)
    #expect(importer.insertedObjects.count == 1 && importer.updatedObjects.isEmpty)
    #expect(try stored() == [["a", "first", nil], ["b", "second", nil]])
  }

  @Test func `values that only one side has are merged by property (PG-12)`() throws {
    _ = try item("a", nil)
    try context.save()
    context.mergePolicy = .mergeByProperty
    _ = try item("a", "name")
    try context.save()
    #expect(try stored() == [["a", "name", nil]])
  }

  @Test func `many upserts are one more round, and two new ones are one (PG-12)`() throws {
    for code in 0..<50 { _ = try item("\(code + 10)", "old") }
    try context.save()
    let importer = ManagedObjectContext(coordinator: coordinator)
    importer.mergePolicy = .mergeByPropertyObjectTrump
    for code in 0..<100 { _ = try item("\(code % 80 + 10)", "new \(code)", in: importer) }
    try importer.save()
    let stored = try stored()
    #expect(stored.count == 80)
    #expect(stored[0] == ["10", "new 80", nil] && stored[30] == ["40", "new 30", nil])
    #expect(importer.mergedConflicts.count == 70)
    #expect(!importer.hasChanges)
  }

  @Test func `a changed object that takes a code that others have (PG-12)`() throws {
    _ = try item("a", "first")
    let second = try item("b", "second")
    try context.save()
    try second.setValue("a", for: "code")
    try second.setValue("renamed", for: "name")
    for policy in [MergePolicy.error, .mergeByPropertyObjectTrump, .overwrite, .mergeByProperty] {
      context.mergePolicy = policy
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .uniquenessViolated)
    }
    context.mergePolicy = .mergeByPropertyStoreTrump
    try context.save()
    #expect(try stored() == [["a", "first", nil], ["b", "renamed", nil]])
    #expect(context.mergedConflicts.first?.mine?["code"] == .attribute(.string("a")))
  }

  @Test func `any number of changed objects give up codes that others have (PG-12)`() throws {
    let items = try (0..<60).map { try item("\($0 + 10)", "old") }
    try context.save()
    context.mergePolicy = .mergeByPropertyStoreTrump
    for number in 0..<30 {
      try items[number].setValue("\(number + 40)", for: "code")
      try items[number].setValue("new", for: "name")
    }
    try context.save()
    #expect(context.mergedConflicts.count == 30 && !context.hasChanges)
    #expect(try stored() == (10..<70).map { ["\($0)", $0 < 40 ? "new" : "old", nil] })
  }

  @Test func `an object that gives up a code takes its own from those that got it (PG-12)`() throws
  {
    let items = try (0..<31).map { try item("\($0 + 10)", "old") }
    try context.save()
    context.mergePolicy = .mergeByPropertyStoreTrump
    for number in 0..<30 { try items[number].setValue("\(number + 11)", for: "code") }
    try context.save()
    #expect(context.mergedConflicts.count == 30 && !context.hasChanges)
    #expect(try stored() == (10..<41).map { ["\($0)", "old", nil] })
  }

  @Test func `two objects exchange their codes in one save, whatever the policy is (PG-12)`() throws
  {
    let first = try item("a", "first")
    let second = try item("b", "second")
    try context.save()
    for policy in [MergePolicy.error, .mergeByPropertyStoreTrump, .overwrite] {
      context.mergePolicy = policy
      let code = try first.value("code", as: String.self)
      try first.setValue(second.value("code", as: String.self), for: "code")
      try second.setValue(code, for: "code")
      try context.save()
      #expect(context.mergedConflicts.isEmpty)
    }
    #expect(try stored() == [["a", "second", nil], ["b", "first", nil]])
  }

  // MARK: As data (review 2, D8)

  @Test func `D8 a clash has entity, property, value, rule and holder as data`() throws {
    let first = try item("R-1", "old")
    try context.save()
    let second = try item("R-1", "new")
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    #expect(error.code == .uniquenessViolated)
    let failure = try #require(error.validationFailures.first)
    #expect(error.validationFailures.count == 1)
    #expect(failure.entity == "Item" && failure.objectID == second.objectID)
    #expect(failure.rule == .unique && failure.property == "code")
    #expect(failure.values == ["code": .attribute(.string("R-1"))])
    #expect(failure.holderID == first.objectID)
    #expect(failure.message == error.message)
    #expect(!error.description.contains("SQLite"))
  }

  @Test func `D8 a clash of two new objects names the other one`() throws {
    let items = [try item("a", nil), try item("a", nil)]
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    let failure = try #require(error.validationFailures.first)
    #expect(failure.rule == .unique)
    #expect(
      Set([failure.objectID, try #require(failure.holderID)]) == Set(items.map(\.objectID)))
  }

  @Test func `D8 a clash in the save of a parent has the same data`() throws {
    let first = try item("R-1", "old")
    try context.save()
    let draft = ManagedObjectContext(parent: context)
    _ = try item("R-1", "new", in: draft)
    try draft.save()
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    #expect(error.validationFailures.map(\.holderID) == [first.objectID])
  }

  @Test func `D8 a policy without an answer leaves the data of the clash`() throws {
    _ = try item("R-1", "old")
    try context.save()
    context.mergePolicy = .mergeByProperty
    _ = try item("R-1", "new")
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    #expect(error.validationFailures.map(\.property) == ["code"])
  }
}

/// An object with a unique code and a hook, which a test scripts.
final class Ticket: ManagedObject, ModelObject, PrepareForDeletionHook {
  var code: String? {
    get { _optionalValue(0) }
    set { _setValue(0, newValue) }
  }

  class var entityName: String { "Ticket" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Ticket", className: "Ticket",
      attributes: [AttributeDescription("code", .string, isOptional: true)],
      uniquenessConstraints: [["code"]])
  }

  class var _propertyNames: [String] { ["code"] }
  class var _propertyCount: Int { 1 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [(\Ticket.code, "code")] }

  func prepareForDeletion() { Script.current.run("prepareForDeletion", self) }
}
