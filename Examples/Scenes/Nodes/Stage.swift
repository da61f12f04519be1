import OxbowNodes

/// `Stage`: the window, as large as the terminal, with the buttons' focus.
final class Stage: WindowNode {
  /// What the program returns.
  var exitCode: Int32 = 0
  /// Geometry is not made for less; what has no room is not seen.
  private var minimum = NodeSize()
  /// The size of the terminal.
  private var seen = NodeSize()

  override class var functions: [NodeFunction] {
    super.functions + [
      .function("focusNext", of: Stage.self) { stage in { stage.focusNext() } },
      .function("click", of: Stage.self) { stage in { try stage.focused?.fire("onClick") } },
      .function("resize", of: Stage.self) { stage in { try stage.resize() } },
    ]
  }

  override func apply(_ attributes: NodeAttributes) throws {
    try super.apply(attributes)
    minimum = try attributes.value("minimum") ?? minimum
    measure(tree?.environment.screen ?? frame.size)
  }

  override func didSetUp() throws { focusNext() }

  /// What the terminal is to show.
  func picture(with dialog: Dialogs.Dialog?) -> Screen {
    let all = CellRect(x: 0, y: 0, width: Int(seen.width), height: Int(seen.height))
    let area = CellRect(x: 0, y: 0, width: Int(frame.size.width), height: Int(frame.size.height))
    var canvas = Canvas(screen: Screen(all.width, all.height), area: area, clip: all)
    canvas.drawChildren(of: self)
    if let dialog { canvas.draw(dialog, in: all) }
    return canvas.screen
  }

  private func resize() throws {
    measure(Terminal.size)
    try post("resized")
  }

  private func measure(_ size: NodeSize) {
    seen = size
    frame.size = NodeSize(
      width: max(size.width, minimum.width), height: max(size.height, minimum.height))
  }

  // MARK: - Focus

  private var buttons: [Button] { subtree.compactMap { $0 as? Button } }
  private var focused: Button? { buttons.first(where: \.hasFocus) }

  private func focusNext() {
    let buttons = buttons
    let old = buttons.firstIndex(where: \.hasFocus)
    for (index, button) in buttons.enumerated() {
      button.hasFocus = index == old.map { ($0 + 1) % buttons.count } ?? 0
    }
  }
}
