import Foundation
import Oxbow
import OxbowNodes

/// Joins store, container, node files and terminal.
@MainActor enum Scenes {
  /// Shows the files of a store until the user leaves.
  ///
  /// - Returns: The exit code of the program.
  static func show(store: String) async throws -> Int32 {
    guard FileManager.default.fileExists(atPath: store) else {
      throw ScenesError(
        description: "there is no store '\(store)'; "
          + "make it with: catalog index DIRECTORY --store '\(store)'")
    }
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw ScenesError(
        description: "standard input and output are not a terminal; start it in one, "
          + "or have the files listed with: catalog report --store '\(store)'", exitCode: 64)
    }
    let container = try container(path: store)
    defer { try? container.shutDown() }
    let store = try PersistentContainer(coordinator: container.object("coordinator"))
    // Threads of a pool take turns at a task, so the context that nodes reach is the task's.
    return try await store.withTaskContext { try await show(container) }
  }

  private static func show(_ container: Container) async throws -> Int32 {
    let dialogs = Dialogs()
    let environment = try environment(container, dialogs)
    let tree = try NodeTree.launch(
      "main.plist", in: environment, replacing: ["store": container.object("path")])
    // The terminal is taken over once everything is there that can be missing.
    let terminal = try Terminal()
    defer { terminal.restore() }
    return try await run(tree, on: terminal, dialogs)
  }

  /// Handles what the user does, and shows what came of it.
  private static func run(
    _ tree: NodeTree, on terminal: Terminal, _ dialogs: Dialogs
  ) async throws -> Int32 {
    guard let stage = tree.root as? Stage else {
      throw ScenesError(description: "the window of main.plist is not a Stage")
    }
    // The reader is another thread: what it has to say goes through the inbox.
    terminal.listen { [inbox = tree.inbox, id = stage.id] input in
      inbox.send(input.event, to: id, info: input.info)
    }
    while !tree.isDestroyed {
      try terminal.show(stage.picture(with: dialogs.current))
      do { try await tree.drainNext() } catch let error as NodeError { dialogs.show(error) }
    }
    return stage.exitCode
  }

  private static func container(path: String) throws -> Container {
    let builder = ContainerBuilder()
    builder.singleton(named: "path", { path })
    let context = builder.persistentStore(
      at: .file(path), types: [Volume.self, Folder.self, File.self, Kind.self, Label.self],
      documents: try ["Files.xcdatamodeld", "Labels.xcdatamodel"].map { try resource($0) })
    let shelf = builder.singleton(named: "shelf", { FileShelf(context: $0) }, context)
    // The nodes of these classes are made by the container.
    builder.prototype(named: "fileList", { FileList(shelf: $0) }, shelf)
    builder.prototype(named: "fileDetails", { FileDetails(shelf: $0) }, shelf)
    return try builder.build()
  }

  private static func environment(
    _ container: Container, _ dialogs: Dialogs
  ) throws -> NodeEnvironment {
    let files = NodeFiles(root: try resource("Resources"), isStrict: true)
    var environment = NodeEnvironment(files: files, container: container)
    environment.presenter = dialogs
    environment.screen = Terminal.size
    environment.classes.register("Stage", Stage.init)
    environment.classes.register("Button", Button.init)
    environment.classes.registerHandler("Dialogs") { dialogs }
    environment.actions.register("Quit", Quit())
    return environment
  }

  /// The path of a file that comes with the program, in a folder beside it.
  private static func resource(_ name: String) throws -> String {
    let program = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
      .resolvingSymlinksInPath()
    let path = program.deletingLastPathComponent()
      .appendingPathComponent("oxbow_scenes.resources/\(name)").path
    guard FileManager.default.fileExists(atPath: path) else {
      throw ScenesError(
        description: "'\(path)', which comes with the program, is missing; "
          + "copy 'oxbow_scenes.resources' beside the program, or build it again")
    }
    return path
  }
}

/// `Quit`: ends the tree, with the exit code that the action or its event gives.
struct Quit: NodeAction {
  func run(_ call: ActionCall) throws {
    let own = try call.arguments.value("code", as: Int.self)
    let sent = try call.event.info["code"].map { try Int.convert($0, in: NodeValueContext()) }
    call.target.nearest(Stage.self)?.exitCode = Int32(clamping: own ?? sent ?? 0)
    try call.tree?.destroy()
  }
}
