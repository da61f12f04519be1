import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// What a delete reads, refuses, and leaves behind.
@Suite struct DeletionTests {
  let graph: Graph

  init() throws { graph = try Graph() }

  // MARK: States

  @Test func `a deleted object is neither changed nor in a context after the save (review CD-047)`()
    throws
  {
    let context = graph.context()
    let mark = try context.get(try graph.make("Mark")[0])
    try context.delete(mark)
    #expect(mark.isDeleted)
    #expect(mark.hasChanges)
    try context.save()
    #expect(!mark.isDeleted)
    #expect(!mark.hasChanges)
    #expect(mark.context == nil)
    #expect(try mark.label == "0")
    #expect(!context.hasChanges)
    #expect(context.registeredObject(for: mark.objectID) == nil)
  }

  @Test
  func `an object that was never saved is out of its context once it is deleted (review CD-050)`()
    throws
  {
    let context = graph.context()
    let mark = try context.insert(entityNamed: "Mark")
    try mark.setValue("x", for: "name")
    try context.delete(mark)
    #expect(!mark.isInserted)
    #expect(!mark.isDeleted)
    #expect(!mark.hasChanges)
    #expect(mark.context == nil)
    #expect(try mark.label == "x")
    #expect(!context.hasChanges)
    #expect(try context.all("Mark") == [])
    try context.save()
    #expect(context.statistics.saves == 0)
    let error = #expect(throws: PersistenceError.self) { try context.delete(mark) }
    #expect(error?.code == .foreignObject)
    #expect(error?.message.contains("it was new, and its insert was undone") == true)
  }

  @Test func `a deleted fault that was saved is a fault without a context (review CD-047)`() throws
  {
    let id = try graph.make("Mark")[0]
    let context = graph.context()
    let mark = try context.object(with: id)
    try context.delete(mark)
    try context.save()
    #expect(!mark.hasChanges)
    #expect(mark.context == nil)
    #expect(try graph.context().all("Mark") == [])
  }

  @Test func `edits of what was deleted reach no other context (review CD-050)`() throws {
    let context = graph.context()
    let mark = try context.get(try graph.make("Mark")[0])
    try context.delete(mark)
    try context.save()
    try? mark.setValue("edited", for: "name")
    #expect(!context.hasChanges)
    try context.save()
    #expect(context.statistics.updated == 0)
  }

  @Test func `nothing leads to a new object that was deleted, whatever its rule`() throws {
    let context = graph.context()
    let people = try (0..<2).map { _ in try context.insert(entityNamed: "Person") }
    let passport = try context.insert(entityNamed: "Passport")
    try passport.set("hook", people[1])
    try context.delete(people[1])
    #expect(try passport.one("hook") == nil)
    try passport.set("hook", people[0])
    #expect(try context.all("Person") == [people[0]])
    try context.save()
    #expect(try context.all("Person") == [people[0]])
  }

  @Test func `an object that is gone is not found because a link to it was changed`() throws {
    let (people, passport) = (try graph.make("Person", 2), try graph.make("Passport")[0])
    let context = graph.context()
    let mine = try context.get(passport)
    try mine.set("hook", try context.get(people[1]))
    try context.delete(try context.get(people[1]))
    try context.save()
    try mine.set("hook", try context.get(people[0]))
    let request = FetchRequest<ManagedObject>(entityNamed: "Person")
    #expect(try context.fetchIDs(request) == [people[0]])
    #expect(try context.count(request) == 1)
    try context.save()
    #expect(try graph.stored(passport, "hook") == ["0"])
  }

