internal import OxbowDocuments

/// The values of names in the geometry of a view.
///
/// `left`, `center`, `right`, `top`, `middle` and `bottom` are the positions in which the view
/// touches the edges of its parent or is in its middle: positions of its origin or its centre,
/// whichever is set.
struct ViewSymbols: NodeSymbols {
  /// The value that is set.
  enum Use {
    case none
    case origin
    case center
  }

  private let view: ViewNode
  private let use: Use

  init(_ view: ViewNode, _ use: Use) {
    self.view = view
    self.use = use
  }

  private static let keywords: [NodeAxis: [String]] = [
    .horizontal: ["left", "center", "right"], .vertical: ["top", "middle", "bottom"],
  ]
  private static let owners = ["self", "parent", "previousSibling", "nextSibling"]
  private static let members = ["x", "y", "width", "height"]

  func value(of name: String, along axis: NodeAxis?) throws -> Double? {
    if let axis, use != .none, let index = Self.keywords[axis]?.firstIndex(of: name) {
      return place(Double(index) / 2, along: axis)
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return nil }
    if parts[0] == "screen" {
      return Self.member(parts[1], of: NodeRect(size: view.host?.screen ?? NodeSize()))
    }
    guard Self.owners.contains(parts[0]), Self.members.contains(parts[1]) else { return nil }
    return Self.member(parts[1], of: try frame(of: parts[0]))
  }

  func names(along axis: NodeAxis?) -> [String] {
    let keywords = use == .none ? [] : axis.flatMap { Self.keywords[$0] } ?? []
    let members = Self.owners.flatMap { owner in Self.members.map { "\(owner).\($0)" } }
    return keywords + members + ["screen.width", "screen.height"]
  }

  /// The position at a fraction of the way from the first edge to the last.
  private func place(_ part: Double, along axis: NodeAxis) -> Double {
    let bounds = view.boundsOfParent
    let whole = axis == .horizontal ? bounds.width : bounds.height
    let own = axis == .horizontal ? view.frame.size.width : view.frame.size.height
    return (whole - own) * part + (use == .center ? own / 2 : 0)
  }

  private func frame(of owner: String) throws(NodeError) -> NodeRect {
    switch owner {
    case "self": return view.frame
    case "parent":
      return view.parent?.nearest(ViewNode.self)?.frame ?? NodeRect(size: view.boundsOfParent)
    default:
      guard let sibling = view.sibling(isNext: owner == "nextSibling") as? ViewNode else {
        throw NodeError(.unknownSymbol, "there is no \(owner) that is a view", at: view.location)
      }
      // It may come later in the file.
      try sibling.host?.finishAttributes(of: sibling)
      return sibling.frame
    }
  }

  private static func member(_ name: String, of frame: NodeRect) -> Double? {
    switch name {
    case "x": frame.origin.x
    case "y": frame.origin.y
    case "width": frame.size.width
    case "height": frame.size.height
    default: nil
    }
  }
}
