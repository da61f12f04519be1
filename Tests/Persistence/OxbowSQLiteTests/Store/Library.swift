import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import Testing

/// The kinds of stores that must behave alike.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case file, rollbackJournal, temporary, inMemory
  /// In a file, with a history that has values before.
  case withHistory

  var testDescription: String { rawValue }
}

typealias Library = StoreLibrary<SQLiteStore>

extension Library {
  var scratch: Scratch {
    guard let scratch = support as? Scratch else { preconditionFailure("a library has a folder") }
    return scratch
  }

  convenience init(
    _ kind: StoreKind = .file, options: SQLiteStoreOptions = SQLiteStoreOptions(),
    model: ManagedObjectModel = libraryModel(), in scratch: Scratch? = nil
  )
    throws
  {
    let scratch = try scratch ?? Scratch()
    var options = options
    let location: StoreLocation
    switch kind {
    case .file: location = .file(scratch.file())
    case .rollbackJournal:
      location = .file(scratch.file())
      options.usesWriteAheadLog = false
    case .withHistory:
      location = .file(scratch.file())
      options.history = .values
    case .temporary: location = .temporary
    case .inMemory: location = .inMemory
    }
    self.init(
      try SQLiteStore(try CompiledModel(model), at: location, options: options), support: scratch)
  }

  /// A connection of another program to the store's file.
  func intruder() throws -> Connection {
    var configuration = Connection.Configuration(role: .sole)
    configuration.busyMilliseconds = 0
    return try Connection(path: store.path, configuration: configuration)
  }
}

extension StoreContract<SQLiteStore> {
  init(_ kind: StoreKind, options: SQLiteStoreOptions = SQLiteStoreOptions()) {
    self.init { try Library(kind, options: options, model: $0) }
  }
}
