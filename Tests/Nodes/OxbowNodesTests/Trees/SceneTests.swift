import OxbowNodes
import OxbowTestSupport
import Testing

/// The two scenes of SnowCat's document, as its README says that they behave.
@Suite struct SceneTests {
  private func launch(
    _ scene: String, _ format: String, _ fixture: Fixture
  ) throws -> NodeTree? {
    guard let folder = Samples.folder else {
      print(Samples.absence)
      return nil
    }
    var environment = fixture.environment
    environment.files = NodeFiles(root: "\(folder)/nodes/\(scene)")
    return try NodeTree.launch("main.\(format)", in: environment)
  }

  @Test(arguments: ["plist", "json"])
  func `SC-41 the first scene loads and behaves as its document says`(format: String) throws {
    let fixture = try Fixture()
    guard let tree = try launch("scene1", format, fixture) else { return }
    let window = try #require(tree.root as? WindowNode)
    let controller = try #require(window.rootViewController as? ControllerNode)
    let view = try #require(controller.view)
    let label = try #require(view.children[0] as? Label)
    let button = try #require(view.children[1] as? Button)
    let image = try #require(view.children[2] as? ImageView)
    #expect(label.text == "Hello world!")
    #expect(label.color == NodeColor(red: 0, green: 0, blue: 1))
    #expect(label.frame.center == NodePoint(x: 200, y: 50))
    #expect(button.frame.center == NodePoint(x: 200, y: 150))
    #expect(button.hadParent)
    #expect(
      image.frame
        == NodeRect(
          origin: NodePoint(x: 150, y: 200), size: NodeSize(width: 100, height: 100)))

    #expect(try button.fire("onClick"))
    #expect(fixture.presenter.alerts.map(\.title) == ["Hey girl"])
    #expect(fixture.presenter.alerts.map(\.message) == ["Shall we go?"])
    #expect(fixture.presenter.alerts.first?.buttons.map(\.title) == ["Of course!"])
    #expect(image.isHidden)
    try button.fire("onClick")
    #expect(!image.isHidden)
    #expect(fixture.presenter.alerts.count == 2)
    #expect(tree.notes.isEmpty)
  }

  @Test(arguments: ["plist", "json"])
  func `SC-42 the second scene loads and behaves as its document says`(format: String) throws {
    let fixture = try Fixture()
    let log = Log()
    fixture.hub.observe("msg.whatever") { log.note($0.info["name"]?.text ?? "") }
    guard let tree = try launch("scene2", format, fixture) else { return }
    let controller = try #require(tree.root?.child(in: "rootViewController") as? MyController)
    let view = try #require(controller.view)
    let first = try #require(view.children.first as? Button)
    try first.fire("onClick")
    #expect(
      controller.received.map(\.info) == [
        ["name": "Notification", "event": "msg.page1.button1.clicked"]
      ])
    #expect(controller.received.first?.sender == first.id)
    #expect(log.lines == ["Notification"])
    #expect(first.isHidden)
    let second = try #require(view.children.last as? MyButton)
    #expect(view.children.count == 2)
    #expect(second.frame.center == NodePoint(x: 200, y: 100))
    #expect(second.hadParent)
    try second.fire("onClick")
    #expect(second.calls == ["click girl"])
  }

  @Test(arguments: ["plist", "json"])
  func `SC-08 without variables the text of the second scene stays as it is`(format: String) throws
  {
    let fixture = try Fixture()
    guard let folder = Samples.folder else {
      print(Samples.absence)
      return
    }
    var environment = fixture.environment
    environment.files = NodeFiles(root: "\(folder)/nodes/scene2")
    let tree = try NodeTree.launch("btn2.\(format)", in: environment)
    try tree.root?.fire("onClick")
    #expect((tree.root as? MyButton)?.calls == ["click ${name}"])
  }
}
