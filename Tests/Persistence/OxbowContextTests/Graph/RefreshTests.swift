import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// What a refresh forgets (review S-L4, G-X-2), and what a conflict leads to (review S-W10).
@Suite struct RefreshTests {
  let graph: Graph

  init() throws { graph = try Graph() }

  @Test func `what was to be deleted is not deleted after a refresh`() throws {
    let id = try graph.make("Mark")[0]
    let context = graph.context()
    let mark = try context.get(id)
    try context.delete(mark)
    try context.refresh(mark)
    #expect(!mark.isDeleted)
    #expect(!context.hasChanges)
    try context.save()
    #expect(try context.all("Mark") == [mark])
    try context.delete(mark)
    try context.save()
    #expect(try context.all("Mark") == [])
  }

  @Test func `an edited object comes once and saves once after a refresh`() throws {
    let id = try graph.make("Mark")[0]
    let context = graph.context()
    let mark = try context.get(id)
    try mark.setValue("a", for: "name")
    try context.refresh(mark)
    #expect(!context.hasChanges)
    #expect(try mark.label == "0")
    #expect(try context.all("Mark") == [mark])
    try mark.setValue("b", for: "name")
    let request = FetchRequest<ManagedObject>(entityNamed: "Mark")
    #expect(try context.fetch(request) == [mark])
    #expect(try context.fetchIDs(request) == [id])
    #expect(try context.count(request) == 1)
    try context.save()
    #expect(try graph.storedName(id) == "b")
  }

  @Test(arguments: ["files", "items"], [true, false])
  func `a refreshed member forgets its move at all ends`(_ relationship: String, _ isLoaded: Bool)
    throws
  {
    let (folders, file) = (try graph.make("Folder", 2), try graph.make("File")[0])
    let back = relationship == "files" ? "folder" : "list"
    try graph.elsewhere { try $0.get(file).set(back, try $0.get(folders[0])) }
    let context = graph.context()
    let mine = try folders.map(context.get)
    if isLoaded { for folder in mine { _ = try folder.objects(relationship) } }
    let member = try context.get(file)
    try member.set(back, mine[1])
    try context.refresh(member)
    #expect(!context.hasChanges)
    #expect(try mine.map { try $0.objects(relationship) } == [[member], []])
    try context.save()
    #expect(try member.one(back) == mine[0])
    #expect(try graph.stored(folders[0], relationship) == ["0"])
    #expect(try graph.stored(folders[1], relationship) == [])
  }

  @Test(arguments: ["labels", "queue"], [true, false])
  func `a refresh of either end forgets a many-to-many link at both`(
    _ relationship: String, _ refreshesFolder: Bool
  ) throws {
    let back = relationship == "labels" ? "folders" : "queues"
    let (folder, labels) = (try graph.make("Folder")[0], try graph.make("Label", 2))
    try graph.elsewhere { try $0.get(folder).set(relationship, try $0.get(labels[0])) }
    let context = graph.context()
    let mine = try context.get(folder)
    let tags = try labels.map(context.get)
    for tag in tags { _ = try tag.objects(back) }
    try mine.set(relationship, tags[1])
    for object in refreshesFolder ? [mine] : tags { try context.refresh(object) }
    #expect(!context.hasChanges)
    #expect(try mine.objects(relationship) == [tags[0]])
    #expect(try tags.map { try $0.objects(back) } == [[mine], []])
    try context.save()
    #expect(try graph.stored(folder, relationship) == ["0"])
  }

  @Test func `a refreshed owner keeps the unsaved links of its members`() throws {
    let folder = try graph.make("Folder")[0]
    let context = graph.context()
    let mine = try context.get(folder)
    let file = try context.insert(entityNamed: "File")
    try file.setValue("new", for: "name")
    try file.set("folder", mine)
    try context.refresh(mine)
    #expect(try mine.objects("files") == [file])
    #expect(try file.one("folder") == mine)
    try context.save()
    #expect(try mine.objects("files") == [file])
    #expect(try graph.stored(folder, "files") == ["new"])

    let other = try context.insert(entityNamed: "File")
    try other.set("folder", mine)
    try context.refresh(mine)
    try context.delete(mine)
    #expect(try other.one("folder") == nil)
    try context.save()
  }

  @Test(arguments: [true, false])
  func `a refreshed end of a one-to-one gets back whom it lost`(_ refreshesPerson: Bool) throws {
    let (people, passports) = (try graph.make("Person", 2), try graph.make("Passport", 2))
    try graph.elsewhere { context in
      for (a, b) in zip(people, passports) {
        try context.get(a).set("passport", try context.get(b))
      }
    }
    let context = graph.context()
    let (a, p) = (try people.map(context.get), try passports.map(context.get))
    try a[0].set("passport", p[1])
    try context.refresh(refreshesPerson ? a[0] : p[1])
    #expect(try a.map { try $0.one("passport") } == p)
    #expect(try p.map { try $0.one("owner") } == a)
    #expect(!context.hasChanges)
    try context.save()
    #expect(try people.map { try graph.stored($0, "passport") } == [["0"], ["1"]])
  }

