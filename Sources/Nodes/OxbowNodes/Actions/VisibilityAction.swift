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
