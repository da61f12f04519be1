struct RunningEvent: Equatable {
  enum Kind: String {
    case event
    case action
    case notification
    case answer
  }

  let node: NodeID
  let kind: Kind
  let name: String
  private let type: Node.Type

  init(node: Node, kind: Kind, name: String) {
    self.node = node.id
    self.kind = kind
    self.name = name
    type = Swift.type(of: node)
  }

  var shown: String { "\(kind.rawValue) \"\(name)\" of \(type)" }

  static func == (a: RunningEvent, b: RunningEvent) -> Bool {
    a.node == b.node && a.kind == b.kind && a.name == b.name
  }
}