  @Test func `a refresh does not give back whom another has taken`() throws {
    let (people, passports) = (try graph.make("Person", 2), try graph.make("Passport"))
    try graph.elsewhere { try $0.get(people[0]).set("passport", try $0.get(passports[0])) }
    let context = graph.context()
    let (a, p) = (try people.map(context.get), try context.get(passports[0]))
    try a[1].set("passport", p)
    try a[0].setValue("edited", for: "name")
    try context.refresh(a[0])
    #expect(try a[0].label == "0")
    #expect(try a[0].one("passport") == nil)
    #expect(try p.one("owner") == a[1])
    try context.save()
    #expect(try people.map { try graph.stored($0, "passport") } == [[], ["0"]])
    #expect(try graph.stored(passports[0], "owner") == ["1"])
  }

  @Test(arguments: Order.all)
  func `a refresh after a conflict ties no edit to a row that is out of date (model D-8)`(
    _ order: Order
  ) throws {
    let (people, passports) = (try graph.make("Person", 2), try graph.make("Passport"))
    let context = graph.context()
    let a = try people.map(context.get)
    try graph.elsewhere { try $0.get(people[0]).set("passport", try $0.get(passports[0])) }
    let p = try context.get(passports[0])
    try a[1].set("passport", p)
    try graph.elsewhere { try $0.get(people[1]).set("passport", try $0.get(passports[0])) }
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    for place in order.places { try context.refresh([a[0], a[1], p][place]) }
    #expect(!context.hasChanges)
    try context.save()
    #expect(try a.map { try $0.one("passport") } == [nil, p])
    #expect(try graph.stored(passports[0], "owner") == ["1"])
    #expect(try people.map { try graph.stored($0, "passport") } == [[], ["0"]])
  }

  @Test(arguments: Order.all)
  func `a refresh after a conflict keeps no change of a row that others changed (model D-6)`(
    _ order: Order
  ) throws {
    let (people, passports) = (try graph.make("Person", 2), try graph.make("Passport", 2))
    try graph.elsewhere { try $0.get(people[0]).set("passport", try $0.get(passports[0])) }
    let context = graph.context()
    let (a, p) = (try people.map(context.get), try passports.map(context.get))
    try a[0].set("passport", p[1])
    try graph.elsewhere { try $0.get(people[0]).set("passport", try $0.get(passports[1])) }
    try p[0].set("owner", a[1])
    #expect(throws: PersistenceError.self) { try context.save() }
    for place in order.places { try context.refresh([a[0], p[0], p[1]][place]) }
    #expect(!context.hasChanges)
    #expect(try p.map { try $0.one("owner") } == [nil, a[0]])
    #expect(try a.map { try $0.one("passport") } == [p[1], nil])
    try context.save()
    #expect(try passports.map { try graph.stored($0, "owner") } == [[], ["0"]])
  }

  /// An order of three objects.
  struct Order: CustomTestStringConvertible {
    let places: [Int]
    var testDescription: String { "\(places)" }

    static let all = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
      .map { Order(places: $0) }
  }

  @Test func `a deleted object that is refreshed has its links again`() throws {
    let (folder, file, label) = (
      try graph.make("Folder")[0], try graph.make("File")[0], try graph.make("Label")[0]
    )
    try graph.elsewhere { context in
      try context.get(folder).set("files", try context.get(file))
      try context.get(folder).set("labels", try context.get(label))
    }
    let context = graph.context()
    let (mine, member, tag) = (
      try context.get(folder), try context.get(file), try context.get(label)
    )
    try context.delete(member)
    #expect(try mine.objects("files") == [])
    try context.refresh(member)
    #expect(try mine.objects("files") == [member])
    try context.delete(tag)
    try context.refresh(tag)
    #expect(try mine.objects("labels") == [tag])
    #expect(!context.hasChanges)
    try context.save()
    #expect(try graph.stored(folder, "files") == ["0"])
    #expect(try graph.stored(folder, "labels") == ["0"])
  }

  @Test func `P11 a refresh leaves a new object alone (review CD-024)`() throws {
    let context = graph.context()
    let mark = try context.insert(entityNamed: "Mark")
    try mark.setValue("kept", for: "name")
    try context.refresh(mark)
    try context.refresh(mark, mergingChanges: true)
    #expect(try mark.label == "kept" && mark.isInserted)
  }

  @Test func `objects in conflict are read anew after a rollback (review S-W10)`() throws {
    let id = try graph.make("Mark")[0]
    let context = graph.context()
    let held = try context.get(id)
    try graph.elsewhere { try $0.get(id).setValue("theirs", for: "name") }
    try held.setValue("mine", for: "name")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    #expect(try held.label == "mine")
    try context.rollback()
    let again: ManagedObject = try context.existingObject(with: id)
    #expect(again === held)
    #expect(try again.label == "theirs")
    try again.setValue("mine", for: "name")
    try context.save()
    #expect(try graph.storedName(id) == "mine")
  }

  @Test func `an object in conflict that is gone is gone after a rollback`() throws {
    let id = try graph.make("Mark")[0]
    let context = graph.context()
    let held = try context.get(id)
    try graph.elsewhere { try $0.delete(try $0.get(id)) }
    try held.setValue("mine", for: "name")
    #expect(throws: PersistenceError.self) { try context.save() }
    try context.rollback()
    let error = #expect(throws: PersistenceError.self) { try context.get(id) }
    #expect(error?.code == .rowGone)
  }
}
