import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// Ends whose rows are not there, or are out of date, when a link changes.
@Suite struct LinkTests {
  let graph: Graph

  init() throws { graph = try Graph() }

  /// A folder with three files, of which none is held.
  private func folder(_ relationship: String = "files") throws -> ManagedObjectID {
    let (folder, files) = (try graph.make("Folder")[0], try graph.make("File", 3))
    try graph.elsewhere { context in
      try context.get(folder).setObjects(try files.map(context.get), for: relationship)
    }
    return folder
  }

  @Test(arguments: ["files", "items"])
  func `a collection whose members were swept is cleared in the store too (review S-L1)`(
    _ relationship: String
  ) throws {
    let id = try folder(relationship)
    let context = graph.context()
    let folder = try context.get(id)
    #expect(try folder.objects(relationship).count == 3)
    try folder.setValue("g", for: "name")
    try context.save()
    context.sweep()
    #expect(context.registeredCount == 1)
    try folder.setObjects([], for: relationship)
    try context.save()
    #expect(try graph.stored(id, relationship) == [])
  }

  @Test
  func `members that were refreshed are read in one request when they are untied (review S-L1)`()
    throws
  {
    let id = try folder()
    let context = graph.context()
    let folder = try context.get(id)
    let files = try folder.objects("files")
    for file in files { try context.refresh(file) }
    let before = context.statistics.faultsFired
    try folder.set("files", files[0])
    #expect(context.statistics.faultsFired == before + 1)
    try context.save()
    let left = try files[0].label ?? ""
    #expect(try graph.stored(id, "files") == [left])
  }

  @Test func `under the refusing policy an end that was not read refuses the change (review S-L1)`()
    throws
  {
    let id = try folder()
    let context = graph.context()
    let folder = try context.get(id)
    let files = try folder.objects("files")
    for file in files { try context.refresh(file) }
    context.faultPolicy = .refuse
    let error = #expect(throws: PersistenceError.self) { try folder.set("files") }
    #expect(error?.code == .faultRefused)
    #expect(!folder.hasChanges)
    #expect(try folder.objects("files").count == 3)
    try context.load(files)
    try folder.set("files")
    try context.save()
    #expect(try graph.stored(id, "files") == [])
  }

  @Test(arguments: ["passport", "owner"])
  func `a one-to-one is cleared and replaced where the other end was not read (review S-L1)`(
    _ end: String
  ) throws {
    let (one, other) = end == "passport" ? ("Person", "Passport") : ("Passport", "Person")
    let back = end == "passport" ? "owner" : "passport"
    let (ones, others) = (try graph.make(one, 2), try graph.make(other, 2))
    try graph.elsewhere { context in
      for (a, b) in zip(ones, others) { try context.get(a).set(end, try context.get(b)) }
    }

    // The second is taken from its owner, and the first has no owner.
    try graph.elsewhere { context in
      try context.get(ones[0]).set(end, try context.object(with: others[1]))
    }
    #expect(try ones.map { try graph.stored($0, end) } == [["1"], []])
    #expect(try others.map { try graph.stored($0, back) } == [[], ["0"]])

    try graph.elsewhere { context in try context.get(ones[0]).set(end) }
    #expect(try ones.map { try graph.stored($0, end) } == [[], []])
    #expect(try others.map { try graph.stored($0, back) } == [[], []])
  }

  @Test func `what leads to members that were not read can be deleted (review S-L1)`() throws {
    let id = try folder()
    let context = graph.context()
    let folder = try context.get(id)
    _ = try folder.objects("files")
    try folder.setValue("g", for: "name")
    try context.save()
    try context.delete(folder)
    try context.save()
    try graph.elsewhere { context in
      let folders = try context.all("File").map { try $0.objects("folder") }
      #expect(folders == [[], [], []])
    }

    let (person, passport) = (try graph.make("Person")[0], try graph.make("Passport")[0])
    try graph.elsewhere { try $0.get(person).set("passport", try $0.get(passport)) }
    try graph.elsewhere { try $0.delete(try $0.get(person)) }
    #expect(try graph.stored(passport, "owner") == [])
  }

  @Test func `members whose rows are gone are untied without them (review S-L1)`() throws {
    let id = try folder()
    let context = graph.context()
    let folder = try context.get(id)
    let files = try folder.objects("files")
    for file in files { try context.refresh(file) }
    try graph.elsewhere { try $0.delete(try $0.get(files[1].objectID)) }
    try folder.set("files", files[0])
    try context.save()
    #expect(try folder.objects("files") == [files[0]])
    #expect(try graph.stored(id, "files") == ["0"])
  }

  @Test func `an object whose row is gone becomes no end (review S-L1)`() throws {
    let (folder, file) = (try graph.make("Folder")[0], try graph.make("File")[0])
    let context = graph.context()
    let mine = try context.get(folder)
    let ghost = try context.object(with: file)
    try graph.elsewhere { try $0.delete(try $0.get(file)) }
    let error = #expect(throws: PersistenceError.self) { try mine.set("files", ghost) }
    #expect(error?.code == .rowGone)
    #expect(try mine.objects("files") == [])
    #expect(!context.hasChanges)
  }

  @Test
  func
    `a to-one is set although the other end is out of date, and the save conflicts (review S-L2)`()
    throws
  {
    let (person, passport) = (try graph.make("Person")[0], try graph.make("Passport")[0])
    try graph.elsewhere { try $0.get(person).set("passport", try $0.get(passport)) }
    let context = graph.context()
    let stale = try context.get(person)
    try graph.elsewhere { try $0.get(person).set("passport") }
    let fresh = try context.get(passport)
    #expect(try fresh.one("owner") == nil)
    #expect(try stale.one("passport") == nil)
    try fresh.set("owner", stale)
    #expect(try fresh.one("owner") == stale)
    #expect(try stale.one("passport") == fresh)
    #expect(context.hasChanges)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    #expect(error?.objectIDs == [person])
  }

  @Test func `a member is added although its own end is out of date (review S-L2)`() throws {
    let id = try folder()
    let context = graph.context()
    let file = try #require(try context.all("File").first)
    try graph.elsewhere { try $0.get(id).set("files") }
    let folder = try context.get(id)
    #expect(try folder.objects("files") == [])
    #expect(try file.one("folder") == nil)
    try folder.add("files", file)
    #expect(try file.one("folder") == folder)
    #expect(try folder.objects("files") == [file])
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
  }

  @Test func `a deleted or rolled-back object gains no links (review S-W3)`() throws {
    let context = graph.context()
    let label = try context.insert(entityNamed: "Label")
    try context.rollback()
    let folder = try context.insert(entityNamed: "Folder")
    let error = #expect(throws: PersistenceError.self) { try folder.set("labels", label) }
    #expect(error?.code == .foreignObject)
    #expect("\(error!)".contains("belongs to none any more"))
    try? label.set("folders", folder)
    #expect(try folder.objects("labels") == [])

    let file = try context.insert(entityNamed: "File")
    try context.delete(file)
    try? file.set("folder", folder)
    #expect(try folder.objects("files") == [])
    try context.save()

    let stored = try context.get(try graph.make("File")[0])
    try context.delete(stored)
    let refused = #expect(throws: PersistenceError.self) { try stored.set("folder", folder) }
    #expect(refused?.code == .foreignObject)
    #expect("\(refused!)".contains("is to be deleted"))
    #expect(try folder.objects("files") == [])
    try context.save()
  }
}
