/// A node that has a view; its name in files is `ViewController`.
///
/// Its nodes are `view`, `childViewControllers`, and the controller that it presents.
open class ControllerNode: Node {
  /// `view`, `childViewControllers` and `presentedViewController`.
  open override class var slots: [NodeSlot] {
    [
      .one("view", of: "View"), .many("childViewControllers", of: "ViewController"),
      .one("presentedViewController", of: "ViewController"),
    ]
  }

  /// The view.
  public var view: ViewNode? { child(in: "view") as? ViewNode }
  /// The controller that it presents.
  public var presented: Node? { child(in: "presentedViewController") }
}

/// The top of a tree, as large as the screen unless it has another size.
///
/// Its name in files is `Window`. Its nodes are `rootViewController` and `subviews`.
open class WindowNode: ViewNode {
  /// `rootViewController` and `subviews`.
  open override class var slots: [NodeSlot] {
    [.one("rootViewController", of: "ViewController")] + super.slots
  }

  /// The controller of the tree.
  public var rootViewController: Node? { child(in: "rootViewController") }

  /// Takes the size of the screen, then sets the attributes.
  open override func apply(_ attributes: NodeAttributes) throws {
    frame.size = host?.screen ?? frame.size
    try super.apply(attributes)
  }
}
