/// `Alert` and `ActionSheet`.
struct AlertAction: NodeAction {
  let kind: NodeAlert.Kind

  func run(_ call: ActionCall) throws {
    let view = call.arguments["view"]
    if let view, view.dictionary == nil {
      throw NodeError(
        .invalidValue, "\"view\" is \(view.shown); a dictionary is expected", at: view.location)
    }
    if kind == .actionSheet, view == nil { throw call.arguments.missing("view") }
    let own = try call.texts(of: call.arguments)
    let inner = try view.map {
      try call.texts(of: call.host.attributes($0, of: call.target, known: []))
    }
    let title = own.title ?? inner?.title
    let message = own.message ?? inner?.message
    guard title != nil || message != nil || view != nil else {
      throw call.arguments.missing("title")
    }
    let alert = NodeAlert(
      kind: kind, title: title, message: message,
      buttons: own.buttons.isEmpty ? inner?.buttons ?? [] : own.buttons, view: view,
      node: call.node.id)
    try call.host.present(alert)
  }
}

extension ActionCall {
  fileprivate func texts(
    of attributes: NodeAttributes
  ) throws(NodeError) -> (title: String?, message: String?, buttons: [NodeAlert.Button]) {
    var buttons: [NodeAlert.Button] = []
    for (name, event) in [("ok", "onConfirm"), ("cancel", "onCancel")] {
      guard let title = try attributes.text(name) else { continue }
      buttons.append(NodeAlert.Button(title: title, event: event))
    }
    return (try attributes.text("title"), try attributes.text("message"), buttons)
  }
}
