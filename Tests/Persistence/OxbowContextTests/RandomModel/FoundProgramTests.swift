import OxbowModel
import Testing

/// Random programs that the forecast of a save once took for wrong, made short.
@Suite struct FoundProgramTests {
  /// Steps of three contexts, by the number of the context.
  typealias Program = [(context: Int, action: Step.Action)]

  private static let owner = World.flat.end("owner")

  private func play(_ program: Program, _ world: World = .flat) throws {
    let bench = try Bench(world, CompiledModel(world.model), .memory)
    let player = try CrowdPlayer(bench, .all)
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
