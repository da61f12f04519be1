import ArgumentParser
import Foundation
import Oxbow

/// The options that every command has.
struct StoreOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store's file, or a schema of a server (postgres://user@host/database?schema=name).",
      valueName: "store"))
  var store = "catalog.sqlite"

  @Option(help: "What defines the container: the document container.xml, or Swift code.")
  var wiring = Wiring.xml

  /// Runs a command's work, and turns what goes wrong into one message and an exit code.
  func run(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let exit as ExitCode {
      throw exit
    } catch {
      let failure = Failure(error, store: store)
      StandardError.line("catalog: \(failure.message)")
      throw ExitCode(failure.exitCode)
    }
  }

  /// Opens the store, does the work and closes the store.
  func withCatalog(mustExist: Bool = false, _ work: (Catalog) throws -> Void) throws {
    let isOnServer = ServerStore.isMeant(by: store)
    if mustExist, !isOnServer, !FileManager.default.fileExists(atPath: store) {
      throw CatalogError(
        "there is no store '\(store)'; make it with: catalog index DIRECTORY --store '\(store)'")
    }
    var settings = try CatalogSettings(store: store)
    settings.createsStore = !mustExist
    let catalog = try Catalog(settings, wiring: wiring)
    defer { catalog.close() }
    try work(catalog)
  }
}

extension Wiring: ExpressibleByArgument {}
