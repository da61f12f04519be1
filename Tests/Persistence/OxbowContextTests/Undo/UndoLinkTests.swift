import OxbowContext
import OxbowModel
import Testing

/// Links that are made and deleted in one group, of every cardinality.
@Suite struct UndoLinkTests {
  let knot: Knot
  let context: ManagedObjectContext

  init() throws {
    knot = try Knot()
    context = knot.context()
  }

  /// A relationship of nodes or of a box, and how its link is deleted.
  struct Case: Sendable, CustomTestStringConvertible {
    let entity: String
    let relationship: String
    let isSelf: Bool

    var testDescription: String { "\(entity).\(relationship)" + (isSelf ? " to itself" : "") }

    static let all = Knot.names.flatMap { entity in
      Knot.relationships(of: entity).flatMap { relationship in
        (relationship.destination == "Node" && entity == "Node" ? [false, true] : [false])
          .map { Case(entity: entity, relationship: relationship.name, isSelf: $0) }
      }
    }
  }

  private func end(of test: Case, isOwner: Bool) throws -> ManagedObject {
    let relationship = Knot.relationships(of: test.entity).first { $0.name == test.relationship }
    let object = try context.insert(
      entityNamed: isOwner ? test.entity : relationship?.destination ?? "Node")
    try object.setValue(isOwner ? "owner" : "member", for: "name")
    return object
  }

  private func expect(_ expected: KnotSnapshot, _ what: String) throws {
    #expect(try KnotSnapshot(of: context).difference(from: expected) == nil, "\(what)")
  }

  private func expectInStore(_ expected: KnotSnapshot, _ what: String) throws {
    try context.save()
    let stored = try KnotSnapshot(of: knot.context("reader"))
    #expect(stored.difference(from: expected) == nil, "in the store: \(what)")
  }

  /// Makes a link and deletes its ends in one group, which is undone, redone and undone again.
  private func play(_ test: Case, deletesMember: Bool, deletesBoth: Bool, isSaved: Bool) throws {
    let owner = try end(of: test, isOwner: true)
    let member = test.isSelf ? owner : try end(of: test, isOwner: false)
    try context.save()
    context.isUndoEnabled = true
    let before = try KnotSnapshot(of: context)
    try context.undoGroup {
      try owner.setObjects([member], for: test.relationship)
      // A box with items is not deleted by a save.
      let doomed =
        deletesBoth && owner !== member ? [owner, member] : [deletesMember ? member : owner]
      for object in doomed where !object.isDeleted { try context.delete(object) }
    }
    let after = try KnotSnapshot(of: context)
    let isDenied =
      ["items", "box"].contains(test.relationship) && !deletesBoth
      && (test.entity == "Box") != deletesMember
    func settle(_ expected: KnotSnapshot, _ what: String) throws {
      try expect(expected, what)
      if isSaved && !isDenied { try expectInStore(expected, what) }
    }
    try settle(after, "group")
    try context.undo()
    try settle(before, "undo")
    try context.redo()
    try settle(after, "redo")
    try context.undo()
    try settle(before, "undo again")
    try expectInStore(before, "at last")
  }

  @Test(arguments: Case.all)
  func `D-1 an undo leaves no link that was made in the group that deleted its ends`(
    _ test: Case
  ) throws {
    for isSaved in [false, true] {
      for (member, both) in [(false, false), (true, false), (false, true)] {
        context.isUndoEnabled = false
        try play(test, deletesMember: member, deletesBoth: both, isSaved: isSaved)
      }
    }
  }

  @Test func `D-1 without a group of its own: a chapter that goes with the book that it got`()
    throws
  {
    context.isUndoEnabled = true
    let parent = try context.insert(entityNamed: "Node")
    let child = try context.insert(entityNamed: "Node")
    try context.save()
    try child.setObjects([parent], for: "parent")
    try context.delete(parent)
    try context.undo()
    #expect(try child.objects("parent").isEmpty)
    #expect(try parent.objects("children").isEmpty)
    #expect(!context.hasChanges)
  }

