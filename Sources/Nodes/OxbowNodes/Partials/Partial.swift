public import OxbowAttributes
internal import OxbowPlatform

/// An object with properties that are built from node files.
public protocol PartialOwner: AnyObject {
  /// The environment of the trees.
  var nodeEnvironment: NodeEnvironment { get }
}

/// Builds the node of a property from the file that is named after its class, at the first read.
///
/// ```swift
/// final class Desk: PartialOwner {
///   let nodeEnvironment: NodeEnvironment
///   @Attributed(Partial<Panel>()) var panel: Panel?     // Panel.plist or Panel.json
/// }
/// ```
///
/// The node is the root of a tree of its own, which the property keeps: `panel?.tree`. Assigning a
/// node replaces it; after assigning nil, the next read builds a new one. If it cannot be built,
/// the reader gets nil and `report` the reason; `NodeTree.launch(Panel.self, …)` throws it.
public final class Partial<Value: Node>: PropertyAttribute {
  private let environment: NodeEnvironment?
  private let variables: [String: String]
  private let report: (NodeError) -> Void
  private var tree: NodeTree?
  private var isBuilding = false

  /// Creates an attribute.
  ///
  /// - Parameters:
  ///   - environment: The environment of the tree; by default that of the object with the property:
  ///     a ``PartialOwner``, or a node of a tree.
  ///   - variables: The values of `${name}` in the file.
  ///   - report: Receives the reason if a node cannot be built; by default it is written to
  ///     standard error.
  public init(
    in environment: NodeEnvironment? = nil, replacing variables: [String: String] = [:],
    report: ((NodeError) -> Void)? = nil
  ) {
    self.environment = environment
    self.variables = variables
    self.report = report ?? { writeToStandardError("\($0)") }
  }

  /// Gives the reader the node, built now if there is none.
  public func get(_ access: inout AttributeAccess<Value?>) {
    guard access.value.flatMap({ $0 }) == nil else { return }
    do throws(NodeError) {
      let tree = try build(for: access.owner, access.property)
      self.tree = tree
      access.value = .some(tree.root as? Value)
      access.stored = access.value
    } catch {
      report(error)
      access.value = .some(nil)
    }
  }

  /// Releases the tree whose root was in the property.
  public func set(_ access: inout AttributeAccess<Value?>) {
    guard let tree, access.value.flatMap({ $0 }) !== tree.root else { return }
    self.tree = nil
  }

  private func build(
    for owner: AnyObject?, _ property: AttributedProperty
  ) throws(NodeError) -> NodeTree {
    guard !isBuilding else {
      throw NodeError(.setUpFailed, "'\(property)' needs itself while it is built")
    }
    isBuilding = true
    defer { isBuilding = false }
    guard let environment = environment ?? Self.environment(of: owner) else {
      throw NodeError(
        .setUpFailed,
        "'\(property)' is built from a node file, and no environment is known: give one to "
          + "Partial(in:), or let \(property.owner) conform to PartialOwner")
    }
    return try NodeTree.launch(Value.self, in: environment, replacing: variables)
  }

  private static func environment(of owner: AnyObject?) -> NodeEnvironment? {
    (owner as? any PartialOwner)?.nodeEnvironment ?? (owner as? Node)?.tree?.environment
  }
}
