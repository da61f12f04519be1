internal import OxbowDocuments

private let reservedKeys: Set<String> = [
  "Class", "comment", "version", "events", "actions", "notifications", "eventHandler",
]

extension NodeTree {
  /// How many siblings may need the next one's geometry before they have their own.
  private static let longestChain = 64

  /// Sets the attributes of a node, unless they are set already.
  ///
  /// The geometry of a node may need that of a later one.
  func finishAttributes(of node: Node) throws(NodeError) {
    guard let record = records[node.id], record.attributes != .complete,
      let definition = node.definition
    else { return }
    guard record.attributes == .waiting else {
      throw NodeError(
        .cyclicGeometry, "the geometry of \(node.className) depends on itself through a sibling",
        at: node.location)
    }
    guard applying < Self.longestChain else {
      throw NodeError(
        .tooLarge, "more than \(Self.longestChain) siblings need the geometry of the next one",
        at: node.location)
    }
    applying += 1
    defer { applying -= 1 }
    records[node.id]?.attributes = .applying
    try apply(definition, to: node, known: reservedKeys.union(type(of: node).slots.map(\.name)))
    records[node.id]?.attributes = .complete
  }

  func apply(_ values: NodeValue, to node: Node, known: Set<String>) throws(NodeError) {
    let attributes = attributes(values, of: node, known: known)
    try NodeError.wrapping(
      .setUpFailed, "\(node.className) refused its attributes", at: values.location
    ) { try node.apply(attributes) }
    let rest = attributes.rest
    guard !rest.isEmpty else { return }
    let properties = DescribedProperties(of: node, environment.classes, conversion)
    for entry in rest {
      if try properties.set(entry, attributes.context) { continue }
      let names = attributes.asked.union(properties.names)
      try unknown(entry, "\(node.className) has no attribute", among: names)
    }
  }

  private var conversion: PropertyConversion {
    PropertyConversion(
      converters: environment.values, translate: environment.translate,
      translatedNames: environment.translatedNames)
  }

  func attributes(_ values: NodeValue, of node: Node, known: Set<String>) -> NodeAttributes {
    NodeAttributes(
      values,
      context: NodeValueContext(symbols: node.symbols, compatibility: environment.compatibility),
      known: known, translate: environment.translate)
  }
}