  @Test(arguments: Case.all.filter { !$0.isSelf }, [false, true])
  func `D-2 an undo gives a new object its links back at both ends`(
    _ test: Case, isMemberNew: Bool
  ) throws {
    let saved = try end(of: test, isOwner: isMemberNew)
    try context.save()
    context.isUndoEnabled = true
    let fresh = try end(of: test, isOwner: !isMemberNew)
    let (owner, member) = isMemberNew ? (saved, fresh) : (fresh, saved)
    let before = try context.undoGroup { () throws -> KnotSnapshot in
      try owner.setObjects([member], for: test.relationship)
      return try KnotSnapshot(of: context)
    }
    try context.undoGroup {
      // Both, in either order, the deletions of a cascade included.
      for object in [owner, member] where object.context != nil && !object.isDeleted {
        try context.delete(object)
      }
    }
    let after = try KnotSnapshot(of: context)
    try context.undo()
    try expect(before, "undo")
    try context.redo()
    try expect(after, "redo")
    try context.undo()
    try expect(before, "undo again")
    // What is done by the end that came back is not lost.
    try owner.setObjects([], for: test.relationship)
    let emptied = try KnotSnapshot(of: context)
    try expectInStore(emptied, "emptied")
    try context.undo()
    try expect(before, "the last undo")
    try expectInStore(before, "the last undo")
  }

  @Test(arguments: ["peers", "spouse", "friends", "parent", "twin", "before", "steps", "marks"])
  func `D-3 a link to itself that is made and taken back is not a change`(name: String) throws {
    let node = try context.insert(entityNamed: "Node")
    try context.save()
    try node.setObjects([node], for: name)
    #expect(context.hasChanges)
    try node.setObjects([], for: name)
    #expect(!context.hasChanges)
    try node.setObjects([node], for: name)
    try context.save()
    // Likewise one that the store has; in the order at the other end it comes last.
    try node.setObjects([], for: name)
    try node.setObjects([node], for: name)
    #expect(context.hasChanges == (name == "before"))
    try node.setObjects([], for: name)
    try context.save()
    let reader = knot.context("reader")
    #expect(try reader.existingObject(with: node.objectID).objects(name).isEmpty)
  }

  @Test func `D-3 what was made and taken back here does not end the link of another`() throws {
    let node = try context.insert(entityNamed: "Node")
    try context.save()
    try node.setObjects([node], for: "peers")
    try node.setObjects([], for: "peers")
    let other = knot.context("other")
    let theirs = try other.existingObject(with: node.objectID)
    try theirs.setObjects([theirs], for: "peers")
    try other.save()
    try node.setValue("x", for: "name")
    try context.save()
    let reader = knot.context("reader")
    #expect(try reader.existingObject(with: node.objectID).objects("peers").count == 1)
  }

  @Test(arguments: [false, true])
  func `two groups that delete both ends of a link that denies are undone, saved or not`(
    isSaved: Bool
  ) throws {
    let box = try context.insert(entityNamed: "Box")
    let node = try context.insert(entityNamed: "Node")
    try box.setObjects([node], for: "items")
    try context.save()
    context.isUndoEnabled = true
    let before = try KnotSnapshot(of: context)
    try context.undoGroup { try context.delete(box) }
    try context.undoGroup { try context.delete(node) }
    if isSaved { try context.save() }
    try context.undo()
    #expect(!node.isDeleted && node.context != nil)
    try context.undo()
    try expect(before, "undone")
    try expectInStore(before, "undone")
  }

  /// A box and its guest, the box deleted by a group that is saved.
  private func deletedHost() throws -> (box: ManagedObject, guest: ManagedObject) {
    let box = try context.insert(entityNamed: "Box")
    let guest = try context.insert(entityNamed: "Node")
    try guest.setObjects([box], for: "host")
    try context.save()
    context.isUndoEnabled = true
    try context.undoGroup { try context.delete(box) }
    try context.save()
    return (box, guest)
  }

  @Test(arguments: [false, true])
  func `a redo ends the link to an object that a deletion without action has left`(
    isSaved: Bool
  ) throws {
    let (_, guest) = try deletedHost()
    try context.undoGroup { try guest.setObjects([], for: "host") }
    let after = try KnotSnapshot(of: context)
    if isSaved { try context.save() }
    try context.undo()
    if isSaved { try context.save() }
    try context.redo()
    try expect(after, "redone")
    try expectInStore(after, "redone")
    try context.undo()
    try context.undo()
    #expect(try guest.objects("host").count == 1)
  }

