import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// Objects that are written again after their deletion: here, by others, or by both.
@Suite struct WrittenAgainTests {
  let graph: Graph
  let mine: ManagedObjectContext
  let theirs: ManagedObjectContext

  init() throws {
    graph = try Graph()
    mine = graph.context("mine")
    theirs = graph.context("theirs")
    mine.isUndoEnabled = true
    theirs.mergePolicy = .mergeByPropertyObjectTrump
  }

  /// Deletes objects and saves, lets others write them again after a change, and undoes the
  /// deletion.
  private func comeBack(
    _ ids: [ManagedObjectID], after change: (ManagedObject) throws -> Void
  ) throws -> [ManagedObject] {
    let (objects, others) = (try ids.map { try mine.get($0) }, try ids.map { try theirs.get($0) })
    for other in others { try change(other) }
    try mine.undoGroup { for object in objects { try mine.delete(object) } }
    try mine.save()
    try theirs.save()
    try mine.undo()
    return objects
  }

  private func comeBack(_ count: Int = 1) throws -> [ManagedObject] {
    try comeBack(graph.make("File", count)) { try $0.setValue("theirs", for: "name") }
  }

  private static let winners: [(MergePolicy, isMine: Bool)] = [
    (.mergeByPropertyStoreTrump, false), (.rollback, false), (.mergeByPropertyObjectTrump, true),
    (.overwrite, true),
  ]

  // MARK: Here and by others

