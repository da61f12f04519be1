/// The placement of a rectangle in another one, in the words of SnowCat.
public enum NodePlacement: String, CaseIterable, Sendable, NodeConvertible {
  /// Over all of it.
  case toFill = "ToFill"
  /// As large as fits inside, in its middle, width and height in proportion.
  case aspectFit = "AspectFit"
  /// As small as possible while covering it, in its middle, width and height in proportion.
  case aspectFill = "AspectFill"
  /// Into the corner at the left and top.
  case topLeft = "TopLeft"
  /// Into the corner at the right and top.
  case topRight = "TopRight"
  /// Into the middle.
  case center = "Center"
  /// Into the corner at the left and bottom.
  case bottomLeft = "BottomLeft"
  /// Into the corner at the right and bottom.
  case bottomRight = "BottomRight"

  /// The rectangle of a size when it is placed in the bounds of another.
  public func rect(of size: NodeSize, in bounds: NodeSize) -> NodeRect {
    let size = scaled(size, in: bounds)
    let right = bounds.width - size.width
    let bottom = bounds.height - size.height
    return switch self {
    case .toFill, .topLeft: NodeRect(size: size)
    case .topRight: NodeRect(origin: NodePoint(x: right), size: size)
    case .bottomLeft: NodeRect(origin: NodePoint(y: bottom), size: size)
    case .bottomRight: NodeRect(origin: NodePoint(x: right, y: bottom), size: size)
    case .aspectFit, .aspectFill, .center:
      NodeRect(origin: NodePoint(x: right / 2, y: bottom / 2), size: size)
    }
  }

  private func scaled(_ size: NodeSize, in bounds: NodeSize) -> NodeSize {
    guard self == .aspectFit || self == .aspectFill else { return self == .toFill ? bounds : size }
    // Without an extent there are no proportions to keep.
    guard size.width > 0, size.height > 0 else { return bounds }
    let factors = [bounds.width / size.width, bounds.height / size.height]
    let factor = (self == .aspectFit ? factors.min() : factors.max()) ?? 1
    return NodeSize(width: size.width * factor, height: size.height * factor)
  }
}
