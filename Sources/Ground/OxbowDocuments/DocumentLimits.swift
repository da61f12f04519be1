/// The limits beyond which a document is refused.
public struct DocumentLimits: Hashable, Sendable {
  /// The largest number of bytes of a document.
  public var maximumBytes: Int

  /// The largest depth of nested elements.
  public var maximumDepth: Int

  /// The largest number of elements of a document.
  ///
  /// An element can need more memory than the few bytes with which it is written.
  public var maximumElements: Int

  /// The largest value that `maximumDepth` can have.
  ///
  /// Trees are walked by recursion, so their depth must fit the stack of any thread.
  public static let deepest = 1024

  /// Creates limits.
  ///
  /// - Precondition: All are positive, and the depth is not above `deepest`.
  public init(
    maximumBytes: Int = 16 << 20, maximumDepth: Int = 256, maximumElements: Int = 1 << 20
  ) {
    precondition(maximumBytes > 0, "A document limit of \(maximumBytes) bytes reads nothing.")
    precondition(
      (1...Self.deepest).contains(maximumDepth),
      "A document's depth limit is between 1 and \(Self.deepest), not at \(maximumDepth).")
    precondition(maximumElements > 0, "A limit of \(maximumElements) elements reads nothing.")
    self.maximumBytes = maximumBytes
    self.maximumDepth = maximumDepth
    self.maximumElements = maximumElements
  }

  /// 16 megabytes, 256 elements deep, a million elements.
  public static let `default` = DocumentLimits()
}
