/// A place in the coordinates of a parent.
public struct NodePoint: Hashable, Sendable {
  /// From left to right.
  public var x: Double
  /// From top to bottom.
  public var y: Double

  /// Creates a point.
  public init(x: Double = 0, y: Double = 0) {
    self.x = x
    self.y = y
  }
}

/// How wide and high something is.
public struct NodeSize: Hashable, Sendable {
  /// From left to right.
  public var width: Double
  /// From top to bottom.
  public var height: Double

  /// Creates a size.
  public init(width: Double = 0, height: Double = 0) {
    self.width = width
    self.height = height
  }
}

/// A rectangle.
public struct NodeRect: Hashable, Sendable {
  /// The corner at the left and top.
  public var origin: NodePoint
  /// How wide and high it is.
  public var size: NodeSize

  /// Creates a rectangle.
  public init(origin: NodePoint = NodePoint(), size: NodeSize = NodeSize()) {
    self.origin = origin
    self.size = size
  }

  /// The middle; a change moves the rectangle.
  public var center: NodePoint {
    get { NodePoint(x: origin.x + size.width / 2, y: origin.y + size.height / 2) }
    set { origin = NodePoint(x: newValue.x - size.width / 2, y: newValue.y - size.height / 2) }
  }
}

extension NodePoint: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "a point {x, y}" }
  /// The point.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> NodePoint {
    let (x, y) = try context.pair(value, expected)
    return NodePoint(x: x, y: y)
  }
}

extension NodeSize: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "a size {width, height}" }
  /// The size; neither width nor height is negative.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> NodeSize {
    let (width, height) = try context.pair(value, expected)
    guard width >= 0, height >= 0 else {
      throw NodeError(
        .invalidValue, "{\(width), \(height)} is not a size; width and height cannot be negative",
        at: value.location)
    }
    return NodeSize(width: width, height: height)
  }
}

extension NodeRect: NodeConvertible {
  /// What is accepted.
  public static var expected: String { "a rectangle {{x, y}, {width, height}}" }
  /// The rectangle.
  public static func convert(
    _ value: NodeValue, in context: NodeValueContext
  ) throws(NodeError) -> NodeRect {
    guard let text = value.text else { throw context.mismatch(value, expected) }
    let tuple = try TupleText(text, counts: [4], at: value.location)
    let origin = NodePoint(
      x: try tuple.number(0, context.symbols, along: .horizontal),
      y: try tuple.number(1, context.symbols, along: .vertical))
    let size = NodeSize(
      width: try tuple.number(2, context.symbols, along: .horizontal),
      height: try tuple.number(3, context.symbols, along: .vertical))
    guard size.width >= 0, size.height >= 0 else { throw context.mismatch(value, expected) }
    return NodeRect(origin: origin, size: size)
  }
}

extension NodeValueContext {
  fileprivate func pair(
    _ value: NodeValue, _ expected: String
  ) throws(NodeError) -> (Double, Double) {
    guard let text = value.text else { throw mismatch(value, expected) }
    let tuple = try TupleText(text, counts: [2], at: value.location)
    return (
      try tuple.number(0, symbols, along: .horizontal),
      try tuple.number(1, symbols, along: .vertical)
    )
  }
}
