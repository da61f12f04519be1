internal import ArgumentParser
internal import OxbowSQLite

/// What every command has that changes the tables of a store.
struct ChangeOptions: ParsableArguments {
  @Flag(
    name: .customLong("while-open"),
    help: "Migrate although other processes have the store open; their next save fails.")
  var sharesStore = false
  @Option(
    name: .long, help: "Copy the store to this path before anything changes.", completion: .file())
  var backup: String?
  @Option(name: .long, help: "How many seconds to wait for the store.")
  var wait = 5.0

  func validate() throws {
    guard wait >= 0, wait <= 86_400 else {
      throw ValidationError("--wait is a number of seconds from 0 to 86400.")
    }
  }

  var busyMilliseconds: Int { Int(wait * 1000) }

  /// Copies a store, or a database of another tool, where that is asked for.
  func backUp(_ store: String, isForeign: Bool = false, _ console: Console) throws {
    guard let backup else { return }
    let file = SQLiteStoreFile(store)
    if isForeign {
      try file.backUpForeignDatabase(to: backup)
    } else {
      try file.backUp(to: backup)
    }
    console.note("copied '\(store)' to '\(backup)'")
  }
}
