import OxbowNodes

/// A node that is seen.
protocol Drawable: ViewNode {
  /// Draws the node itself; what is in it is drawn later.
  func draw(on canvas: inout Canvas)
}

/// The part of the screen that a node has.
struct Canvas {
  var screen: Screen
  /// The place of the node, which may lie partly outside of ``clip``.
  var area: CellRect
  /// What can be seen of it.
  var clip: CellRect

  /// Writes a line of the node.
  mutating func write(_ text: String, x: Int = 0, y: Int, _ style: CellStyle = .plain) {
    screen.write(text, x: area.x + x, y: area.y + y, style, in: clip)
  }

  /// Writes a line, with blanks up to the end of the node.
  mutating func fill(_ text: String, y: Int, _ style: CellStyle = .plain) {
    write(String(repeating: " ", count: area.width), y: y, style)
    write(text, y: y, style)
  }

  /// Draws the nodes in a node.
  mutating func drawChildren(of node: Node) {
    for child in node.children {
      guard let view = child as? ViewNode, !view.isHidden else { continue }
      let outer = (area, clip)
      area = CellRect(view.frame, in: outer.0)
      clip = area.intersection(outer.1)
      (view as? any Drawable)?.draw(on: &self)
      drawChildren(of: view)
      (area, clip) = outer
    }
  }
}

extension CellRect {
  /// The cells of a frame; neighbours stay neighbours when numbers are rounded.
  init(_ frame: NodeRect, in parent: CellRect) {
    let left = Int(frame.origin.x.rounded(.down))
    let top = Int(frame.origin.y.rounded(.down))
    self.init(
      x: parent.x + left, y: parent.y + top,
      width: Int((frame.origin.x + frame.size.width).rounded(.down)) - left,
      height: Int((frame.origin.y + frame.size.height).rounded(.down)) - top)
  }
}