  @Test func `an undone deletion conflicts with what others have written again (PG-09, PG-11)`()
    throws
  {
    let file = try comeBack()[0]
    for policy in [MergePolicy.error, .mergeByProperty] {
      mine.mergePolicy = policy
      let error = #expect(throws: PersistenceError.self) { try mine.save() }
      #expect(error?.code == .conflict)
      #expect(error?.objectIDs == [file.objectID])
      #expect(
        error?.message
          == "'\(file.objectID)' changed in the store, or was deleted, since this context read it; "
          + "nothing was saved: refresh and make the changes again")
      #expect(error?.conflicts.map(\.contestedProperties) == [["name"]])
      #expect(file.isInserted)
    }
    try file.setValue("theirs", for: "name")
    try mine.save()
    #expect(!mine.hasChanges && mine.mergedConflicts.map(\.kind) == [.update])
  }

  @Test(arguments: winners)
  func `a policy decides between what came back here and what others have written (PG-09, PG-11)`(
    _ policy: MergePolicy, _ isMine: Bool
  ) throws {
    let files = try comeBack(30)
    mine.mergePolicy = policy
    try mine.save()
    #expect(!mine.hasChanges && mine.mergedConflicts.count == 30)
    for (number, file) in files.enumerated() {
      let name = isMine ? "\(number)" : "theirs"
      #expect(try file.label == name)
      #expect(try graph.storedName(file.objectID) == name)
    }
    mine.mergePolicy = .error
    for file in files { try file.setValue(1.5, for: "weight") }
    try mine.save()
    let heavy = try graph.context().all("File", where: .equal("weight", 1.5))
    #expect(heavy.count == 30)
  }

  @Test func `a refresh makes what came back what others have written (PG-09, PF-06)`() throws {
    let files = try comeBack(2)
    try mine.refresh(files[0])
    #expect(try files[0].label == "theirs")
    try mine.refresh(files[1], mergingChanges: true)
    #expect(try files[1].label == "1")
    #expect(mine.insertedObjects.isEmpty && mine.updatedObjects == [files[1]])
    try mine.save()
    #expect(try files.map { try graph.storedName($0.objectID) } == ["theirs", "1"])
  }

  @Test func `what came back and is not in the store stays new when it is refreshed (PG-09)`()
    throws
  {
    let file = try mine.get(graph.make("File")[0])
    try mine.delete(file)
    try mine.save()
    try mine.undo()
    try mine.refresh(file)
    try mine.refresh(file, mergingChanges: true)
    #expect(file.isInserted)
    try mine.save()
    #expect(try graph.storedName(file.objectID) == "0")
  }

  @Test(arguments: winners)
  func `links of what came back are those of the side that wins, at both ends (PG-09, PG-11)`(
    _ policy: MergePolicy, _ isMine: Bool
  ) throws {
    let (people, passports) = (try graph.make("Person"), try graph.make("Passport", 2))
    try graph.elsewhere { try $0.get(people[0]).set("passport", $0.get(passports[0])) }
    let second = try theirs.get(passports[1])
    let person = try comeBack(people) { try $0.set("passport", second) }[0]
    mine.mergePolicy = policy
    try mine.save()
    let winner = isMine ? 0 : 1
    #expect(try person.names("passport") == ["\(winner)"])
    #expect(try graph.stored(people[0], "passport") == ["\(winner)"])
    #expect(try graph.stored(passports[winner], "owner") == ["0"])
    #expect(try graph.stored(passports[1 - winner], "owner") == [])
  }

  @Test(arguments: winners)
  func `links in rows of their own of both sides hold, but for a rollback (PG-09, PG-11)`(
    _ policy: MergePolicy, _ isMine: Bool
  ) throws {
    let (folders, labels) = (try graph.make("Folder"), try graph.make("Label", 2))
    let files = try graph.make("File")
    try graph.elsewhere { context in
      try context.get(folders[0]).set("labels", context.get(labels[0]))
      try context.get(folders[0]).set("items", context.get(files[0]))
    }
    let second = try theirs.get(labels[1])
    let folder = try comeBack(folders) { other in
      try other.setValue("theirs", for: "name")
      try other.set("labels", second)
    }[0]
    mine.mergePolicy = policy
    try mine.save()
    let names = policy == .rollback ? ["1"] : ["0", "1"]
    #expect(try folder.names("labels") == names)
    #expect(try graph.stored(folders[0], "labels") == names)
    #expect(try folder.names("items") == ["0"])
    #expect(try graph.stored(files[0], "list") == [isMine ? "0" : "theirs"])
  }

  @Test(arguments: [MergePolicy.error] + winners.map(\.0))
  func `what came back in a child conflicts with what came back in its parent (PG-09, PG-10)`(
    _ policy: MergePolicy
  ) throws {
    let file = try mine.get(graph.make("File")[0])
    let child = ManagedObjectContext(parent: mine)
    child.isUndoEnabled = true
    let own = try child.get(file.objectID)
    try child.delete(own)
    try child.save()
    try mine.refresh(file)
    try file.setValue("parent", for: "name")
    try child.undo()
    child.mergePolicy = policy
    if policy == .error {
      let error = #expect(throws: PersistenceError.self) { try child.save() }
      #expect(error?.code == .conflict && error?.objectIDs == [file.objectID])
      try child.refresh(own, mergingChanges: true)
    }
    try child.save()
    #expect(mine.registeredObject(for: file.objectID) === file && !file.isInserted)
    let isTheirs = policy == .mergeByPropertyStoreTrump || policy == .rollback
    #expect(try file.label == (isTheirs ? "parent" : "0"))
    try mine.save()
    #expect(try graph.storedName(file.objectID) == (isTheirs ? "parent" : "0"))
  }

  // MARK: By a policy

  @Test func `what a policy writes again merges with what others have written meanwhile (PG-11)`()
    throws
  {
    let id = try graph.make("File")[0]
    let (file, other) = (try mine.get(id), try theirs.get(id))
    theirs.isUndoEnabled = true
    try theirs.delete(other)
    try theirs.save()
    try file.setValue("mine", for: "name")
    mine.mergePolicy = .mergeByPropertyObjectTrump
    mine.afterMerging = { [theirs] _, _ throws(PersistenceError) in
      if try theirs.undo() { try theirs.save() }
    }
    try mine.save()
    #expect(mine.mergedConflicts.map(\.kind) == [.updateOfDeleted, .update])
    #expect(try graph.storedName(id) == "mine")
    try file.setValue("again", for: "name")
    try mine.save()
    #expect(try graph.storedName(id) == "again")
  }

  /// A person with a passport, of which others delete one end while the other one changes here.
  private func isDeletedElsewhere(
    _ end: String, _ policy: MergePolicy, _ more: (ManagedObjectContext) throws -> Void = { _ in }
  ) throws -> (person: ManagedObjectID, passport: ManagedObjectID) {
    let (person, passport) = (try graph.make("Person")[0], try graph.make("Passport")[0])
    try graph.elsewhere { try $0.get(person).set("passport", $0.get(passport)) }
    let objects = try [mine.get(person), mine.get(passport)]
    let lost = end == "Person" ? person : passport
    try graph.elsewhere { context in
      try context.delete(context.get(lost))
      try more(context)
    }
    try mine.get(lost).setValue("mine", for: "name")
    mine.mergePolicy = policy
    try mine.save()
    withExtendedLifetime(objects) {}
    return (person, passport)
  }

  @Test(
    arguments: ["Person", "Passport"], [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func `what is written again has the one-to-one link that its row has, at both ends (PG-11)`(
    _ end: String, _ policy: MergePolicy
  ) throws {
    let (person, passport) = try isDeletedElsewhere(end, policy)
    #expect(try mine.get(person).one("passport")?.objectID == passport)
    #expect(try mine.get(passport).one("owner")?.objectID == person)
    #expect(try graph.stored(person, "passport").count == 1)
    #expect(try graph.stored(passport, "owner").count == 1)
    #expect(!mine.hasChanges)
    try mine.get(person).setValue("a", for: "name")
    try mine.get(passport).setValue("b", for: "name")
    try mine.save()
  }

  @Test(
    arguments: ["Person", "Passport"], [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func `a one-to-one link that others have taken stays with them, or is taken as a whole (PG-11)`(
    _ end: String, _ policy: MergePolicy
  ) throws {
    let relationship = end == "Person" ? "owner" : "passport"
    let third = try graph.make(end)[0]
    var kept: ManagedObjectID?
    let (person, passport) = try isDeletedElsewhere(end, policy) { context in
      let other = try #require(context.all(end == "Person" ? "Passport" : "Person").first)
      try other.set(relationship, context.get(third))
      kept = other.objectID
    }
    let isTaken = policy == .overwrite
    let lost = end == "Person" ? person : passport
    let back = end == "Person" ? "passport" : "owner"
    let other = try #require(kept)
    #expect(try graph.stored(other, relationship) == [isTaken ? "mine" : "0"])
    #expect(try graph.stored(lost, back) == (isTaken ? ["0"] : []))
    #expect(try graph.stored(third, back) == (isTaken ? [] : ["0"]))
    #expect(try mine.get(lost).names(back) == (isTaken ? ["0"] : []))
    #expect(!mine.hasChanges)
  }

  @Test(arguments: [false, true])
  func `a deletion that a one-to-one link takes back leaves the link at both ends (PG-02, PG-11)`(
    _ isSetBefore: Bool
  ) throws {
    let (person, passport) = (try graph.make("Person")[0], try graph.make("Passport")[0])
    let owner = try mine.get(person)
    _ = try owner.label
    try graph.elsewhere { try $0.get(person).set("passport", $0.get(passport)) }
    if isSetBefore { mine.mergePolicy = .rollback }
    try mine.delete(mine.get(passport))
    mine.mergePolicy = .rollback
    try mine.save()
    #expect(!mine.hasChanges)
    #expect(try owner.one("passport")?.objectID == passport)
    #expect(try mine.get(passport).one("owner") == owner)
    #expect(try graph.stored(person, "passport") == ["0"])
    #expect(try graph.stored(passport, "owner") == ["0"])
    #expect(try mine.get(passport).label == "0")
    try mine.get(passport).setValue("again", for: "name")
    try mine.save()
  }
}
