internal import ArgumentParser
internal import OxbowFoundation
// Linking it makes Oxbow's own factories known to the commands about wiring files.
public import OxbowRuntime
public import OxbowMigration

/// The command line tool, as a library: a program with components of its own calls ``main()`` from
/// its `main.swift`, and `container check`, `explain` and `graph` then know their classes.
public enum OxbowTool {
  /// The version of Oxbow.
  public static let version = "0.1.0"

  /// Runs the command that the program's arguments name, and ends the program with its exit code.
  ///
  /// ```swift
  /// OxbowTool.main(types: [File.self, Folder.self], steps: [.plain("tidy") { rows in … }])
  /// ```
  ///
  /// - Parameters:
  ///   - types: The classes that `model diff` and `model export` compare and write, and whose model
  ///     the commands of `migrate` take where no `--model` is given.
  ///   - steps: The steps in Swift that the folder of migrations has stubs of.
  public static func main(
    types: [any ModelObject.Type] = [], steps: [CodeStep] = []
  ) -> Never {
    let model = types.isEmpty ? nil : ManagedObjectModel(types: types)
    ToolName.$current.withValue(ToolName.called(CommandLine.arguments)) {
      MigrationOptions.$steps.withValue(steps) {
        ModelSource.$classes.withValue(model) { main() }
      }
    }
  }

  private static func main() -> Never {
    Interruption.begin()
    // A reader that goes away must not end a migration between two steps.
    signal(SIGPIPE, SIG_IGN)
    // A limit of the size of files is an error of writing, as a full disk is.
    signal(SIGXFSZ, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try ProgramArguments.requireUTF8()
      if let message = UnknownCommand.message(arguments, of: RootCommand.self)
        ?? LocationArgument.refusal(arguments)
      {
        throw ValidationError(message)
      }
      var command = try parsed(arguments)
      try command.run()
    } catch {
      UsageFailure(error, arguments)?.write()
      RootCommand.exit(withError: error)
    }
    RootCommand.exit()
  }

  /// Parses the arguments; a mistyped option is reported before the store that it was to name.
  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    do { return try RootCommand.parseAsRoot(arguments) } catch {
      try MigrationOptions.$isComplete.withValue(true) {
        _ = try RootCommand.parseAsRoot(arguments)
      }
      throw error
    }
  }
}

struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ToolName.current,
    abstract: "Checks models and containers, migrates and describes stores.",
    discussion: """
      Results are written to the standard output, messages and progress to the standard error; \
      every command has --json. Exit codes: 0 done or nothing to do, 1 failed, 2 findings, \
      64 usage, 65 bad migration file, 69 store unreachable, 73 unsafe change refused, \
      75 store in use (try again), 130 interrupted.
      """,
    version: OxbowTool.version,
    subcommands: [
      ContainerCommand.self, ModelCommand.self, MigrateCommand.self, StoreCommand.self,
    ])
}
