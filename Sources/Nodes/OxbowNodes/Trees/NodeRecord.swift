struct NodeRecord {
  /// The progress of setting the attributes.
  enum Attributes {
    case waiting
    case applying
    case complete
  }

  let node: Node
  /// The files of the node and of those above it, when they were created.
  let files: [String]
  /// The number of nodes above it.
  let depth: Int
  var attributes = Attributes.waiting
  /// The numbers of its delayed actions.
  var delayed: Set<UInt64> = []
}

struct DelayedAction {
  let node: NodeID
  let definition: NodeValue
  let event: NodeEvent
  let task: Task<Void, Never>
}
