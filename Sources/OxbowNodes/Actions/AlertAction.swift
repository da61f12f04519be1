internal import OxbowDocuments
internal import OxbowPlatform

/// Something that a program asks its user.
public struct NodeAlert: Sendable {
  /// How it is shown.
  public enum Kind: Hashable, Sendable {
    /// In front of everything.
    case alert
    /// At the bottom.
    case actionSheet
  }

  /// What the user may choose.
  public struct Button: Hashable, Sendable {
    /// What stands on it.
    public let title: String
    /// The event that its choice is.
    public let event: String
  }

  /// How it is shown.
  public let kind: Kind
  /// The title.
  public let title: String?
  /// The text below the title.
  public let message: String?
  /// What the user may choose: `ok` is `onConfirm`, `cancel` is `onCancel`.
  public let buttons: [Button]
  /// The whole definition of what is shown, where the action has one.
  public let view: NodeValue?
  /// The node whose action it is.
  public let node: NodeID
}

/// Shows alerts and action sheets.
public protocol AlertPresenting: Sendable {
  /// Shows an alert, and returns without waiting for the answer.
  ///
  /// - Parameters:
  ///   - alert: What is shown.
  ///   - answer: Takes the event of the button that was chosen, on any thread. The first call
  ///     counts: the actions of the alert's own `events` run, or those of the node that asked, when
  ///     the tree drains its inbox.
  func present(_ alert: NodeAlert, answer: @escaping @Sendable (_ event: String) -> Void)
}

/// Prints alerts and chooses nothing.
public struct PrintingPresenter: AlertPresenting {
  /// Creates a presenter.
  public init() {}

  /// Prints title, message and buttons.
  public func present(_ alert: NodeAlert, answer: @escaping @Sendable (_ event: String) -> Void) {
    let buttons = alert.buttons.map { "[\($0.title)]" }.joined(separator: " ")
    print([alert.title, alert.message, buttons].compactMap { $0 }.joined(separator: "\n"))
  }
}

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
      try call.texts(of: call.tree.attributes($0, of: call.target, known: []))
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
    try call.tree.present(alert, of: call.node)
  }
}

extension ActionCall {
  /// Title, message and buttons of an alert.
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

extension NodeTree {
  fileprivate func present(_ alert: NodeAlert, of node: Node) throws(NodeError) {
    let handling = try alert.view?.dictionary.map { (view) throws(NodeError) in
      try NodeHandling(view, classes: environment.classes, notes: &notes)
    }
    let isAnswered = Lock(false)
    environment.presenter.present(alert) { [inbox] event in
      let isFirst = isAnswered.withLock { isAnswered in
        defer { isAnswered = true }
        return !isAnswered
      }
      if isFirst { inbox.leave(.answer(event, alert.node, handling ?? NodeHandling())) }
    }
  }
}
