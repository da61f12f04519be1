/// A node file with everything that it includes.
public struct NodeFile: Sendable {
  /// The path of the file.
  public let path: String
  /// The version that the file states, in its node or beside it.
  public let version: String?
  /// The node, with includes and variables replaced.
  public let node: NodeValue
  /// Notes about the file: parts of includes that were left out.
  public let notes: [NodeNote]
}
