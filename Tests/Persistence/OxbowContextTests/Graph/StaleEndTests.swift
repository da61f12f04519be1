import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// What one context has read at one end while another moved the link (review G-X-1).
@Suite struct StaleEndTests {
  let graph: Graph

  init() throws { graph = try Graph() }

  /// How a context learns of the move.
  enum Way: CaseIterable {
    case fetch, otherCollection, refresh, existing
  }

  struct Moved {
    let context: ManagedObjectContext
    let one: ManagedObject
    let two: ManagedObject
    let member: ManagedObject
  }

  /// A context that has read `one` with its member, which another context has then moved to `two`.
  private func moved(
    _ owner: String, _ many: String, _ entity: String, _ back: String, _ way: Way,
    holdsMember: Bool = true, loadsTwo: Bool = false
  ) throws -> Moved {
    let (owners, members) = (try graph.make(owner, 2), try graph.make(entity))
    try graph.elsewhere { try $0.get(members[0]).set(back, try $0.get(owners[0])) }
    let context = graph.context()
    let (one, two) = (try context.get(owners[0]), try context.get(owners[1]))
    var held: ManagedObject? = try one.one(many)
    if loadsTwo { _ = try two.objects(many) }
    try graph.elsewhere { try $0.get(members[0]).set(back, try $0.get(owners[1])) }
    if !holdsMember {
      held = nil
      context.sweep()
    }
    switch way {
    case .fetch: held = try context.all(entity).first { $0.objectID == members[0] }
    case .otherCollection:
      if loadsTwo { try context.refresh(two) }
      held = try two.one(many)
    case .refresh:
      let object = try context.object(with: members[0])
      try context.refresh(object)
      _ = try object.label
      held = object
    case .existing:
      if let object = context.registeredObject(for: members[0]) { try context.refresh(object) }
      held = try context.get(members[0])
    }
    return Moved(context: context, one: one, two: two, member: try #require(held))
  }

  @Test(arguments: Way.allCases, [true, false])
  func `a member is in the collection of the owner that it leads to, and in no other`(
    _ way: Way, _ holdsMember: Bool
  ) throws {
    for loadsTwo in [true, false] {
      let moved = try moved(
        "Whole", "parts", "Part", "whole", way, holdsMember: holdsMember, loadsTwo: loadsTwo)
      #expect(try moved.member.one("whole") == moved.two)
      #expect(try moved.one.objects("parts") == [])
      #expect(try moved.two.objects("parts") == [moved.member])
      #expect(!moved.context.hasChanges)
    }
  }

  @Test(arguments: Way.allCases, [true, false])
  func `clearing the old owner leaves the member where it is`(_ way: Way, _ holdsMember: Bool)
    throws
  {
    let moved = try moved("Whole", "parts", "Part", "whole", way, holdsMember: holdsMember)
    try moved.one.set("parts")
    try moved.context.save()
    #expect(try graph.stored(moved.two.objectID, "parts") == ["0"])
  }

  @Test(arguments: Way.allCases, [true, false])
  func `a cascade from the old owner leaves the member where it is`(
    _ way: Way, _ holdsMember: Bool
  ) throws {
    let moved = try moved("Whole", "parts", "Part", "whole", way, holdsMember: holdsMember)
    try moved.context.delete(moved.one)
    #expect(!moved.member.isDeleted)
    try moved.context.save()
    #expect(try graph.stored(moved.two.objectID, "parts") == ["0"])
  }

  @Test(arguments: [true, false])
  func `a member that was untied elsewhere is in no collection`(_ isFault: Bool) throws {
    let (whole, part) = (try graph.make("Whole")[0], try graph.make("Part")[0])
    try graph.elsewhere { try $0.get(part).set("whole", try $0.get(whole)) }
    let context = graph.context()
    let mine = try context.get(whole)
    let member = try #require(try mine.one("parts"))
    if isFault { try context.refresh(member) }
    #expect(try mine.objects("parts") == [member])
    try graph.elsewhere { try $0.get(part).set("whole") }
    if !isFault { _ = try context.all("Part") }
    #expect(try member.one("whole") == nil)
    #expect(try mine.objects("parts") == [])
    try context.delete(mine)
    try context.save()
    #expect(try graph.context().all("Part").count == 1)
  }

  @Test func `a cascade asks members that were swept where they lead by now`() throws {
    let (owners, parts) = (try graph.make("Whole", 2), try graph.make("Part"))
    try graph.elsewhere { try $0.get(parts[0]).set("whole", try $0.get(owners[0])) }
    let context = graph.context()
    let one = try context.get(owners[0])
    _ = try one.objects("parts")
    context.sweep()
    try graph.elsewhere { try $0.get(parts[0]).set("whole", try $0.get(owners[1])) }
    try context.delete(one)
    try context.save()
    #expect(try graph.stored(owners[1], "parts") == ["0"])
  }

  @Test(arguments: Way.allCases)
  func `an ordered collection takes a member that arrives at its stored place`(_ way: Way) throws {
    let moved = try moved("Folder", "items", "File", "list", way, loadsTwo: true)
    #expect(try moved.one.objects("items") == [])
    #expect(try moved.two.objects("items") == [moved.member])
  }

  @Test(arguments: Way.allCases)
  func `a member of a subentity is no exception`(_ way: Way) throws {
    let moved = try moved("Folder", "files", "Photo", "folder", way, loadsTwo: true)
    #expect(try moved.one.objects("files") == [])
    #expect(try moved.two.objects("files") == [moved.member])
    try moved.context.delete(moved.one)
    try moved.context.save()
    #expect(try graph.stored(moved.two.objectID, "files") == ["0"])
  }

  @Test(arguments: [true, false], [true, false])
  func `both ends of a one-to-one agree whichever arrives`(_ readsOwner: Bool, _ holds: Bool) throws
  {
    let (people, passports) = (try graph.make("Person", 2), try graph.make("Passport"))
    try graph.elsewhere { try $0.get(people[0]).set("passport", try $0.get(passports[0])) }
    let context = graph.context()
    let (one, two) = (try context.get(people[0]), try context.get(people[1]))
    var passport: ManagedObject? = try one.one("passport")
    _ = try passport?.label
    try graph.elsewhere { try $0.get(people[1]).set("passport", try $0.get(passports[0])) }
    if !holds {
      passport = nil
      context.sweep()
    }
    if readsOwner {
      _ = try context.all("Person", where: .constant(true))
      passport = try context.get(passports[0])
    } else {
      passport = try context.all("Passport").first
    }
    let found = try #require(passport)
    #expect(try one.one("passport") == nil)
    #expect(try two.one("passport") == found)
    #expect(try found.one("owner") == two)
    try context.delete(one)
    do { try context.save() } catch {
      #expect(error.code == .conflict)
    }
    #expect(try graph.stored(passports[0], "owner") == ["1"])
  }

  @Test(arguments: ["labels", "queue"])
  func `both ends of a many-to-many agree on what was read last`(_ relationship: String) throws {
    let back = relationship == "labels" ? "folders" : "queues"
    let (folder, labels) = (try graph.make("Folder")[0], try graph.make("Label", 2))
    try graph.elsewhere { try $0.get(labels[0]).set(back, try $0.get(folder)) }
    let context = graph.context()
    let mine = try labels.map(context.get)
    #expect(try mine.map { try $0.objects(back).count } == [1, 0])
    try graph.elsewhere { try $0.get(folder).set(relationship, try $0.get(labels[1])) }
    let found = try context.get(folder)
    #expect(try found.objects(relationship) == [mine[1]])
    #expect(try mine.map { try $0.objects(back).count } == [0, 1])
    try mine[0].set(back)
    try context.save()
    #expect(try graph.stored(folder, relationship) == ["1"])
  }

  @Test func `an unsaved change is not lost to a row that arrives`() throws {
    let (owners, parts) = (try graph.make("Whole", 3), try graph.make("Part"))
    try graph.elsewhere { try $0.get(parts[0]).set("whole", try $0.get(owners[0])) }
    let context = graph.context()
    let wholes = try owners.map(context.get)
    let part = try #require(try wholes[0].one("parts"))
    try part.set("whole", wholes[1])
    try graph.elsewhere { try $0.get(parts[0]).set("whole", try $0.get(owners[2])) }
    _ = try context.all("Part")
    #expect(try wholes.map { try $0.objects("parts") } == [[], [part], []])
    #expect(try part.one("whole") == wholes[1])
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    try context.rollback()
    #expect(try part.one("whole") == wholes[2])
    #expect(try wholes.map { try $0.objects("parts") } == [[], [], [part]])
  }

  @Test(arguments: [true, false])
  func `a row that came while the other end was edited is right once the edit is taken back`(
    _ readsOldEndFirst: Bool
  ) throws {
    let (people, passport) = (try graph.make("Person", 2), try graph.make("Passport")[0])
    let context = graph.context()
    let mine = try people.map(context.get)
    let other = try graph.make("Passport")[0]
    try mine[0].set("passport", try context.get(other))
    try graph.elsewhere { try $0.get(passport).set("owner", try $0.get(people[0])) }
    let fresh = try context.get(passport)
    #expect(try fresh.one("owner") == nil)
    #expect(try mine[0].one("passport")?.objectID == other)
    try context.rollback()
    if readsOldEndFirst { #expect(try mine[0].one("passport") == fresh) }
    #expect(try fresh.one("owner") == mine[0])
    #expect(try mine[0].one("passport") == fresh)
    #expect(!context.hasChanges)
  }

  @Test func `a member with another edit is where the collection read last has it`() throws {
    let (owners, parts) = (try graph.make("Whole", 2), try graph.make("Part"))
    try graph.elsewhere { try $0.get(parts[0]).set("whole", try $0.get(owners[0])) }
    let context = graph.context()
    let wholes = try owners.map(context.get)
    let part = try #require(try wholes[0].one("parts"))
    try part.setValue("edited", for: "name")
    try graph.elsewhere { try $0.get(parts[0]).set("whole", try $0.get(owners[1])) }
    #expect(try wholes[1].objects("parts") == [part])
    #expect(try part.one("whole") == wholes[1])
    #expect(try wholes[0].objects("parts") == [])
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
  }

  @Test func `a new owner that was saved hears of members that arrive later`() throws {
    let part = try graph.make("Part")[0]
    let context = graph.context()
    let whole = try context.insert(entityNamed: "Whole")
    try context.save()
    try graph.elsewhere { try $0.get(part).set("whole", try $0.get(whole.objectID)) }
    let found = try #require(try context.all("Part").first)
    #expect(try found.one("whole") == whole)
    #expect(try whole.objects("parts") == [found])
  }

  @Test(arguments: ["files", "items"], [[1, 0], [0]])
  func `what is assigned is there, though a row that it reads brings other members`(
    _ end: String, _ wanted: [Int]
  ) throws {
    let (folder, files) = (try graph.make("Folder")[0], try graph.make("File", 3))
    let context = graph.context()
    let mine = try context.get(folder)
    #expect(try mine.objects(end) == [])
    try graph.elsewhere { context in
      let theirs = try context.get(folder)
      try theirs.setObjects(try [files[2], files[0]].map(context.get), for: end)
    }
    let members = try wanted.map { try context.object(with: files[$0]) }
    try mine.setObjects(members, for: end)
    #expect(try Set(mine.objects(end)) == Set(members))
    if end == "items" { #expect(try mine.objects(end) == members) }
    try context.save()
    let (stored, names) = (try graph.stored(folder, end), wanted.map { "\($0)" })
    // Of a collection without order, a member that was not met stays what others made it.
    #expect(end == "items" ? stored == names : Set(stored) == Set(names + ["2"]))
  }

  @Test(arguments: [true, false])
  func `a link that an unsaved change hid is there at both ends once that is deleted`(
    _ readsRowWithKeyFirst: Bool
  ) throws {
    let (people, passport) = (try graph.make("Person", 2), try graph.make("Passport")[0])
    let context = graph.context()
    let stale = try context.get(passport)
    try graph.elsewhere { try $0.get(people[0]).set("passport", try $0.get(passport)) }
    let mine = try context.get(people[1])
    try mine.set("passport", stale)
    let theirs = try context.get(people[0])
    #expect(try theirs.one("passport") == nil)
    try context.delete(mine)
    if readsRowWithKeyFirst {
      #expect(try theirs.one("passport") == stale)
      #expect(try stale.one("owner") == theirs)
    } else {
      #expect(try stale.one("owner") == theirs)
      #expect(try theirs.one("passport") == stale)
    }
  }
}