  @Test(arguments: [false, true])
  func `an object that comes back has the members whose unsaved keys lead to it`(
    isSaved: Bool
  ) throws {
    let (box, guest) = try deletedHost()
    try context.undoGroup { try guest.setObjects([], for: "host") }
    if isSaved { try context.save() }
    try context.undo()
    try context.undo()
    #expect(try box.objects("guests") == [guest])
    let before = try KnotSnapshot(of: context)
    try expectInStore(before, "undone")
    try box.setObjects([], for: "guests")
    #expect(try guest.objects("host").isEmpty)
  }

  @Test(arguments: ["mark", "marks"], [false, true])
  func `links without inverse come back whose both objects one group has deleted`(
    name: String, isNew: Bool
  ) throws {
    for (isSaved, isOwnerFirst) in [(false, false), (false, true), (true, false), (true, true)] {
      context.isUndoEnabled = false
      let target = try context.insert(entityNamed: "Node")
      try context.save()
      let owner = try context.insert(entityNamed: "Node")
      if !isNew { try context.save() }
      try owner.setObjects([target], for: name)
      context.isUndoEnabled = true
      let before = try KnotSnapshot(of: context)
      try context.undoGroup {
        for object in isOwnerFirst ? [owner, target] : [target, owner] {
          try context.delete(object)
        }
      }
      if isSaved { try context.save() }
      let after = try KnotSnapshot(of: context)
      try context.undo()
      try expect(before, "undone")
      try context.redo()
      try expect(after, "redone")
      try context.undo()
      try expect(before, "undone again")
      try expectInStore(before, "undone again")
    }
  }

  @Test(arguments: ["mark", "marks"], [false, true])
  func `what takes the place of a link to an object that its group has deleted gives it back`(
    name: String, isSaved: Bool
  ) throws {
    let nodes = try (0..<3).map { _ in try context.insert(entityNamed: "Node") }
    try nodes[0].setObjects([nodes[1]], for: name)
    try context.save()
    context.isUndoEnabled = true
    let before = try KnotSnapshot(of: context)
    try context.undoGroup {
      try context.delete(nodes[1])
      try nodes[0].setObjects([nodes[2]], for: name)
    }
    if isSaved { try context.save() }
    let after = try KnotSnapshot(of: context)
    try context.undo()
    try expect(before, "undone")
    if isSaved { try expectInStore(before, "undone") }
    try context.redo()
    try expect(after, "redone")
    try context.undo()
    try expect(before, "undone again")
    try expectInStore(before, "undone again")
  }

  @Test(arguments: ["mark", "marks"], [false, true])
  func `a link without inverse to an object that its group has made and deleted is none`(
    name: String, isSaved: Bool
  ) throws {
    let node = try context.insert(entityNamed: "Node")
    try context.save()
    context.isUndoEnabled = true
    try context.undoGroup {
      try node.setValue("touched", for: "name")
      let made = try context.insert(entityNamed: "Node")
      try node.setObjects([made], for: name)
      try context.delete(made)
    }
    if isSaved { try context.save() }
    let after = try KnotSnapshot(of: context)
    try context.undo()
    try context.redo()
    try expect(after, "redone")
    try expectInStore(after, "redone")
  }

  @Test func `a link to a deleted object that another context made comes back with the object`()
    throws
  {
    let library = try Library()
    let (mine, other) = (library.context(), library.context())
    mine.isUndoEnabled = true
    let author = try other.insert(Author.self) { $0.name = "a" }
    let book = try other.insert(Book.self) { $0.title = "b" }
    try other.save()
    let known = try mine.existingObject(with: author.objectID, as: Author.self)
    try mine.undoGroup { try mine.delete(known) }
    book.author = author
    try other.save()
    let found = try mine.existingObject(with: book.objectID, as: Book.self)
    try mine.undoGroup { try mine.delete(found) }
    #expect(try mine.undo())
    #expect(found.author == nil)
    #expect(try mine.undo())
    #expect(found.author === known)
    #expect(!mine.hasChanges)
  }
}
