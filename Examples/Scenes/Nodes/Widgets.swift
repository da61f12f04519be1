import Oxbow
import OxbowNodes

/// A line of text; files set its properties, which its description makes known.
@Component final class TextLine: ViewNode, Drawable {
  var text = ""
  var isBar = false

  func draw(on canvas: inout Canvas) { canvas.fill(text, y: 0, isBar ? .reversed : .plain) }
}

/// `Button`: a title that can be chosen; then its event `onClick` is handled.
final class Button: ViewNode, Drawable {
  private var title = ""
  /// Whether Enter is for this button.
  var hasFocus = false

  override var fittingSize: NodeSize {
    NodeSize(width: Double(title.cellCount + 4), height: 1)
  }

  override func apply(_ attributes: NodeAttributes) throws {
    // Its size depends on it.
    title = try attributes.text("title") ?? title
    try super.apply(attributes)
  }

  func draw(on canvas: inout Canvas) {
    canvas.fill("[ \(title) ]", y: 0, hasFocus ? .reversed : .bold)
  }
}
