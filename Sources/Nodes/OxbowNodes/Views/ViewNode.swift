/// A node with a position, a size and visibility.
///
/// Its name in files is `View`. Its attributes are `hidden`, `alpha`, `size`, `anchorPoint`,
/// `origin`, `center`, `position` and `frame`; its nodes are `subviews`.
open class ViewNode: Node {
  /// Whether it is hidden.
  open var isHidden = false
  /// How opaque it is, from 0 to 1.
  open var alpha = 1.0
  /// Where it is in its parent.
  open var frame = NodeRect()
  /// The point that `position` refers to, as a fraction of the size: {0.5, 0.5} is the middle.
  open var anchorPoint = NodePoint(x: 0.5, y: 0.5)
  /// The size that fits its contents, which the word `ToFit` gives `size`; by default its size.
  open var fittingSize: NodeSize { frame.size }

  /// `subviews`.
  open override class var slots: [NodeSlot] { [.many("subviews", of: "View")] }

  /// The values of `self.width`, `parent.height`, `nextSibling.x` and `screen.width`.
  open override var symbols: any NodeSymbols { ViewSymbols(self, .none) }

  /// Where the anchor point is in the parent.
  public var position: NodePoint {
    get {
      NodePoint(
        x: frame.origin.x + anchorPoint.x * frame.size.width,
        y: frame.origin.y + anchorPoint.y * frame.size.height)
    }
    set {
      frame.origin = NodePoint(
        x: newValue.x - anchorPoint.x * frame.size.width,
        y: newValue.y - anchorPoint.y * frame.size.height)
    }
  }

  /// Sets visibility and geometry: size and anchor point before the position.
  open override func apply(_ attributes: NodeAttributes) throws {
    try super.apply(attributes)
    // The view of a controller is as large as the controller's parent.
    if parent is ControllerNode, frame == NodeRect() { frame.size = boundsOfParent }
    isHidden = try attributes.value("hidden", as: Bool.self) ?? isHidden
    try applyAlpha(attributes)
    try place(by: attributes)
  }

  /// Sets `alpha`, which is between 0 and 1.
  func applyAlpha(_ attributes: NodeAttributes) throws(NodeError) {
    guard let alpha = try attributes.value("alpha", as: Double.self) else { return }
    guard (0...1).contains(alpha) else {
      throw NodeError(
        .invalidValue, "\"alpha\": \(alpha) is not between 0 and 1",
        at: attributes.values["alpha"]?.location)
    }
    self.alpha = alpha
  }

  func place(by attributes: NodeAttributes) throws(NodeError) {
    try applySize(attributes)
    if let anchor = try attributes.value("anchorPoint", as: NodePoint.self) { anchorPoint = anchor }
    try applyFrame(attributes)
    func point(_ name: String, _ use: ViewSymbols.Use) throws(NodeError) -> NodePoint? {
      try attributes.value(name, symbols: ViewSymbols(self, use))
    }
    if let origin = try point("origin", .origin) { frame.origin = origin }
    if let center = try point("center", .center) { frame.center = center }
    if let position = try point("position", .center) { self.position = position }
  }

  private func applySize(_ attributes: NodeAttributes) throws(NodeError) {
    if attributes["size"]?.text == "ToFit" {
      frame.size = fittingSize
    } else if let size = try attributes.value("size", as: NodeSize.self) {
      frame.size = size
    }
  }

  private func applyFrame(_ attributes: NodeAttributes) throws(NodeError) {
    guard let value = attributes["frame"] else { return }
    if value.text?.contains("{") == true {
      frame = try attributes.value("frame", as: NodeRect.self) ?? frame
    } else if let placement = try attributes.value("frame", as: NodePlacement.self) {
      frame = placement.rect(of: frame.size, in: boundsOfParent)
    }
  }

  /// The size of its parent, or of the screen.
  var boundsOfParent: NodeSize {
    parent?.nearest(ViewNode.self)?.frame.size ?? host?.screen ?? NodeSize()
  }
}
