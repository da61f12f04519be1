public import OxbowContainer
internal import OxbowDocuments

/// The classes that node files may name.
///
/// A name is looked up as it is, then with each prefix: `Label` also finds `SCLabel` and `UILabel`.
/// Registered classes take precedence over the program's `@Component` classes.
public struct NodeClasses: Sendable {
  /// A class of nodes and the way to create them.
  struct Entry: Sendable {
    let name: String
    let type: Node.Type
    let make: @Sendable (NodeValue) throws -> Node
  }

  /// The prefixes with which a name is looked up.
  public var prefixes: [String]
  private var entries: [String: Entry] = [:]
  private var handlers: [String: @Sendable () throws -> any NodeEventHandling] = [:]
  private(set) var components: ClassRegistry

  /// Creates the classes `Node`, `View`, `ViewController`, `Window`, and those of the program that
  /// are described.
  public init(prefixes: [String] = ["SC", "UI"]) {
    self.prefixes = prefixes
    components = ClassRegistry()
    register("Node") { Node() }
    register("View") { ViewNode() }
    register("ViewController") { ControllerNode() }
    register("Window") { WindowNode() }
  }

  // MARK: - Registering

  /// Registers a class whose nodes are created without their definition; its name in files is by
  /// default that of the class.
  ///
  /// ```swift
  /// classes.register("Label", Label.init)
  /// ```
  public mutating func register<N: Node>(
    _ name: String? = nil, _ make: @escaping @Sendable () throws -> N
  ) {
    let name = name ?? "\(N.self)"
    entries[name] = Entry(name: name, type: N.self) { _ in try make() }
  }

  /// Registers a class whose nodes read their definition; its name in files is by default that of
  /// the class.
  public mutating func register<N: NodeConstructible>(_ type: N.Type, as name: String? = nil) {
    let name = name ?? "\(N.self)"
    entries[name] = Entry(name: name, type: N.self) { try N(node: $0) }
  }

  /// Registers a described class that does not have a record in the program, perhaps under another
  /// name too.
  public mutating func register(_ descriptor: ComponentDescriptor, as name: String? = nil) {
    components.add(descriptor, alias: name)
  }

  /// Registers a class of event handlers under its name in files.
  public mutating func registerHandler(
    _ name: String, _ make: @escaping @Sendable () throws -> any NodeEventHandling
  ) {
    handlers[name] = make
  }

  // MARK: - Looking up

  func node(_ name: String, at location: SourceLocation?) throws(NodeError) -> Entry {
    for name in spellings(of: name) {
      if let entry = entries[name] { return entry }
      if let entry = described(name) { return entry }
    }
    throw unknown(name, "a class of nodes", among: names, at: location)
  }

  /// The handler that runs around a node's events, if its file names a class.
  func eventHandler(of handling: NodeHandling) throws(NodeError) -> (any NodeEventHandling)? {
    guard let value = handling.handlerClass else { return nil }
    let name = try String.convert(value, in: NodeValueContext())
    let location = value.location
    for name in spellings(of: name) {
      guard let make = handlers[name] else { continue }
      return try NodeError.wrapping(.setUpFailed, "\(name) could not be made", at: location, make)
    }
    throw unknown(name, "a class of event handlers", among: Array(handlers.keys), at: location)
  }

  var names: [String] {
    let described = components.all.filter { $0.type is Node.Type }.map(\.name)
    return (Array(entries.keys) + described).sorted()
  }

  private func spellings(of name: String) -> [String] { [name] + prefixes.map { $0 + name } }

  private func described(_ name: String) -> Entry? {
    guard let found = components.find(name), let type = found.type as? Node.Type else { return nil }
    return Entry(name: name, type: type) { value in
      if let constructible = type as? any NodeConstructible.Type {
        return try constructible.init(node: value)
      }
      if let node = try found.newObject() as? Node { return node }
      throw NodeError(.setUpFailed, "a \(name) is not a node", at: value.location)
    }
  }

  private func unknown(
    _ name: String, _ what: String, among names: [String], at location: SourceLocation?
  ) -> NodeError {
    let tried = spellings(of: name).map { "\"\($0)\"" }.joined(separator: ", ")
    // The intended name may be written with a prefix or without.
    let bare = Set(
      names
        + names.compactMap { name in
          prefixes.first { name.hasPrefix($0) }.map { String(name.dropFirst($0.count)) }
        })
    return NodeError(
      .unknownClass,
      "\(tried): none of these is \(what); register it, or mark it with @Component",
      at: location, nearNames: nearNames(to: name, among: bare))
  }
}
