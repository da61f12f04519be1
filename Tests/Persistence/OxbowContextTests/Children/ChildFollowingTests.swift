import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// What a child shows of what its parent, and others by way of the parent, have deleted and changed
/// (PG-10, PG-12).
@Suite struct ChildFollowingTests {
  /// Who deletes what a child has read.
  enum Deletion: CaseIterable { case parent, sibling, others }

  /// Relationships of every kind, and the entity at the other end.
  static let ends = [
    ("Folder", "files", "File"), ("Folder", "items", "File"), ("Folder", "labels", "Label"),
    ("Folder", "queue", "Label"), ("Person", "passport", "Passport"), ("File", "folder", "Folder"),
    ("Photo", "list", "Folder"), ("Doc", "marks", "Mark"), ("Doc", "order", "Mark"),
    ("Doc", "main", "Mark"),
  ]

  private let graph: Graph
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    graph = try Graph()
    parent = graph.context("parent")
    child = ManagedObjectContext(parent: parent, name: "child")
  }

  /// An object that leads to others by a relationship, saved.
  private func make(
    _ end: (owner: String, name: String, member: String)
  ) throws -> (owner: ManagedObjectID, members: [ManagedObjectID]) {
    let owner = try graph.make(end.owner)[0]
    let isOne = ["passport", "folder", "list", "main"].contains(end.name)
    let members = try graph.make(end.member, isOne ? 1 : 3)
    try graph.elsewhere { context in
      try context.get(owner).setObjects(members.map(context.get), for: end.name)
    }
    return (owner, members)
  }

  /// Follows the parent, as the parent follows the store.
  private func follow() {
    parent.automaticallyMergesChangesFromParent = true
    child.automaticallyMergesChangesFromParent = true
  }

  private func delete(_ id: ManagedObjectID, by deletion: Deletion) throws {
    switch deletion {
    case .parent:
      try parent.delete(parent.get(id))
      try parent.save()
    case .sibling:
      let sibling = ManagedObjectContext(parent: parent, name: "sibling")
      try sibling.delete(sibling.get(id))
      try sibling.save()
    case .others:
      try graph.elsewhere { context in
        // Without inverse, what leads there has to be known.
        let docs = try context.all("Doc")
        try context.delete(context.get(id))
        withExtendedLifetime(docs) {}
      }
    }
  }

  @Test(arguments: ends, Deletion.allCases)
  func `a child that merges changes names nothing that is deleted`(
    _ end: (owner: String, name: String, member: String), _ deletion: Deletion
  ) throws {
    for isHeld in [true, false] {
      let (owner, members) = try make(end)
      follow()
      let mine = try child.get(owner)
      #expect(try mine.objects(end.name).count == members.count)
      let held = isHeld ? [try child.get(members[0])] : []
      let grandchild = ManagedObjectContext(parent: child, name: "grandchild")
      grandchild.automaticallyMergesChangesFromParent = true
      let theirs = try grandchild.get(owner)
      #expect(try theirs.objects(end.name).count == members.count)
      try delete(members[0], by: deletion)
      _ = try grandchild.count(FetchRequest<ManagedObject>(entityNamed: end.owner))
      let left = members.dropFirst().enumerated().map { "\($0.offset + 1)" }
      #expect(try theirs.names(end.name) == left)
      #expect(try mine.names(end.name) == left)
      #expect(held.allSatisfy { $0.context == nil })
      // And its own changes are saved.
      try mine.setValue("mine", for: "name")
      try child.save()
      try parent.save()
      #expect(try graph.storedName(owner) == "mine")
      #expect(try graph.stored(owner, end.name) == left)
    }
  }

  @Test(arguments: ends)
  func `what a child reads leads to nothing that its parent is about to delete`(
    _ end: (owner: String, name: String, member: String)
  ) throws {
    let (owner, members) = try make(end)
    let theirs = try parent.get(owner)
    _ = try theirs.objects(end.name)
    let mine = try child.get(owner)
    #expect(try mine.objects(end.name).count == members.count)
    try parent.delete(parent.get(members[0]))
    let left = members.dropFirst().enumerated().map { "\($0.offset + 1)" }
    // A getter agrees with the one before, until the child asks its parent again.
    #expect(try mine.objects(end.name).count == members.count)
    try child.refresh(mine)
    #expect(try mine.names(end.name) == left)
    let other = ManagedObjectContext(parent: parent, name: "other")
    #expect(try other.get(owner).names(end.name) == left)
    try parent.rollback()
    try child.refresh(mine)
    #expect(try mine.objects(end.name).count == members.count)
  }

  @Test(arguments: ends)
  func `a child that does not merge is like a context of the store, and saves nothing that is gone`(
    _ end: (owner: String, name: String, member: String)
  ) throws {
    let (owner, members) = try make(end)
    let contexts = [child, graph.context("of the store")]
    let mine = try contexts.map { try $0.get(owner) }
    for object in mine { #expect(try object.objects(end.name).count == members.count) }
    try delete(members[0], by: .parent)
    let left = members.dropFirst().enumerated().map { "\($0.offset + 1)" }
    for (context, object) in zip(contexts, mine) {
      _ = try context.all(end.member)
      #expect(try object.objects(end.name).count == members.count)
      let isList = ["items", "queue", "order"].contains(end.name)
      if isList { try object.setObjects(object.objects(end.name).reversed(), for: end.name) }
      do {
        if isList { try context.save() }
      } catch { #expect(error.code == .conflict) }
      try context.rollback()
      try context.refresh(object)
      #expect(
        try object.names(end.name)
          == (isList && context === child ? left.reversed() : object.names(end.name)))
    }
    try parent.rollback()
    #expect(try parent.get(owner).names(end.name).sorted() == left)
    #expect(try graph.stored(owner, end.name).sorted() == left)
  }

  @Test func `a parent that does not merge keeps what others delete from its children too`() throws
  {
    let (owner, members) = try make(("Folder", "files", "File"))
    let theirs = try parent.get(owner)
    #expect(try theirs.names("files") == ["0", "1", "2"])
    child.automaticallyMergesChangesFromParent = true
    let mine = try child.get(owner)
    #expect(try mine.names("files") == ["0", "1", "2"])
    try delete(members[0], by: .others)
    _ = try child.get(owner)
    #expect(try mine.names("files") == ["0", "1", "2"])
    #expect(try child.get(members[0]).label == "0")
    try child.refresh(mine)
    #expect(try mine.names("files") == ["0", "1", "2"])
    withExtendedLifetime(theirs) {}
  }

  @Test func `an order that was not saved loses what a sibling deletes, held or not`() throws {
    for isHeld in [true, false] {
      let (owner, members) = try make(("Folder", "items", "File"))
      child.automaticallyMergesChangesFromParent = true
      let mine = try child.get(owner)
      try mine.setObjects(mine.objects("items").reversed(), for: "items")
      let held = try isHeld ? mine.objects("items") : []
      if !isHeld { child.sweep() }
      try delete(members[1], by: .sibling)
      _ = try child.count(FetchRequest<ManagedObject>(entityNamed: "Doc"))
      #expect(try mine.names("items") == ["2", "0"])
      #expect(mine.hasChanges)
      try child.save()
      try parent.save()
      #expect(try graph.stored(owner, "items") == ["2", "0"])
      withExtendedLifetime(held) {}
    }
  }

  @Test func `what a sibling saves arrives, and what its parent rolls back goes`() throws {
    let (owner, members) = try make(("Folder", "files", "File"))
    child.automaticallyMergesChangesFromParent = true
    let mine = try child.get(owner)
    let file = try child.get(members[0])
    #expect(try mine.names("files") == ["0", "1", "2"])
    let results = try FetchedResults(
      FetchRequest<ManagedObject>(entityNamed: "File", sortedBy: [SortKey("name")]), in: child)
    let sibling = ManagedObjectContext(parent: parent, name: "sibling")
    try sibling.get(members[0]).setValue("new", for: "name")
    let added = try sibling.insert(entityNamed: "Photo")
    try added.setValue("added", for: "name")
    try added.set("folder", sibling.get(owner))
    try sibling.save()
    #expect(try file.label == "0")
    try results.update()
    #expect(try file.label == "new")
    #expect(try results.objects.map { try $0.label } == ["1", "2", "added", "new"])
    #expect(try mine.names("files") == ["1", "2", "added", "new"])
    try parent.rollback()
    try results.update()
    #expect(try mine.names("files") == ["0", "1", "2"])
    #expect(try results.objects.map { try $0.label } == ["0", "1", "2"])
    #expect(try file.label == "0")
  }

  @Test(arguments: ["labels", "queue"])
  func `a changed object of a child that follows has what a sibling links`(
    _ relationship: String
  ) throws {
    let (owner, _) = try make(("Folder", relationship, "Label"))
    follow()
    let mine = try child.get(owner)
    #expect(try mine.objects(relationship).count == 3)
    try mine.setValue("mine", for: "name")
    let sibling = ManagedObjectContext(parent: parent, name: "sibling")
    let label = try sibling.insert(entityNamed: "Label")
    try label.setValue("new", for: "name")
    try sibling.get(owner).add(relationship, label)
    try sibling.save()
    _ = try child.count(FetchRequest<ManagedObject>(entityNamed: "File"))
    #expect(try mine.names(relationship) == ["0", "1", "2", "new"])
    #expect(try mine.label == "mine" && mine.isUpdated)
  }

  @Test func `a child learns what its parent's rules deleted beyond its own deletion`() throws {
    let whole = try graph.make("Whole")[0]
    let part = try graph.make("Part")[0]
    child.automaticallyMergesChangesFromParent = true
    let mine = try child.get(part)
    #expect(try mine.objects("whole").isEmpty)
    try parent.get(part).set("whole", parent.get(whole))
    let doomed = try child.get(whole)
    #expect(try doomed.objects("parts").count == 1)
    try parent.get(part).setObjects([], for: "whole")
    try child.refresh(doomed)
    try child.refresh(mine)
    #expect(try doomed.objects("parts").isEmpty)
    try parent.get(part).set("whole", parent.get(whole))
    try child.delete(doomed)
    child.mergePolicy = .overwrite
    try child.save()
    #expect(try parent.get(part).isDeleted)
    _ = try child.all("Doc")
    #expect(mine.context == nil)
  }

  @Test func `a child's own save does not make it read again`() throws {
    let (owner, members) = try make(("Folder", "files", "File"))
    child.automaticallyMergesChangesFromParent = true
    let mine = try child.get(owner)
    let files = try mine.objects("files")
    try mine.setValue("mine", for: "name")
    try child.save()
    let before = child.statistics
    _ = try child.get(members[0])
    #expect(child.statistics.fetches == before.fetches)
    #expect(child.statistics.rowsRead == before.rowsRead)
    withExtendedLifetime(files) {}
  }
}
