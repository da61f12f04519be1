internal import OxbowDocuments

/// The node that an action is for.
///
/// `self`, `parent`, `window`, `view`, `controller`, `rootViewController`, a slot for one node,
/// `children[n]` and a slot for several with a number, joined by dots; or the tag of a node below.
struct NodeTarget {
  private let value: NodeValue?

  init(_ value: NodeValue?) { self.value = value }

  func node(from node: Node, root: Node?) throws(NodeError) -> Node {
    guard let value else { return node }
    guard let text = value.scalarText?.trimmed, !text.isEmpty else {
      throw NodeError(
        .unknownTarget, "a target is \(value.shown); a path or a tag is expected",
        at: value.location)
    }
    if let tag = Int(text) { return try Self.tagged(tag, below: node, value) }
    var current = node
    for step in try Self.steps(of: text, value) {
      current = try Self.step(step, from: current, root, text, value)
    }
    return current
  }

  private static func tagged(
    _ tag: Int, below node: Node, _ value: NodeValue
  ) throws(NodeError) -> Node {
    if let found = node.subtree.first(where: { $0.tag == tag }) { return found }
    throw NodeError(
      .unknownTarget, "no node of the \(node.className) has tag \(tag)", at: value.location)
  }

  // MARK: - Steps

  /// One part of a path: a name, with a number in brackets.
  private struct Step {
    let name: String
    let index: Substring?
  }

  /// The parts between dots that are not in brackets.
  private static func steps(of text: String, _ value: NodeValue) throws(NodeError) -> [Step] {
    var parts: [Substring] = []
    var start = text.startIndex
    var brackets = 0
    for index in text.indices {
      switch text[index] {
      case "[": brackets += 1
      case "]": brackets -= 1
      case "." where brackets == 0:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    return try (parts + [text[start...]]).map { (part) throws(NodeError) in try step(part, value) }
  }

  private static func step(_ part: Substring, _ value: NodeValue) throws(NodeError) -> Step {
    guard let bracket = part.firstIndex(of: "[") else {
      return Step(name: part.trimmed, index: nil)
    }
    guard part.trimmed.hasSuffix("]"), let end = part.lastIndex(of: "]") else {
      throw NodeError(
        .unknownTarget, "target \"\(part)\" has a bracket that is not closed at its end",
        at: value.location)
    }
    return Step(name: part[..<bracket].trimmed, index: part[part.index(after: bracket)..<end])
  }

  private static func step(
    _ step: Step, from node: Node, _ root: Node?, _ text: String, _ value: NodeValue
  ) throws(NodeError) -> Node {
    if let index = step.index {
      return try element(step.name, at: index, of: node, text, value)
    }
    if let found = named(step.name, from: node, root) { return found }
    let known = names(of: node)
    let isKnown = known.contains(step.name)
    if step.name == "children" || type(of: node).slot(named: step.name)?.isMany == true {
      throw NodeError(
        .unknownTarget, "target \"\(text)\": write which one, \(step.name)[0]", at: value.location)
    }
    throw NodeError(
      .unknownTarget,
      isKnown
        ? "target \"\(text)\": the \(node.className) has no \(step.name)"
        : "target \"\(text)\": \"\(step.name)\" does not lead from a \(node.className) to another node",
      at: value.location, nearNames: isKnown ? [] : nearNames(to: step.name, among: known))
  }

  private static let words = [
    "self", "parent", "window", "view", "controller", "rootViewController", "children",
  ]

  private static func names(of node: Node) -> Set<String> {
    Set(words + type(of: node).slots.map(\.name))
  }

  private static func named(_ name: String, from node: Node, _ root: Node?) -> Node? {
    if let own = node.child(in: name), type(of: node).slot(named: name)?.isMany == false {
      return own
    }
    switch name {
    case "self": return node
    case "parent": return node.parent
    case "window": return root
    case "view": return node.nearest(ViewNode.self)
    case "controller": return node.nearest(ControllerNode.self)
    case "rootViewController": return root?.child(in: name)
    default: return nil
    }
  }

  private static func element(
    _ name: String, at index: Substring, of node: Node, _ text: String, _ value: NodeValue
  ) throws(NodeError) -> Node {
    let nodes: [Node]
    if type(of: node).slot(named: name)?.isMany == true {
      nodes = node.children(in: name)
    } else if name == "children" {
      nodes = node.children
    } else {
      let many = type(of: node).slots.filter(\.isMany).map(\.name) + ["children"]
      throw NodeError(
        .unknownTarget, "target \"\(text)\": the \(node.className) has no nodes \"\(name)\"",
        at: value.location, nearNames: nearNames(to: name, among: many))
    }
    let number = try NumericExpression.value(
      of: index, in: text, symbols: node.symbols, along: nil, at: value.location)
    guard let whole = Int(exactly: number), nodes.indices.contains(whole) else {
      throw NodeError(
        .unknownTarget,
        "target \"\(text)\": there is no node \(number) among \(nodes.count)",
        at: value.location)
    }
    return nodes[whole]
  }
}
