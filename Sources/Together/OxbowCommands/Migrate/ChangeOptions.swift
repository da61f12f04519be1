internal import ArgumentParser
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel
internal import OxbowSQLite
internal import Synchronization

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

  /// Runs `body`, which changes a store, or a database of another tool; where a copy is asked for,
  /// it is made before the first change.
  ///
  /// That is in the store's lock and behind its checks: the copy has all that was saved before, and
  /// what is refused leaves none.
  func backingUp<R>(
    _ store: String, _ migrator: Migrator, _ console: Console, _ body: (Migrator) throws -> R
  ) throws -> R {
    guard let backup, FileManager.default.fileExists(atPath: store) else {
      return try body(migrator)
    }
    let outcome = Mutex<Result<Void, PersistenceError>?>(nil)
    var migrator = migrator
    migrator.beforeChange = {
      try outcome.withLock { outcome in
        let isFirst = outcome == nil
        let made =
          outcome
          ?? Result { () throws(PersistenceError) in
            try SQLiteStoreFile(store).backUpLocked(to: backup)
          }
        outcome = made
        try made.get()
        if isFirst { console.note("copied '\(store)' to '\(backup)'") }
      }
    }
    do { return try body(migrator) } catch {
      // A copy that cannot be made has an error of its own.
      try outcome.withLock { $0 }?.get()
      throw error
    }
  }
}
