/// A kind of action that files name.
///
/// ```swift
/// struct Shake: NodeAction {
///   func run(_ call: ActionCall) throws {
///     let times = try call.arguments.required("times", as: Int.self)
///     …
///   }
/// }
/// environment.actions.register("Shake", Shake())
/// ```
public protocol NodeAction: Sendable {
  /// Runs the action.
  ///
  /// An argument that is asked for is known; what nobody asks for is an error.
  func run(_ call: ActionCall) throws

  /// Whether the dictionary of the action may hold more than the action asks for.
  var takesAnything: Bool { get }
}

extension NodeAction {
  /// False: what nobody asks for is an error.
  public var takesAnything: Bool { false }
}

/// One run of an action.
public struct ActionCall {
  /// The name of the action.
  public let name: String
  /// The node whose event it is.
  public let node: Node
  /// The node that it is for.
  public let target: Node
  /// The tree of both.
  let host: any ActionHost
  /// What the file gives the action.
  public let arguments: NodeAttributes
  /// The event that led to it.
  public let event: NodeEvent

  /// The whole dictionary of the action.
  public var definition: NodeValue { arguments.definition }

  /// The target as a class that the action needs.
  ///
  /// - Throws: ``NodeError``: `wrongTarget` for a node of another class.
  public func target<N: Node>(as type: N.Type) throws(NodeError) -> N {
    if let target = target as? N { return target }
    throw NodeError(
      .wrongTarget, "\(name) is for a \(N.self); the target is a \(target.className)",
      at: definition.location)
  }

  /// Makes a change of the target, over the `duration` and by the `transition` of the action.
  public func animate(_ changes: () throws -> Void) throws {
    let animation = NodeAnimation(
      duration: try arguments.value("duration", as: Double.self) ?? 0,
      transition: arguments["transition"])
    guard animation.duration >= 0 else {
      throw NodeError(
        .invalidValue, "\"duration\" is \(animation.duration); no time is negative",
        at: arguments.values["duration"]?.location)
    }
    try target.animate(animation, changes)
  }
}

/// What actions ask of the tree that they run in.
protocol ActionHost: NodeHost {
  /// What a dictionary says, read for a node.
  func attributes(_ values: NodeValue, of node: Node, known: Set<String>) -> NodeAttributes

  /// Sets what a dictionary gives a node.
  func apply(_ values: NodeValue, to node: Node, known: Set<String>) throws(NodeError)

  /// Shows an alert; its answer comes to the node that asks.
  func present(_ alert: NodeAlert) throws(NodeError)
}
