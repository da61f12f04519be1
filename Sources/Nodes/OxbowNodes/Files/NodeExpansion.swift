internal import OxbowDocuments

struct NodeExpansion {
  /// A file that is being read, with the values of its variables.
  private struct Step: Equatable {
    /// The path without links, which shows whether two steps are the same file.
    let path: String
    let variables: NodeVariables
    /// The folder to which paths in the file are relative.
    let folder: String

    static func == (a: Step, b: Step) -> Bool { a.path == b.path && a.variables == b.variables }
  }

  /// How many files may include each other in a chain.
  static let deepest = 64

  let files: NodeFiles
  private(set) var notes: [DocumentNote] = []
  private var chain: [Step] = []
  private var depth = 0
  private var count = 0
  private var bytes = 0

  init(files: NodeFiles) { self.files = files }

  /// The node of a file, and the version that it states.
  mutating func file(
    _ path: String, _ variables: NodeVariables, at location: SourceLocation?
  ) throws(NodeError) -> (node: NodeValue, version: String?) {
    let real = try files.folders.checkLinks(path, at: location)
    let step = Step(path: real, variables: variables, folder: folder(of: path))
    try checkChain(step, at: location)
    let raw = try files.raw(real, at: location)
    chain.append(step)
    let node = try self.node(of: raw, path: real)
    let version = node["version"] ?? raw["version"]
    let value = try self.value(node, variables)
    chain.removeLast()
    return (value, version?.scalarText)
  }

  private func node(of raw: NodeValue, path: String) throws(NodeError) -> NodeValue {
    guard let node = raw["Node"] else {
      let found = raw.dictionary.map { "its keys: \($0.keys.joined(separator: ", "))" } ?? raw.kind
      throw NodeError.missing(
        "Node", "\"\(path)\" has no \"Node\", but \(found)", code: .missingNode,
        in: raw.dictionary ?? NodeDictionary(), at: raw.location)
    }
    guard node.dictionary != nil else {
      throw NodeError(
        .missingNode, "\"Node\" is \(node.kind); a dictionary is expected", at: node.location)
    }
    return node
  }

  private func checkChain(_ step: Step, at location: SourceLocation?) throws(NodeError) {
    let names = (chain + [step]).map(\.path)
    if let first = chain.firstIndex(of: step) {
      let circle = names[first...].joined(separator: " → ")
      throw NodeError(
        .includeCycle, "files include each other in a circle: \(circle)", at: location)
    }
    guard chain.count < Self.deepest else {
      let isCircle = Set(names).count < names.count
      throw NodeError(
        isCircle ? .includeCycle : .tooLarge,
        "more than \(Self.deepest) files include each other: "
          + names.suffix(4).joined(separator: " → "), at: location)
    }
  }

  // MARK: - Values

  private mutating func value(
    _ value: NodeValue, _ variables: NodeVariables
  ) throws(NodeError) -> NodeValue {
    try spend(value)
    depth += 1
    defer { depth -= 1 }
    switch value.content {
    case .text(let text): return try self.text(text, variables, at: value.location)
    case .array(let values):
      var result: [NodeValue] = []
      for value in values { result.append(try self.value(value, variables)) }
      return NodeValue(.array(result), at: value.location)
    case .dictionary(let dictionary):
      return NodeValue(.dictionary(try self.dictionary(dictionary, variables)), at: value.location)
    default: return value
    }
  }

  private mutating func text(
    _ text: String, _ variables: NodeVariables, at location: SourceLocation?
  ) throws(NodeError) -> NodeValue {
    let text = try replaced(text, variables, at: location)
    guard let include = try IncludeText(text, at: location, limits: files.limits) else {
      return NodeValue(.text(text), at: location)
    }
    notes += include.notes
    return try included(include, variables, at: location)
  }

  private mutating func included(
    _ include: IncludeText, _ variables: NodeVariables, at location: SourceLocation?
  ) throws(NodeError) -> NodeValue {
    let path = try resolved(include.file, at: location)
    let node = try file(path, variables.adding(include.replacements), at: location).node
    guard let attributes = include.attributes, let own = node.dictionary else { return node }
    return NodeValue(
      .dictionary(own.merging(attributes, deep: include.isDeep)), at: node.location)
  }

  private mutating func dictionary(
    _ dictionary: NodeDictionary, _ variables: NodeVariables
  ) throws(NodeError) -> NodeDictionary {
    var result = NodeDictionary()
    for entry in dictionary.entries {
      let key = try replaced(entry.key, variables, at: entry.location)
      guard result[key] == nil else {
        throw NodeError(
          .invalidDefinition, "key \"\(key)\" is given twice after its variables are replaced",
          at: entry.location)
      }
      result.set(key, to: try self.value(of: key, entry.value, variables), at: entry.location)
    }
    return result
  }

  /// The value of a key; that of `File` is a path and not an include.
  private mutating func value(
    of key: String, _ value: NodeValue, _ variables: NodeVariables
  ) throws(NodeError) -> NodeValue {
    guard key == "File", let text = value.text else { return try self.value(value, variables) }
    let name = try replaced(text, variables, at: value.location)
    // An address is left to the code that uses the node; nothing is read here.
    if name.contains("://") { return NodeValue(.text(name), at: value.location) }
    return NodeValue(.text(try resolved(name, at: value.location)), at: value.location)
  }

  private func resolved(_ name: String, at location: SourceLocation?) throws(NodeError) -> String {
    let around = chain.last?.folder ?? ""
    return try files.folders.path(of: name, from: around, at: location)
  }

  private mutating func replaced(
    _ text: String, _ variables: NodeVariables, at location: SourceLocation?
  ) throws(NodeError) -> String {
    let (result, unknown) = variables.replaced(in: text)
    bytes += result.utf8.count
    guard bytes <= files.limits.maximumBytes else {
      throw NodeError(
        .tooLarge, "the texts of the files exceed \(files.limits.maximumBytes) bytes",
        at: location)
    }
    let missing = unknown.filter { name in !NodeFolders.names.joined().contains(name) }
    if files.isStrict, let name = missing.first {
      throw NodeError(
        .unknownVariable, "\"${\(name)}\" has no value", at: location,
        nearNames: nearNames(to: name, among: variables.values.keys))
    }
    return result
  }

  private mutating func spend(_ value: NodeValue) throws(NodeError) {
    count += 1
    let limits = files.limits
    guard count <= limits.maximumElements, depth < limits.maximumDepth else {
      throw NodeError(
        .tooLarge,
        "the file with everything that it includes has more than \(limits.maximumElements) values,"
          + " or they are nested more than \(limits.maximumDepth) deep", at: value.location)
    }
  }
}
