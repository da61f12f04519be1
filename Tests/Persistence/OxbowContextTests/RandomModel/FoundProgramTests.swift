import OxbowModel
import Testing

/// Random programs that the forecast of a save once took for wrong, made short.
@Suite struct FoundProgramTests {
  /// Steps of three contexts, by the number of the context.
  typealias Program = [(context: Int, action: Step.Action)]

  private static let owner = World.flat.end("owner")

  private func play(_ program: Program, _ world: World = .flat, reverses: Bool = false) throws {
    let bench = try Bench(world, CompiledModel(world.model), .memory)
    let player = try CrowdPlayer(bench, .all, reverses: reverses)
    do {
      for (context, action) in program { try player.play(Step(context: context, action: action)) }
      try player.end()
    } catch let divergence as Divergence {
      Issue.record("\(divergence.kind): \(divergence.text)")
    }
  }

  @Test func `an end that is led to what the context deletes is unchanged in a deleted row`() throws
  {
    try play([
      (0, .insert(1, "Person")), (0, .insert(2, "File")), (0, .save(.reset)),
      (1, .point(2, Self.owner, 1)), (0, .delete(2)), (1, .delete(1)),
    ])
  }

  @Test func `an end that is led to what the context deletes is unchanged in a changed row`() throws
  {
    let mark = World.inherited.end("mark")
    try play(
      [
        (1, .insert(9, "Solid")), (0, .insert(11, "Cube")), (1, .save(.keep)),
        (0, .save(.rollback)), (0, .set(11, "flag", .truth(true))), (1, .point(11, mark, 9)),
        (1, .delete(9)),
      ], .inherited)
  }

  @Test func `such an end stays where another context has led it`() throws {
    try play([
      (0, .insert(1, "Person")), (0, .insert(2, "File")), (0, .insert(3, "Person")),
      (0, .save(.reset)), (1, .point(2, Self.owner, 1)), (1, .delete(1)),
      (0, .point(2, Self.owner, 3)), (0, .save(.reset)),
    ])
  }

  @Test func `a deletion conflicts with a link that was read and that others have moved`() throws {
    try play([
      (1, .insert(1, "Person")), (0, .insert(6, "Person")), (0, .insert(7, "File")),
      (0, .point(7, Self.owner, 6)), (0, .save(.refresh)), (1, .save(.keep)),
      (0, .point(7, Self.owner, 1)), (1, .point(7, Self.owner, 6)), (1, .delete(6)),
    ])
  }

  @Test func `a key that leads nowhere by the rule no action is not loaded`() throws {
    let hook = World.flat.end("hook")
    try play([
      (1, .insert(4, "Person")), (1, .insert(5, "Card")), (1, .point(5, hook, 4)),
      (1, .save(.reset)), (1, .delete(4)), (1, .save(.reset)), (0, .reset), (0, .prefetch(hook)),
    ])
  }

  @Test func `a deletion that is undone conflicts with a row that another context wrote again`()
    throws
  {
    try play(
      [
        (1, .insert(5, "Card")), (1, .save(.rollback)), (0, .delete(5)),
        (1, .set(5, "n", .whole(1))), (0, .save(.reset)), (1, .save(.rollback, .objectTrump)),
        (0, .undo),
      ], reverses: true)
  }

  @Test func `a place that a member came back to ends with a link that others have ended`() throws {
    let children = World.flat.end("children")
    try play([
      (1, .insert(1, "Folder")), (1, .insert(3, "Folder")), (1, .insert(4, "Folder")),
      (1, .replace(4, children, [1])), (1, .save(.refresh)), (0, .replace(4, children, [])),
      (1, .add(1, children, 1)), (1, .replace(4, children, [4, 1])), (0, .save(.reset)),
      (1, .fetch("Folder", .all)),
    ])
  }

  @Test func `a deletion that a one-to-one link takes back leaves the link at both ends`() throws {
    let twin = World.inherited.end("twin")
    try play(
      [
        (1, .insert(2, "Solid")), (0, .insert(6, "Solid")), (1, .save(.refresh, .overwrite)),
        (0, .point(2, twin, 6)), (0, .point(6, twin, nil)), (0, .undo),
        (0, .save(.keep, .objectTrump)), (1, .delete(6)), (1, .save(.refresh, .rollback)),
      ], .inherited, reverses: true)
  }

  @Test func `an object that is written again has the one-to-one link that its row has`() throws {
    let person = World.flat.end("person")
    try play([
      (0, .insert(3, "Card")), (1, .insert(5, "Card")), (1, .insert(6, "Person")),
      (0, .save(.refresh)), (1, .point(5, person, 6)), (1, .save(.rollback)),
      (1, .point(3, person, 6)), (0, .delete(6)), (0, .save(.keep, .rollback)),
      (1, .point(5, person, 6)), (1, .set(6, "n", .whole(.max))),
      (1, .save(.refresh, .objectTrump)),
    ])
  }

