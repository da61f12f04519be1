/// A question to the user.
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
    /// Its title.
    public let title: String
    /// The event that choosing it triggers.
    public let event: String
  }

  /// How it is shown.
  public let kind: Kind
  /// The title.
  public let title: String?
  /// The text below the title.
  public let message: String?
  /// The choices of the user: `ok` is `onConfirm`, `cancel` is `onCancel`.
  public let buttons: [Button]
  /// The definition of the whole view, if the action has one.
  public let view: NodeValue?
  /// The node whose action it is.
  public let node: NodeID
}

/// Shows alerts and action sheets.
public protocol AlertPresenting: Sendable {
  /// Shows an alert, and returns without waiting for the answer.
  ///
  /// - Parameters:
  ///   - alert: The alert.
  ///   - answer: Receives the event of the chosen button, on any thread. Only the first call
  ///     counts: when the tree drains its inbox, the actions of the alert's own `events` run, or
  ///     those of the node that asked.
  func present(_ alert: NodeAlert, answer: @escaping @Sendable (_ event: String) -> Void)
}

/// Prints alerts and does not choose a button.
public struct PrintingPresenter: AlertPresenting {
  /// Creates a presenter.
  public init() {}

  /// Prints title, message and buttons.
  public func present(_ alert: NodeAlert, answer: @escaping @Sendable (_ event: String) -> Void) {
    let buttons = alert.buttons.map { "[\($0.title)]" }.joined(separator: " ")
    print([alert.title, alert.message, buttons].compactMap { $0 }.joined(separator: "\n"))
  }
}
