import ArgumentParser
import Foundation
import Oxbow
import OxbowNodes

/// The scenes: an example of node trees, on the store of the catalog.
@main struct ScenesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenes",
    abstract: "Shows the files of a catalog's store in a terminal.",
    discussion: """
      Examples:
        catalog index /usr/share --store catalog.sqlite
        scenes --store catalog.sqlite
      """)

  @Option(help: ArgumentHelp("The store's file, made by catalog.", valueName: "file"))
  var store = "catalog.sqlite"

  func run() async throws {
    do {
      let code = try await Scenes.show(store: store)
      if code != 0 { throw ExitCode(code) }
    } catch let exit as ExitCode {
      throw exit
    } catch {
      // The terminal may be gone, and standard error with it.
      try? FileHandle.standardError.write(contentsOf: Data("scenes: \(cause(of: error))\n".utf8))
      throw ExitCode((error as? ScenesError)?.exitCode ?? 1)
    }
  }
}

/// What went wrong at the store, where that is what made a node or an object fail.
func cause(of error: any Error) -> any Error {
  (error as? ContainerError)?.underlying ?? (error as? NodeError)?.underlying ?? error
}

/// What keeps the scenes from being shown.
struct ScenesError: Error, CustomStringConvertible {
  let description: String
  var exitCode: Int32 = 1
}
