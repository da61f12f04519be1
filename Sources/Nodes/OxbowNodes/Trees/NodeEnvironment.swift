public import OxbowContainer

/// What trees of nodes are made with.
///
/// A value: a tree keeps the one that it was launched with.
public struct NodeEnvironment: Sendable {
  /// Reads the files.
  public var files: NodeFiles
  /// The classes that files may name.
  public var classes = NodeClasses()
  /// The kinds of actions that files may name.
  public var actions = NodeActions()
  /// Brings notifications to nodes and observers.
  public var hub: NotificationHub
  /// Measures the delay of actions.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// Shows alerts and action sheets.
  public var presenter: any AlertPresenting = PrintingPresenter()
  /// Translates titles and texts.
  public var translate: @Sendable (String) -> String = { $0 }
  /// The attributes of described properties that are translated.
  public var translatedNames: Set<String> = ["title", "text", "message", "placeholder", "prompt"]
  /// The size of what the nodes are shown on.
  public var screen = NodeSize()
  /// How texts become the types of described properties that node files have no form for.
  public var values = ValueConverters()
  /// What passes so that old files load.
  public var compatibility: NodeCompatibility = []
  /// Makes the nodes that it has a definition of the class for, and injects them.
  public var container: Container?

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - files: Reads the files.
  ///   - hub: Brings notifications to nodes and observers.
  ///   - container: Makes the nodes whose class it has a definition for.
  public init(
    files: NodeFiles, hub: NotificationHub = NotificationHub(), container: Container? = nil
  ) {
    self.files = files
    self.hub = hub
    self.container = container
  }
}
