import OxbowModel
import OxbowRelational
import OxbowSQLite

/// A store in a file, and what happens to its migration from outside.
struct DisturbedBackend: MigrationBackend {
  let base: SQLiteMigrationBackend

  /// Runs before the lock is taken.
  var beforeLock: @Sendable () throws -> Void = {}

  /// The number of the commit that reports an error, although it is durable.
  var unknownCommit = 0

  var store: String { base.store }
  var engine: String { base.engine }
  func state() throws -> MigrationState? { try base.state() }
  func read<R>(_ body: (any MigrationReading) throws -> R) throws -> R { try base.read(body) }

  func statements(of migration: TableMigration) -> [MigrationOperation] {
    base.statements(of: migration)
  }

  func exclusively<R>(_ body: (any MigrationSession) throws -> R) throws -> R {
    try beforeLock()
    return try base.exclusively { try body(Session($0, unknownCommit)) }
  }

  private final class Session: MigrationSession {
    let base: any MigrationSession
    var commits: Int

    init(_ base: any MigrationSession, _ commits: Int) {
      (self.base, self.commits) = (base, commits)
    }

    func transaction<R>(_ body: (any MigrationTransaction) throws -> R) throws -> R {
      let result = try base.transaction(body)
      commits -= 1
      if commits == 0 { throw PersistenceError(.commitUnknown, "the disk") }
      return result
    }
  }
}
