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
  /// An argument that is read is known; one that is never read is an error.
  func run(_ call: ActionCall) throws

  /// Whether the dictionary of the action may have more values than the action reads.
  var takesAnything: Bool { get }
}

extension NodeAction {
  /// False: an argument that is never read is an error.
  public var takesAnything: Bool { false }
}

/// One run of an action.
public struct ActionCall {
  /// The name of the action.
  public let name: String
  /// The node whose event it is.
  public let node: Node
  /// The target.
  public let target: Node
  let host: any ActionHost
  /// The arguments in the file.
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

  /// Changes the target, with the `duration` and the `transition` of the action.
  public func animate(_ changes: () throws -> Void) throws {
    let animation = NodeAnimation(
      duration: try arguments.value("duration", as: Double.self) ?? 0,
      transition: arguments["transition"])
    guard animation.duration >= 0 else {
      throw NodeError(
        .invalidValue, "\"duration\" is \(animation.duration); a duration cannot be negative",
        at: arguments.values["duration"]?.location)
    }
    try target.animate(animation, changes)
  }
}

protocol ActionHost: NodeHost {
  /// The values of a dictionary, read for a node.
  func attributes(_ values: NodeValue, of node: Node, known: Set<String>) -> NodeAttributes

  func apply(_ values: NodeValue, to node: Node, known: Set<String>) throws(NodeError)

  /// Shows an alert; the node that asks receives the answer.
  func present(_ alert: NodeAlert) throws(NodeError)
}
