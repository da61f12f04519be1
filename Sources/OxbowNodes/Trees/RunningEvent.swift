/// An event or action that is being handled.
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
  let shown: String

  init(node: Node, kind: Kind, name: String) {
    self.node = node.id
    self.kind = kind
    self.name = name
    shown = "\(kind.rawValue) \"\(name)\" of \(node.className)"
  }

  static func == (a: RunningEvent, b: RunningEvent) -> Bool {
    a.node == b.node && a.kind == b.kind && a.name == b.name
  }
}
