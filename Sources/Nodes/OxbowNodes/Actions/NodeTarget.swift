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
      throw unknown("a target is \(value.shown); a path or a tag is expected")
    }
    if let tag = Int(text) {
      if let found = node.subtree.first(where: { $0.tag == tag }) { return found }
      throw unknown("no node of the \(node.className) has tag \(tag)")
    }
    var current = node
    for step in try steps(of: text) { current = try self.step(step, from: current, root, text) }
    return current
  }

  private func unknown(_ message: String, nearNames: [String] = []) -> NodeError {
    NodeError(.unknownTarget, message, at: value?.location, nearNames: nearNames)
  }

  // MARK: - Steps

  /// One part of a path: a name, with a number in brackets.
  private struct Step {
    let name: String
    let index: Substring?
  }

  /// The parts between dots that are not in brackets.
  private func steps(of text: String) throws(NodeError) -> [Step] {
    var brackets = 0
    let parts = text.split(omittingEmptySubsequences: false) { character in
      if character == "[" { brackets += 1 }
      if character == "]" { brackets -= 1 }
      return character == "." && brackets == 0
    }
    return try parts.map { (part) throws(NodeError) in try step(part) }
  }

  private func step(_ part: Substring) throws(NodeError) -> Step {
    guard let bracket = part.firstIndex(of: "[") else {
      return Step(name: part.trimmed, index: nil)
    }
    guard part.trimmed.hasSuffix("]"), let end = part.lastIndex(of: "]") else {
      throw unknown("target \"\(part)\" has a bracket that is not closed at its end")
    }
    return Step(name: part[..<bracket].trimmed, index: part[part.index(after: bracket)..<end])
  }

  private func step(
    _ step: Step, from node: Node, _ root: Node?, _ text: String
  ) throws(NodeError) -> Node {
    if let index = step.index { return try element(step.name, at: index, of: node, text) }
    if let found = Self.named(step.name, from: node, root) { return found }
    if step.name == "children" || type(of: node).slot(named: step.name)?.isMany == true {
      throw unknown("target \"\(text)\": write which one, \(step.name)[0]")
    }
    let known = Set(Self.words + type(of: node).slots.map(\.name))
    if known.contains(step.name) {
      throw unknown("target \"\(text)\": the \(node.className) has no \(step.name)")
    }
    throw unknown(
      "target \"\(text)\": \"\(step.name)\" does not lead from a \(node.className) to another node",
      nearNames: nearNames(to: step.name, among: known))
  }

  private static let words = [
    "self", "parent", "window", "view", "controller", "rootViewController", "children",
  ]

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

  private func element(
    _ name: String, at index: Substring, of node: Node, _ text: String
  ) throws(NodeError) -> Node {
    let slots = type(of: node).slots.filter(\.isMany).map(\.name)
    guard slots.contains(name) || name == "children" else {
      throw unknown(
        "target \"\(text)\": the \(node.className) has no nodes \"\(name)\"",
        nearNames: nearNames(to: name, among: slots + ["children"]))
    }
    let nodes = slots.contains(name) ? node.children(in: name) : node.children
    let number = try NumericExpression.value(
      of: index, in: text, symbols: node.symbols, along: nil, at: value?.location)
    guard let whole = Int(exactly: number), nodes.indices.contains(whole) else {
      throw unknown("target \"\(text)\": there is no node \(number) among \(nodes.count)")
    }
    return nodes[whole]
  }
}
