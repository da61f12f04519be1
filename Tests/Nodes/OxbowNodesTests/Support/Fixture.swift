import OxbowDocuments
import OxbowNodes
import OxbowPlatform
import OxbowTestSupport

/// Node files in a folder of their own, with everything injected that trees need.
struct Fixture {
  let folder: TemporaryFolder
  let clock = ManualClock()
  let presenter = RecordingPresenter()
  let hub = NotificationHub()
  var environment: NodeEnvironment

  init(isStrict: Bool = false, limits: DocumentLimits = .default) throws {
    folder = try TemporaryFolder()
    let files = NodeFiles(NodeFolders(root: folder.path), limits: limits, isStrict: isStrict)
    environment = NodeEnvironment(files: files, hub: hub)
    environment.clock = clock
    environment.presenter = presenter
    environment.screen = NodeSize(width: 400, height: 300)
    environment.classes.registerWidgets()
  }

  /// Writes a file whose `Node` is some JSON.
  func write(_ node: String, to name: String) throws {
    try folder.write("{\"Node\": \(node)}", to: name)
  }

  /// The node of a file whose `Node` is some JSON.
  func load(_ node: String, replacing variables: [String: String] = [:]) throws -> NodeValue {
    try write(node, to: "loaded.json")
    return try environment.files.load("loaded.json", replacing: variables).node
  }

  /// A tree whose root is some JSON.
  func launch(_ node: String) throws -> NodeTree {
    try write(node, to: "launched.json")
    return try NodeTree.launch("launched.json", in: environment)
  }

  /// A window with views, in JSON.
  func launch(views: String) throws -> NodeTree { try launch("{\"subviews\": [\(views)]}") }

  /// The error of a tree whose window has views, in JSON.
  func error(views: String) -> NodeError? {
    do {
      _ = try launch(views: views)
      return nil
    } catch { return error as? NodeError }
  }
}

/// Runs something that is to fail, and returns its error.
func nodeError(_ body: () throws -> Void) -> NodeError? {
  do {
    try body()
    return nil
  } catch { return error as? NodeError }
}

/// Keeps what alerts it is to show, with how they are answered.
final class RecordingPresenter: AlertPresenting {
  private let state = Lock<[(alert: NodeAlert, answer: @Sendable (String) -> Void)]>([])

  var alerts: [NodeAlert] { state.withLock { $0.map(\.alert) } }

  func present(_ alert: NodeAlert, answer: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.append((alert, answer)) }
  }

  func answer(_ number: Int, _ event: String) {
    let answer = state.withLock { $0[number].answer }
    answer(event)
  }
}

/// Keeps texts, from any thread.
final class Log: Sendable {
  private let state = Lock<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func note(_ line: String) { state.withLock { $0.append(line) } }

  func clear() { state.withLock { $0 = [] } }
}