  @Test func `a stored link that an unsaved one has hidden ends with its other end`() throws {
    let mate = World.flat.end("mate")
    try play([
      (0, .insert(2, "Person")), (0, .insert(14, "Person")), (0, .save(.keep)),
      (1, .insert(19, "Person")), (1, .point(19, mate, 2)), (1, .save(.keep)),
      (0, .point(14, mate, 2)), (0, .point(19, mate, 14)), (0, .save(.reset)),
    ])
  }

  @Test func `so it does where the link that has hidden it goes later`() throws {
    let mate = World.flat.end("mate")
    try play([
      (0, .insert(2, "Person")), (0, .insert(14, "Person")), (0, .insert(7, "Person")),
      (0, .save(.keep)), (1, .insert(19, "Person")), (1, .point(19, mate, 2)), (1, .save(.keep)),
      (0, .point(14, mate, 2)), (0, .point(19, mate, 7)), (0, .point(14, mate, nil)),
      (0, .save(.reset)),
    ])
  }

  @Test func `an end that is set to nothing shows no stored link that its old one has hidden`()
    throws
  {
    let mate = World.flat.end("mate")
    try play([
      (0, .insert(1, "Person")), (0, .insert(2, "Person")), (0, .save(.reset)),
      (0, .point(2, mate, 1)), (1, .insert(6, "Person")), (1, .point(1, mate, 6)),
      (1, .save(.refresh)), (0, .fetch("Person", .all)), (0, .point(1, mate, nil)),
    ])
  }

  @Test func `what others have deleted comes back with a link that is written as a whole`() throws {
    let coverOf = World.flat.end("coverOf")
    try play([
      (1, .insert(3, "Folder")), (1, .insert(8, "Tag")), (1, .point(8, coverOf, 3)),
      (1, .save(.keep)), (0, .set(8, "real", .real(0.5))), (1, .delete(8)),
      (0, .fetch("Folder", .all)), (1, .save(.reset, .objectTrump)),
      (0, .set(3, "n", .whole(1))), (0, .save(.keep, .overwrite)),
    ])
  }

  @Test func `an object that is written again is in the collections that were read since`() throws {
    let whole = World.inherited.end("whole")
    try play(
      [
        (2, .insert(4, "Solid")), (0, .insert(6, "Solid")), (2, .save(.keep)),
        (1, .set(4, "flag", .truth(true))), (0, .point(4, whole, 4)), (0, .point(6, whole, 4)),
        (0, .save(.rollback)), (1, .set(6, "n", .whole(.max))), (0, .delete(6)), (0, .save(.keep)),
        (1, .save(.reset, .overwrite)),
      ], .inherited, reverses: true)
  }

  @Test func `an undo leaves no link in the collection of what others have deleted`() throws {
    let parent = World.flat.end("parent")
    try play(
      [
        (2, .insert(7, "Folder")), (1, .insert(10, "Folder")), (1, .save(.refresh)), (1, .undo),
        (2, .point(7, parent, 10)), (1, .save(.reset)), (2, .undo),
      ], reverses: true)
  }

  @Test func `a row that is refreshed loses the link that an unsaved change has ended`() throws {
    let (lid, parts) = (World.inherited.end("lid"), World.inherited.end("parts"))
    try play(
      [
        (1, .insert(2, "Plane")), (2, .insert(6, "Crate")), (0, .insert(7, "Crate")),
        (1, .save(.keep)), (2, .point(6, lid, 2)), (0, .insert(8, "Cube")), (0, .add(8, parts, 2)),
        (2, .insert(10, "Plane")), (2, .save(.rollback)), (0, .point(7, lid, 2)),
        (0, .point(6, lid, 10)), (0, .save(.refresh)),
      ], .inherited)
  }

  @Test func `a cascade goes on from a new object`() throws {
    let (cover, children) = (World.flat.end("cover"), World.flat.end("children"))
    try play([
      (1, .insert(4, "Folder")), (1, .insert(5, "Tag")), (0, .insert(7, "Folder")),
      (1, .save(.rollback)), (0, .point(7, cover, 5)), (0, .replace(4, children, [7])),
      (0, .delete(4)),
    ])
  }
}

extension World {
  /// The end of a name.
  fileprivate func end(_ name: String) -> End {
    guard let end = ends.first(where: { $0.name == name }) else {
      preconditionFailure("the world '\(self.name)' has no end '\(name)'")
    }
    return end
  }
}
