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
