/// The kinds of actions that files may name.
///
/// A name is looked up as it is, then with each prefix: `Shake` also finds `SCActionShake`.
public struct NodeActions: Sendable {
  /// The prefixes with which a name is looked up.
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

  /// Registers a kind of action; it replaces one of the same name.
  public mutating func register(_ name: String, _ action: some NodeAction) {
    actions[name] = action
  }

  /// Registers a closure as a kind of action.
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

/// `Notification`: posts `event`, with the whole dictionary of the action.
struct NotificationAction: NodeAction {
  // Observers receive the dictionary, so it may have any values.
  var takesAnything: Bool { true }

  func run(_ call: ActionCall) throws {
    let event = try call.arguments.required("event", as: String.self)
    try call.target.post(event, info: call.definition)
  }
}

/// `Hide`, `Show` and `ToggleVisibility`; the first two set `alpha` if it is given.
enum VisibilityAction: String, CaseIterable, NodeAction {
  case hide = "Hide"
  case show = "Show"
  case toggle = "ToggleVisibility"

  func run(_ call: ActionCall) throws {
    let view = try call.target(as: ViewNode.self)
    if self != .toggle, call.arguments["alpha"] != nil {
      try call.animate { try view.applyAlpha(call.arguments) }
      return
    }
    try call.animate { view.isHidden = self == .toggle ? !view.isHidden : self == .hide }
  }
}