  @Test func `a new member that was deleted goes from a list that is set anew (model D-5)`() throws
  {
    let context = graph.context()
    let doc = try context.insert(entityNamed: "Doc")
    let marks = try (0..<2).map { _ in try context.insert(entityNamed: "Mark") }
    for end in ["order", "marks"] { try doc.add(end, marks[0]) }
    try context.delete(marks[0])
    try doc.set("order")
    try doc.set("marks", marks[1])
    try context.save()
    #expect(try doc.objects("order") == [])
    #expect(try doc.objects("marks") == [marks[1]])
    try graph.elsewhere { context in
      let docs = try context.all("Doc")
      #expect(docs.count == 1)
      for doc in docs { #expect(try doc.objects("marks").count == 1) }
    }
  }

  @Test(arguments: ["main", "marks", "order"], [true, false])
  func `a save that failed unties what was met since then`(_ end: String, _ clears: Bool) throws {
    let (docs, marks) = (try graph.make("Doc"), try graph.make("Mark"))
    try graph.elsewhere { try $0.get(docs[0]).set(end, try $0.get(marks[0])) }
    let context = graph.context()
    try context.delete(try context.get(marks[0]))
    if end == "main" {
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .conflict)
    }
    let doc = try context.get(docs[0])
    #expect(try doc.one(end) == nil)
    if clears { try doc.set(end) }
    try context.save()
    #expect(try graph.stored(docs[0], end) == [])
  }

  // MARK: Deny

  @Test func `deny is checked by the save, so both may go in any order (review CD-049)`() throws {
    for roomFirst in [true, false] {
      let (room, guest) = (try graph.make("Room")[0], try graph.make("Guest")[0])
      try graph.elsewhere { try $0.get(guest).set("room", try $0.get(room)) }
      try graph.elsewhere { context in
        let objects = try (roomFirst ? [room, guest] : [guest, room]).map(context.get)
        for object in objects { try context.delete(object) }
      }
    }
    let context = graph.context()
    #expect(try context.all("Room") == [])
    #expect(try context.all("Guest") == [])
  }

