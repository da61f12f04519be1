import Foundation
import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

#if PostgreSQL
  import OxbowPostgres
#endif

/// The library with a history of its saves.
struct HistoryLibrary {
  /// Where it is: in a file with a log, or on a server.
  enum Kind: String, CaseIterable, Sendable {
    case file, server

    #if PostgreSQL
      static let all: [Kind] = TestServer.shared == nil ? [.file] : allCases
    #else
      static let all: [Kind] = [.file]
    #endif
  }

  let folder: TemporaryFolder

  /// The path of a file, or what names a store on a server.
  let path: String

  init(_ kind: Kind = .file) throws {
    folder = try TemporaryFolder()
    #if PostgreSQL
      if kind == .server {
        let server = try #require(TestServer.shared)
        path = [Self.prefix + server.connection, server.newSchema()].joined(separator: "\n")
        return
      }
    #endif
    path = folder.file("library.sqlite")
  }

  private static let prefix = "server "

  func open(
    _ history: HistoryRecording = .keys, hasLog: Bool = true,
    _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> PersistentStoreCoordinator {
    try Self.open(path, history, hasLog: hasLog, change)
  }

  static func open(
    _ path: String, _ history: HistoryRecording = .keys, hasLog: Bool = true,
    _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> PersistentStoreCoordinator {
    var options = SQLiteStoreOptions(usesWriteAheadLog: hasLog, history: history)
    change(&options)
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    let model = try CompiledModel(ManagedObjectModel(types: types), classes: types)
    #if PostgreSQL
      if let location = location(path) {
        return try PersistentStoreCoordinator(model, at: location, options: .init(options))
      }
    #endif
    return try PersistentStoreCoordinator(model, at: .file(path), options: options)
  }

  #if PostgreSQL
    /// Where a store on a server is; `nil` for the path of a file.
    static func location(_ path: String) -> PostgresLocation? {
      guard path.hasPrefix(prefix) else { return nil }
      let parts = path.dropFirst(prefix.count).split(separator: "\n", maxSplits: 1)
      return PostgresLocation(String(parts[0]), schema: String(parts[1]))
    }
  #endif
}

#if PostgreSQL
  extension PostgresStoreOptions {
    /// What a file's options say of a history.
    init(_ options: SQLiteStoreOptions) {
      self.init(
        isReadOnly: options.isReadOnly, maximumPinnedViews: options.maximumPinnedViews,
        waitMilliseconds: options.busyMilliseconds,
        history: options.history, followsOtherProcesses: options.followsOtherProcesses,
        historyLimits: options.historyLimits)
    }
  }
#endif

extension PersistentStoreCoordinator {
  func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(coordinator: self, name: name)
  }

  /// All saves after a place.
  func saves(
    after token: HistoryToken? = nil, where filter: HistoryFilter? = nil
  ) throws -> [HistoryTransaction] {
    var history = try history(after: token, where: filter)
    return try history.transactions()
  }
}
