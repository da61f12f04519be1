public import OxbowContainer
internal import OxbowMigration
internal import OxbowModel
public import OxbowStore

extension PersistentStoreCoordinator: BuiltInTurn {}

extension PersistentStoreCoordinator: Readiness, HealthReporting {
  /// Returns when the store answers.
  ///
  /// A container that runs opens the store when it is its turn, unless a constructor has needed it
  /// before; opening migrates it, or refuses it, as its ``StoreMigrations`` say. So whatever needs
  /// the store starts when it is migrated.
  ///
  /// - Throws: ``PersistenceError`` with what keeps the store from answering.
  public func ready() async throws { _ = try await unitOfWork { try self.conditions() } }

  /// Whether the store answers and can be saved.
  ///
  /// Details are the path, the bytes of the database and of its log, whether it can be written, and
  /// the migrations that are pending, where there are any to look for.
  ///
  /// - Returns: Down with the error of a read; degraded if the file cannot be written although it
  ///   was opened for that, or if migrations are pending or cannot be read.
  public func health() async -> Health {
    do { return try await unitOfWork { try self.storeHealth() } } catch {
      return .down("\(error)")
    }
  }

  private func storeHealth() throws -> Health {
    var health = Health.up
    let conditions = try conditions()
    for condition in conditions {
      health.add(condition, as: conditions.count > 1 ? " of \(condition.path)" : "")
    }
    for migrations in shared({ KnownMigrations([]) }).all {
      do {
        let pending = try migrations.pending()
        health.details["pending migrations of \(migrations.path)"] = "\(pending.count)"
        guard !pending.isEmpty else { continue }
        health.degrade("not applied to '\(migrations.path)': \(pending.joined(separator: ", "))")
      } catch { health.degrade("the migrations of '\(migrations.path)' cannot be read: \(error)") }
    }
    return health
  }

  /// Notes the migrations that the stores were opened with.
  func know(_ migrations: StoreMigrations, of stores: [(path: String, model: ManagedObjectModel)]) {
    guard migrations.policy != .never else { return }
    let known = stores.map { KnownMigrations.OfStore($0.path, $0.model, migrations) }
    _ = shared { KnownMigrations(known) }
  }
}

/// The migrations that a coordinator's stores were opened with.
private final class KnownMigrations: Sendable {
  struct OfStore: Sendable {
    let path: String
    private let model: ManagedObjectModel
    private let migrations: StoreMigrations

    init(_ path: String, _ model: ManagedObjectModel, _ migrations: StoreMigrations) {
      (self.path, self.model, self.migrations) = (path, model, migrations)
    }

    /// The names of the steps that the store has not had.
    func pending() throws -> [String] {
      try migrations.migrator(path, for: model).status().pending
    }
  }

  let all: [OfStore]

  init(_ all: [OfStore]) { self.all = all }
}

extension Health {
  fileprivate mutating func add(_ condition: StoreCondition, as suffix: String) {
    details["file" + suffix] = condition.path
    details["bytes" + suffix] = "\(condition.databaseBytes)"
    details["log bytes" + suffix] = "\(condition.logBytes)"
    details["writable" + suffix] =
      condition.isReadOnly ? "no, opened for reading" : condition.isWritable ? "yes" : "no"
    if !condition.isReadOnly, !condition.isWritable {
      degrade("this user may not write '\(condition.path)'; correct the permissions of the file")
    }
  }

  fileprivate mutating func degrade(_ reason: String) {
    (status, text) = (.degraded, text.map { "\($0); \(reason)" } ?? reason)
  }
}
