internal import OxbowDocuments

/// `Class: ObjectFromFile`: a node from a file that is read when the node is made.
struct DeferredFile {
  private let dictionary: NodeDictionary
  private let location: SourceLocation?

  init(_ dictionary: NodeDictionary, at location: SourceLocation?) throws(NodeError) {
    self.dictionary = dictionary
    self.location = location
    let known = ["Class", "File", "replace", "attributes", "comment"]
    if let other = dictionary.entries.first(where: { !known.contains($0.key) }) {
      throw NodeError(
        .unknownAttribute, "ObjectFromFile has no \"\(other.key)\"; write it into \"attributes\"",
        at: other.location, nearNames: nearNames(to: other.key, among: known))
    }
  }

  /// Returns the node of the file, its attributes overridden by those given here; `chain` has the
  /// files of the nodes above, and gets this one.
  ///
  /// - Throws: The problems of the file; a circle of files.
  func node(
    _ files: NodeFiles, chain: inout [String], notes: inout [DocumentNote]
  ) throws(NodeError) -> NodeValue {
    guard let name = dictionary["File"]?.text else {
      throw NodeError.missing(
        "File", "ObjectFromFile has no \"File\"", in: dictionary, at: location)
    }
    // A node that a program has created may have any path; the path in a file is absolute and is
    // kept.
    let file = try files.path(of: name, at: dictionary["File"]?.location)
    let replace = try values("replace", files.limits, &notes)
    let attributes = try values("attributes", files.limits, &notes)
    let variables = try NodePairs.variables(of: replace)
    try check(file, variables, chain)
    let loaded = try files.load(path: file, variables, at: dictionary["File"]?.location)
    chain.append(Self.step(file, variables))
    notes += loaded.notes
    guard let own = loaded.node.dictionary else { return loaded.node }
    return NodeValue(.dictionary(own.merging(attributes)), at: loaded.node.location)
  }

  private static func step(_ file: String, _ variables: [String: String]) -> String {
    let pairs = variables.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return pairs.isEmpty ? file : "\(file) (\(pairs.joined(separator: "; ")))"
  }

  private func check(
    _ file: String, _ variables: [String: String], _ chain: [String]
  ) throws(NodeError) {
    let step = Self.step(file, variables)
    if let first = chain.firstIndex(of: step) {
      throw NodeError(
        .includeCycle,
        "files create nodes from each other in a circle: "
          + (chain[first...] + [step]).joined(separator: " → "), at: location)
    }
    guard chain.count < NodeExpansion.deepest else {
      throw NodeError(
        .tooLarge,
        "more than \(NodeExpansion.deepest) files create nodes from each other: "
          + chain.suffix(4).joined(separator: " → "), at: location)
    }
  }

  private func values(
    _ key: String, _ limits: DocumentLimits, _ notes: inout [DocumentNote]
  ) throws(NodeError) -> NodeDictionary {
    guard let value = dictionary[key] else { return NodeDictionary() }
    if let dictionary = value.dictionary { return dictionary }
    guard let text = value.text else {
      throw NodeError(
        .invalidValue, "\"\(key)\" is \(value.kind); a text or a dictionary is expected",
        at: value.location)
    }
    return try NodePairs.dictionary(of: text, at: value.location, limits: limits, notes: &notes)
  }
}
