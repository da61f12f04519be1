public import OxbowContainer

/// Everything that trees of nodes use.
///
/// It is a value: a tree keeps the environment with which it was launched.
public struct NodeEnvironment: Sendable {
  /// Reads the files.
  public var files: NodeFiles
  /// The classes that files may name.
  public var classes = NodeClasses()
  /// The kinds of actions that files may name.
  public var actions = NodeActions()
  /// Delivers notifications to nodes and observers.
  public var hub: NotificationHub
  /// Measures the delay of actions.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// Shows alerts and action sheets.
  public var presenter: any AlertPresenting = PrintingPresenter()
  /// Translates titles and texts.
  public var translate: @Sendable (String) -> String = { $0 }
  /// The attributes of described properties that are translated.
  public var translatedNames: Set<String> = ["title", "text", "message", "placeholder", "prompt"]
  /// The size of the screen.
  public var screen = NodeSize()
  /// Converts texts to the types of described properties for which node files have no form.
  public var values = ValueConverters()
  /// What is accepted so that old files load.
  public var compatibility: NodeCompatibility = []
  /// Creates and injects the nodes of classes for which it has a definition.
  public var container: Container?

  /// Creates an environment.
  public init(
    files: NodeFiles, hub: NotificationHub = NotificationHub(), container: Container? = nil
  ) {
    self.files = files
    self.hub = hub
    self.container = container
  }
}
