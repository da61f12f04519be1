internal import OxbowDocuments

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
  public let tree: NodeTree
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

/// The kinds of actions that files may name.
///
/// A name is looked up as it is, then behind each prefix: `Shake` also finds `SCActionShake`.
public struct NodeActions: Sendable {
  /// What may stand before a name in a file.
  public var prefixes = ["SCAction"]
  private var actions: [String: any NodeAction] = [:]

  /// Creates the actions that are built in: `Alert`, `ActionSheet`, `Notification`, `CallFunc`,
  /// `View`, `ViewController`, `Hide`, `Show`, `ToggleVisibility`, `MoveBy`, `MoveTo`, `Resize`.
  public init() {
    register("Alert", AlertAction(kind: .alert))
    register("ActionSheet", AlertAction(kind: .actionSheet))
    register("Notification", NotificationAction())
    register("CallFunc", CallFunctionAction())
    register("View", ViewAction())
    register("ViewController", ControllerAction())
    for change in VisibilityAction.allCases { register(change.rawValue, change) }
    for change in GeometryAction.allCases { register(change.rawValue, change) }
  }

  /// Makes a kind of action known, in place of the one with its name.
  public mutating func register(_ name: String, _ action: some NodeAction) {
    actions[name] = action
  }

  /// Makes a closure known as a kind of action.
  public mutating func register(
    _ name: String, _ run: @escaping @Sendable (ActionCall) throws -> Void
  ) {
    actions[name] = ClosureAction(body: run)
  }

  /// The names of all kinds of actions.
  public var names: [String] { actions.keys.sorted() }

  func action(_ name: String) -> (any NodeAction)? {
    ([name] + prefixes.map { $0 + name }).lazy.compactMap { actions[$0] }.first
  }
}

private struct ClosureAction: NodeAction {
  let body: @Sendable (ActionCall) throws -> Void

  func run(_ call: ActionCall) throws { try body(call) }
}