  @Test func `a denied deletion fails the save, names what is in the way, and can be mended`()
    throws
  {
    let (rooms, guest) = (try graph.make("Room", 2), try graph.make("Guest")[0])
    try graph.elsewhere { try $0.get(guest).set("room", try $0.get(rooms[0])) }
    let context = graph.context()
    try context.delete(try context.get(rooms[0]))
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .validation)
    #expect(error?.objectIDs == [rooms[0], guest])
    #expect("\(error!)".contains("the rule of 'guests' is deny, and it leads to 'Guest/p1'"))
    #expect(try graph.context().all("Room").count == 2)
    try context.get(guest).set("room", try context.get(rooms[1]))
    try context.save()
    #expect(try graph.context().all("Room").count == 1)
    #expect(try graph.stored(guest, "room") == ["1"])
  }

  @Test func `W-2 a new object is deleted whatever its rules deny: no save ever sees it`() throws {
    let (guest, old) = (try graph.make("Guest")[0], try graph.make("Guest")[0])
    let context = graph.context()
    for roomFirst in [true, false] {
      let room = try context.insert(entityNamed: "Room")
      let new = try context.insert(entityNamed: "Guest")
      try room.setObjects([new, context.get(guest), context.get(old)], for: "guests")
      for object in roomFirst ? [room, new] : [new, room] { try context.delete(object) }
      #expect(try context.get(guest).one("room") == nil)
      #expect(!context.hasChanges)
    }
  }

  // MARK: Reading

  @Test func `a delete reads what it needs under any policy (review S-W5)`() throws {
    let (folder, files) = (try graph.make("Folder")[0], try graph.make("File", 3))
    try graph.elsewhere { context in
      try context.get(folder).setObjects(try files.map(context.get), for: "files")
    }
    let context = graph.context()
    let mine = try context.get(folder)
    context.faultPolicy = .refuse
    try context.delete(mine)
    try context.save()
    try graph.elsewhere { context in
      for file in try context.all("File") {
        let folder = try file.one("folder")
        #expect(folder == nil)
      }
    }
  }

  @Test func `a cascade asks the store once for each relationship and level (review S-W5)`() throws
  {
    let (whole, parts) = (try graph.make("Whole")[0], try graph.make("Part", 50))
    try graph.elsewhere { context in
      try context.get(whole).setObjects(try parts.map(context.get), for: "parts")
    }
    let context = graph.context()
    let mine = try context.get(whole)
    let before = context.statistics
    try context.delete(mine)
    #expect(context.statistics.fetches == before.fetches + 1)
    #expect(context.statistics.faultsFired == before.faultsFired)
    try context.save()
    #expect(try graph.context().all("Part") == [])
  }

  @Test func `a delete that cannot read has deleted nothing (review S-W5)`() throws {
    let (folder, file) = (try graph.make("Folder")[0], try graph.make("File")[0])
    try graph.elsewhere { try $0.get(file).set("folder", try $0.get(folder)) }
    let context = graph.context()
    let mine = try context.get(folder)
    graph.coordinator.close()
    #expect(throws: PersistenceError.self) { try context.delete(mine) }
    #expect(!mine.isDeleted)
    #expect(!context.hasChanges)
  }

  @Test func `what is gone already is not deleted`() throws {
    let file = try graph.make("File")[0]
    let context = graph.context()
    let mine = try context.object(with: file)
    try graph.elsewhere { try $0.delete(try $0.get(file)) }
    let error = #expect(throws: PersistenceError.self) { try context.delete(mine) }
    #expect(error?.code == .rowGone)
    #expect(!context.hasChanges)
    try context.save()
  }

  @Test(arguments: ["labels", "queue", "files"])
  func `a collection that is read while a member is to be deleted has it again after a rollback`(
    _ many: String
  ) throws {
    let folder = try graph.make("Folder")[0]
    let member = try graph.make(many == "files" ? "File" : "Label")[0]
    try graph.elsewhere { try $0.get(folder).set(many, try $0.get(member)) }
    let context = graph.context()
    let (mine, doomed) = (try context.get(folder), try context.get(member))
    try context.delete(doomed)
    try context.refresh(mine)
    #expect(try mine.objects(many) == [])
    try context.rollback()
    #expect(try mine.objects(many) == [doomed])
  }

  // MARK: Without inverse

  @Test(arguments: [true, false])
  func `a deleted object leaves collections and to-ones without inverse (review S-W4, G-X-4)`(
    _ isSaved: Bool
  ) throws {
    let context = graph.context()
    let doc = try context.insert(entityNamed: "Doc")
    let marks = try (0..<3).map { number in
      let mark = try context.insert(entityNamed: "Mark")
      try mark.setValue("\(number)", for: "name")
      return mark
    }
    try doc.setObjects(marks, for: "marks")
    try doc.setObjects(marks.reversed(), for: "order")
    try doc.set("main", marks[1])
    if isSaved { try context.save() }

    try context.delete(marks[1])
    #expect(try doc.names("marks") == ["0", "2"])
    #expect(try doc.names("order") == ["2", "0"])
    #expect(try doc.one("main") == nil)
    try context.save()
    #expect(try doc.names("marks") == ["0", "2"])
    #expect(try doc.names("order") == ["2", "0"])
    #expect(try doc.one("main") == nil)
    #expect(try graph.stored(doc.objectID, "order") == ["2", "0"])
    #expect(try graph.stored(doc.objectID, "main") == [])

    try doc.setObjects([marks[0], marks[2]], for: "order")
    try context.save()
    #expect(try graph.stored(doc.objectID, "order") == ["0", "2"])
  }

  @Test func `a fetch sees that a deleted object leads to nothing (review CD-044)`() throws {
    let (doc, mark) = (try graph.make("Doc")[0], try graph.make("Mark")[0])
    try graph.elsewhere { try $0.get(doc).set("main", try $0.get(mark)) }
    let context = graph.context()
    let mine = try context.get(doc)
    try context.delete(try context.get(mark))
    #expect(try context.all("Doc", where: .isNil("main")) == [mine])
    try context.rollback()
    #expect(try mine.one("main")?.objectID == mark)
    #expect(!context.hasChanges)
  }

  @Test
  func `a deletion that is taken back leaves nothing in relationships without inverse changed`()
    throws
  {
    let (doc, mark) = (try graph.make("Doc")[0], try graph.make("Mark")[0])
    try graph.elsewhere { try $0.get(doc).set("marks", try $0.get(mark)) }
    let context = graph.context()
    let (mine, tag) = (try context.get(doc), try context.get(mark))
    #expect(try mine.objects("marks") == [tag])
    try context.delete(tag)
    #expect(try mine.objects("marks") == [])
    try context.refresh(tag)
    #expect(try mine.objects("marks") == [tag])
    try context.save()
    #expect(try graph.stored(doc, "marks") == ["0"])
  }
}
