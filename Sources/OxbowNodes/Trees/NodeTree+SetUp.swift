internal import OxbowContainer
internal import OxbowDocuments

/// The keys of a node that are no attributes.
private let reservedKeys: Set<String> = [
  "Class", "comment", "version", "events", "actions", "notifications", "eventHandler",
]

extension NodeTree {
  /// What is to be done for nodes that were added.
  private enum Task {
    case fill(Node, NodeSlot)
    case finish(Node)
  }

  /// Sets up nodes that were added to one parent: their attributes, then what is below them.
  ///
  /// Works through a list and not by recursion, so that deep trees need no deep stack.
  func setUp(_ nodes: [Node]) throws(NodeError) {
    // The next task is the last one.
    var tasks = try begin(nodes)
    while let task = tasks.popLast() {
      switch task {
      case .fill(let node, let slot):
        guard !node.isDestroyed else { continue }
        tasks += try begin(fill(slot, of: node))
      case .finish(let node):
        // What is below may have removed it.
        guard !node.isDestroyed else { continue }
        try finish(node)
      }
    }
  }

  /// Sets the attributes of siblings; what is to be done then, last task first.
  private func begin(_ nodes: [Node]) throws(NodeError) -> [Task] {
    for node in nodes { try node.lifeCycle("onCreate") }
    for node in nodes where !node.isDestroyed { try finishAttributes(of: node) }
    return nodes.reversed().flatMap { node in
      [.finish(node)] + type(of: node).slots.reversed().map { .fill(node, $0) }
    }
  }

  private func finish(_ node: Node) throws(NodeError) {
    try NodeError.wrapping(.setUpFailed, "\(node.className) refused", at: node.location) {
      try node.didSetUp()
    }
    try node.lifeCycle("onSet")
  }

  /// Makes the nodes that a definition has for a slot.
  private func fill(_ slot: NodeSlot, of node: Node) throws(NodeError) -> [Node] {
    guard let value = node.definition?[slot.name] else { return [] }
    let values = slot.isMany ? try Self.values(value, of: slot) : [value]
    var added: [Node] = []
    for value in values { added.append(try attach(value, to: node, in: slot)) }
    return added
  }

  private static func values(
    _ value: NodeValue, of slot: NodeSlot
  ) throws(NodeError) -> [NodeValue] {
    guard let values = value.array else {
      throw NodeError(
        .invalidDefinition, "\"\(slot.name)\" is \(value.kind); an array of nodes is expected",
        at: value.location)
    }
    return values
  }

  // MARK: - Attributes

  /// How many siblings may need each other's geometry before they have their own.
  private static let longestChain = 64

  /// Sets the attributes of a node, unless they are set already.
  ///
  /// The geometry of a node may need that of one which comes later.
  func finishAttributes(of node: Node) throws(NodeError) {
    guard let step = pending[node.id], let definition = node.definition else { return }
    guard step == .waiting else {
      throw NodeError(
        .cyclicGeometry, "the geometry of \(node.className) needs its own through a sibling",
        at: node.location)
    }
    guard applying < Self.longestChain else {
      throw NodeError(
        .tooLarge, "the geometry of more than \(Self.longestChain) siblings needs the next one's",
        at: node.location)
    }
    applying += 1
    defer { applying -= 1 }
    pending[node.id] = .applying
    try apply(definition, to: node, known: reservedKeys.union(type(of: node).slots.map(\.name)))
    pending[node.id] = nil
  }

  /// Sets what a dictionary gives a node.
  func apply(_ values: NodeValue, to node: Node, known: Set<String>) throws(NodeError) {
    let attributes = attributes(values, of: node, known: known)
    try NodeError.wrapping(
      .setUpFailed, "\(node.className) refused its attributes", at: values.location
    ) { try node.apply(attributes) }
    for entry in attributes.rest {
      guard let property = property(entry.key, of: node) else {
        let names = attributes.asked.union(propertyNames(of: node))
        try unknown(entry, "\(node.className) has no attribute", among: names)
        continue
      }
      try set(property, of: node, to: entry, attributes.context)
    }
  }

  func attributes(_ values: NodeValue, of node: Node, known: Set<String>) -> NodeAttributes {
    NodeAttributes(
      values,
      context: NodeValueContext(symbols: node.symbols, compatibility: environment.compatibility),
      known: known, translate: environment.translate)
  }

  // MARK: - Described properties

  private func property(_ name: String, of node: Node) -> AnyPropertyDescriptor? {
    environment.classes.components.line(of: type(of: node)).lazy
      .flatMap(\.properties).first { $0.name == name }
  }

  private func propertyNames(of node: Node) -> [String] {
    environment.classes.components.line(of: type(of: node)).flatMap(\.propertyNames)
  }

  private func set(
    _ property: AnyPropertyDescriptor, of node: Node, to entry: NodeDictionary.Entry,
    _ context: NodeValueContext
  ) throws(NodeError) {
    let what = "attribute \"\(entry.key)\" of \(node.className)"
    let value = try converted(entry, to: property, context)
    try NodeError.wrapping(.setUpFailed, what, at: entry.value.location) {
      try property.set(value, on: node)
    }
  }

  private func converted(
    _ entry: NodeDictionary.Entry, to property: AnyPropertyDescriptor, _ context: NodeValueContext
  ) throws(NodeError) -> Any {
    if let type = property.valueType as? any NodeConvertible.Type {
      let value: Any = try type.convert(entry.value, in: context)
      guard let text = value as? String, environment.translatedNames.contains(entry.key) else {
        return value
      }
      return environment.translate(text)
    }
    guard let text = entry.value.scalarText else {
      throw NodeError(
        .invalidValue,
        "\"\(entry.key)\" is \(entry.value.kind); a \(property.typeName) is expected",
        at: entry.value.location)
    }
    return try converted(text, to: property.valueType, entry, property.typeName)
  }

  private func converted(
    _ text: String, to type: any Any.Type, _ entry: NodeDictionary.Entry, _ typeName: String
  ) throws(NodeError) -> Any {
    let converters = environment.values
    func open<Value>(_ type: Value.Type) -> Result<Any, ValueConverters.Failure> {
      Result { () throws(ValueConverters.Failure) in try converters.convert(text, to: type) as Value
      }
    }
    switch _openExistential(type, do: open) {
    case .success(let value): return value
    case .failure(.noConverter):
      throw NodeError(
        .invalidValue, "\"\(entry.key)\": no text becomes a \(typeName); register a conversion",
        at: entry.value.location)
    case .failure(.notConvertible(let expected, let near)):
      throw NodeError(
        .invalidValue, "\"\(entry.key)\": \"\(text)\" is not what is expected here: \(expected)",
        at: entry.value.location, nearNames: near)
    }
  }
}

extension Node {
  /// Has an event of the node's life handled.
  func lifeCycle(_ event: String) throws(NodeError) {
    guard !isDestroyed, handling.events[event] != nil else { return }
    try fire(event)
  }
}
