/// What a tree knows about one of its nodes.
struct NodeRecord {
  /// How far the attributes are set.
  enum Attributes {
    case waiting
    case applying
    case complete
  }

  let node: Node
  /// The files that the node and those above were made from when they were made.
  let files: [String]
  /// How many nodes are above it.
  let depth: Int
  var attributes = Attributes.waiting
  /// The numbers of its actions that wait for their time.
  var delayed: Set<UInt64> = []
}

/// An action that waits for its time.
struct DelayedAction {
  let node: NodeID
  let definition: NodeValue
  let event: NodeEvent
  let task: Task<Void, Never>
}
