internal import OxbowModel
internal import OxbowRelational

/// A new store that is filled beside its place, and gets its name once it is whole.
struct NewStoreFile {
  let layout: StoreLayout

  /// The permissions of the files, which those of large values are too.
  let permissions: UInt32
  private let file: PartFile

  /// The folders of large values.
  private let folder: String
  private let partFolder: String

  /// A new store gets the permissions of the one that it is `like`.
  ///
  /// - Throws: ``PersistenceError`` with `storeUnreachable` for a path where there is something.
  init(
    _ path: String, _ layout: StoreLayout, like store: String? = nil
  ) throws(PersistenceError) {
    self.layout = layout
    permissions = (store.flatMap(System.permissions) ?? 0o600) | 0o600
    file = try PartFile(path, permissions: store == nil ? nil : permissions)
    switch layout {
    case .plain:
      folder = ExternalFolder(ofStore: path).path
      partFolder = ExternalFolder(ofStore: file.part).path
    case .coreData:
      folder = CoreDataFolder(ofStore: path).support
      partFolder = file.part + CoreDataFolder.suffix
    }
    try requireNothing()
  }

  private func requireNothing() throws(PersistenceError) {
    for path in [file.path, folder, file.path + "-wal", file.path + "-journal"]
    where System.fileID(path) != nil { throw file.refused(Self.taken(path)) }
  }

  private static func taken(_ path: String) -> String {
    "'\(path)' exists already; choose another path"
  }

  /// Where large values are written in the layout of Core Data.
  var values: CoreDataFolder { CoreDataFolder(support: partFolder) }

  /// Runs `body`, which fills the new database; once it has returned, the store is there.
  func receive<R>(_ body: () throws -> R) throws -> R {
    try file.receive(undoing: discardFolder) {
      let result = try body()
      try settle()
      return result
    }
  }

  private func discardFolder() {
    switch layout {
    case .plain: ExternalFolder(ofStore: file.part).removeAll()
    case .coreData: values.removeAll()
    }
  }

  /// Lends the new database in a transaction; from nothing again if it was filled before.
  func fill<R>(_ body: (Connection) throws -> R) throws -> R {
    discardFolder()
    file.discard()
    try file.make()
    let connection = try Connection(path: file.part, configuration: .init(role: .sole))
    defer { connection.close() }
    if layout == .coreData { try connection.execute(CoreDataTables.settings) }
    let result = try connection.transaction(.write) { try body(connection) }
    connection.settleFiles()
    if layout == .coreData { try connection.execute(CoreDataTables.log) }
    return result
  }

  /// Gives the files their names: the folder of large values first, because a store whose values
  /// are missing must not be there.
  private func settle() throws {
    try requireNothing()
    let hasFolder = System.isDirectory(partFolder)
    if hasFolder {
      try synchronizeFolder()
      let failure = System.rename(partFolder, folder)
      guard failure == 0 else { throw file.refused(System.message(failure)) }
    }
    do { try file.settle(Self.taken(file.path)) } catch {
      // Another store's may have the name otherwise.
      if hasFolder { _ = System.rename(folder, partFolder) }
      throw error
    }
  }

  private func synchronizeFolder() throws {
    switch layout {
    case .plain: try ExternalFolder(ofStore: file.part).synchronizeAll()
    case .coreData: try values.synchronize()
    }
  }
}
