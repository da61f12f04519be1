internal import OxbowModel
internal import OxbowRelational

/// The files of large values of a backup of a store of Core Data.
///
/// They come into the folder beside it before the copy of the database gets its name. Two stores
/// whose names differ in their extension share such a folder, so no file of another one is removed:
/// only those of the backup that was replaced.
struct CopiedValues {
  private let folder: CoreDataFolder
  private let permissions: UInt32
  private var names: Set<String> = []
  private var added: [String] = []

  /// The names of the files that are not beside the store: of values that it has lost, or that a
  /// save has replaced since the moment that is copied.
  private(set) var missing: Set<String> = []

  private let path: String

  init(beside path: String, permissions: UInt32) {
    (folder, self.path) = (CoreDataFolder(ofStore: path), path)
    self.permissions = permissions
  }

  /// Copies the files that a database refers to at the moment of its read transaction; may be
  /// called again at another moment.
  ///
  /// - Throws: ``ExternalFileError`` for a file that cannot be read or written; `storeUnreachable`
  ///   where the copy would have the store's own files, and lose what the store removes.
  mutating func copy(from database: Connection) throws {
    missing = []
    names = try database.coreDataFileNames
    let source = CoreDataFolder(ofStore: database.path)
    if !names.isEmpty { try requireOwnFolder(source) }
    for name in names.sorted() {
      guard let file = try OpenedFile("\(source.path)/\(name)") else {
        missing.insert(name)
        continue
      }
      // A file never changes; one that is shorter was left by a backup that was interrupted.
      guard System.size("\(folder.path)/\(name)") != file.byteCount else { continue }
      System.remove("\(folder.path)/\(name)")
      added.append(name)
      let bytes = try file.bytes()
      try bytes.withUnsafeBytes { try folder.write($0, name, permissions: permissions) }
    }
    if !added.isEmpty { try folder.synchronize() }
  }

  private func requireOwnFolder(_ source: CoreDataFolder) throws(PersistenceError) {
    let isSource = System.fileID(source.path).map { $0 == System.fileID(folder.path) } ?? false
    let other = CoreDataFolder.otherStore(sharing: path)
    guard let owner = isSource ? "the store" : other.map({ "'\($0)'" }) else { return }
    throw PersistenceError(
      .storeUnreachable,
      "nothing was written to '\(path)': \(owner) has large values in '\(folder.support)', which would "
        + "be the copy's folder as well; choose a name that differs in more than its extension, or "
        + "another folder")
  }

  /// Removes what was copied, when the backup was not made.
  func undo() { folder.remove(added) }

  /// Removes the files of the backup that was replaced.
  func remove(_ former: Set<String>) {
    guard CoreDataFolder.otherStore(sharing: path) == nil else { return }
    folder.remove(former.subtracting(names))
  }
}

extension CoreDataFolder {
  /// Removes files, and the folder with the last one.
  func remove(_ names: some Sequence<String>) {
    for name in names { System.remove("\(path)/\(name)") }
    System.removeDirectory(path)
    System.removeDirectory(support)
  }
}
