internal import OxbowContainer
internal import OxbowDocuments

extension NodeTree {
  func launch(_ node: NodeValue) throws(NodeError) {
    let dictionary = try Self.dictionary(of: node)
    let value = dictionary["window"] ?? node
    if dictionary["window"] != nil { try checkTop(dictionary) }
    try launch(value, as: Node.self, default: "Window")
  }

  private static func dictionary(of node: NodeValue) throws(NodeError) -> NodeDictionary {
    if let dictionary = node.dictionary { return dictionary }
    throw NodeError(
      .invalidDefinition, "a node is a dictionary, not \(node.kind)", at: node.location)
  }

  /// Creates the root, which must be of the given class.
  func launch<Root: Node>(
    _ value: NodeValue, as type: Root.Type, default className: String
  ) throws(NodeError) {
    let root = try make(value, default: className, under: nil)
    self.root = root
    do throws(NodeError) {
      guard root is Root else {
        throw NodeError(
          .invalidDefinition, "the node is a \(root.className); a \(Root.self) is expected",
          at: value["Class"]?.location ?? value.location)
      }
      try setUp([root])
    } catch {
      discard(root)
      throw error
    }
  }

  /// Refuses attributes beside a window, which would be ignored.
  private func checkTop(_ dictionary: NodeDictionary) throws(NodeError) {
    let known = ["window", "comment", "version"]
    for entry in dictionary.entries where !known.contains(entry.key) {
      try unknown(entry, "beside \"window\" there is no", among: known)
    }
  }

  func unknown(
    _ entry: NodeDictionary.Entry, _ what: String, among known: some Sequence<String>
  ) throws(NodeError) {
    let message = "\(what) \"\(entry.key)\""
    guard !environment.compatibility.contains(.unknownAttributes) else {
      notes.append(DocumentNote(message, at: entry.location))
      return
    }
    throw NodeError(
      .unknownAttribute, message, at: entry.location,
      nearNames: nearNames(to: entry.key, among: known))
  }

  // MARK: - Adding

  /// Creates nodes, adds them to a parent, and sets them up.
  @discardableResult
  func add(_ values: [NodeValue], to parent: Node, in slot: NodeSlot) throws(NodeError) -> [Node] {
    var added: [Node] = []
    do throws(NodeError) {
      for value in values { added.append(try attach(value, to: parent, in: slot)) }
      try setUp(added)
    } catch {
      // From the end, where they are found fastest.
      for node in added.reversed() { discard(node) }
      throw error
    }
    return added
  }

  /// Creates a node and adds it to a parent without setting it up.
  func attach(
    _ value: NodeValue, to parent: Node, in slot: NodeSlot
  ) throws(NodeError) -> Node {
    let node = try make(value, default: slot.defaultClass, under: parent)
    node.parent = parent
    node.slot = slot.name
    parent.children.append(node)
    return node
  }

  private func discard(_ node: Node) {
    for node in node.subtree { forget(node) }
    detach(node)
  }

  func detach(_ node: Node) {
    if let own = node.parent?.children.lastIndex(where: { $0 === node }) {
      node.parent?.children.remove(at: own)
    }
    node.parent = nil
    guard root === node else { return }
    root = nil
    inbox.close()
  }

  /// Forgets everything that the tree has for a node.
  func forget(_ node: Node) {
    for number in records.removeValue(forKey: node.id)?.delayed ?? [] {
      delayed.removeValue(forKey: number)?.task.cancel()
    }
    environment.hub.remove(node.id, of: inbox)
    node.observers = [:]
    node.isDestroyed = true
    node.host = nil
  }

  // MARK: - Making

  /// Creates one node with its handling, and without parent, attributes and children.
  func make(
    _ value: NodeValue, default className: String, under parent: Node?
  ) throws(NodeError) -> Node {
    let above = parent.flatMap { records[$0.id] }
    let depth = above.map { $0.depth + 1 } ?? 0
    guard depth < environment.files.limits.maximumDepth else {
      throw NodeError(
        .tooLarge, "nodes are nested more than \(environment.files.limits.maximumDepth) deep",
        at: value.location)
    }
    var files = above?.files ?? []
    let value = try resolved(value, &files)
    let dictionary = try Self.dictionary(of: value)
    let name = try dictionary["Class"].map { (name) throws(NodeError) in
      try String.convert(name, in: NodeValueContext())
    }
    let place = dictionary["Class"]?.location ?? value.location
    let entry = try environment.classes.node(name ?? className, at: place)
    let handling = try handling(of: dictionary)
    let node = try NodeError.wrapping(
      .setUpFailed, "a node of class \"\(entry.name)\" could not be made", at: value.location
    ) { try instance(of: entry, value) }
    guard node.host == nil, !node.isDestroyed else {
      throw NodeError(
        .setUpFailed,
        "the \(entry.name) that was made is in a tree already; each node must be a new one",
        at: value.location)
    }
    (node.handling, node.eventHandler) = handling
    adopt(node, value)
    records[node.id] = NodeRecord(node: node, files: files, depth: depth)
    return node
  }

  private func adopt(_ node: Node, _ value: NodeValue) {
    node.definition = value
    node.host = self
    for name in node.handling.notifications + node.early { subscribe(node, to: name) }
    node.early = []
  }

  /// Returns the handling of events in a dictionary, with the handler that runs around it.
  func handling(
    of dictionary: NodeDictionary
  ) throws(NodeError) -> (handling: NodeHandling, handler: (any NodeEventHandling)?) {
    let handling = try NodeHandling(dictionary, notes: &notes)
    return (handling, try environment.classes.eventHandler(of: handling))
  }

  func subscribe(_ node: Node, to name: String) {
    environment.hub.subscribe(node.id, of: inbox, to: name)
  }

  private func instance(of entry: NodeClasses.Entry, _ value: NodeValue) throws -> Node {
    guard let container = environment.container,
      let name = try definition(of: entry.type, container)
    else { return try entry.make(value) }
    guard entry.type is any NodeConstructible.Type else {
      return try container.object(name, as: Node.self)
    }
    let node = try entry.make(value)
    try container.inject(into: node, as: name)
    return node
  }

  /// The name of the container's definition of a class of nodes.
  private func definition(of type: Node.Type, _ container: Container) throws -> String? {
    func names<T>(_ type: T.Type) throws -> [String] {
      try container.names(ofType: type) { $0 == type }
    }
    let key = ObjectIdentifier(type)
    let found = try definitionNames[key] ?? _openExistential(type as any Any.Type, do: names)
    definitionNames[key] = found
    guard found.count <= 1 else {
      throw NodeError(
        .setUpFailed,
        "the container has several definitions of \(type): \(found.joined(separator: ", "))")
    }
    return found.first
  }

  /// Returns the definition that replaces `Class: ObjectFromFile`.
  private func resolved(
    _ value: NodeValue, _ files: inout [String]
  ) throws(NodeError) -> NodeValue {
    var value = value
    while value["Class"]?.text == "ObjectFromFile", let dictionary = value.dictionary {
      value = try DeferredFile(dictionary, at: value.location)
        .node(environment.files, chain: &files, notes: &notes)
    }
    return value
  }
}
