// A store `shop.sqlite` has large values in the folder `shop.sqlite-files`:
//
//   shop.sqlite-files/3F2504E0-…            a value; it never changes
//   shop.sqlite-files/incoming/9A0C0305-…   a value whose transaction is under way, or was when
//                                           its program ended
//
// A value is written below `incoming` and flushed before its transaction commits. After the commit
// it moves up; after a rollback it goes. What is below `incoming` needs no other mark: the table
// of files (`FilesTable`), which is written by the same transaction, says which of the two it is.

internal import OxbowFoundation
internal import OxbowRelational

/// The folder of large values beside a store.
struct ExternalFolder: Hashable, Sendable {
  /// What follows the path of a store's file.
  static let suffix = "-files"

  /// The folder's path.
  let path: String

  private let store: String

  /// Who may read and write the files, where the store does not say it yet.
  private let given: UInt32?

  /// The folder of a database file.
  init(ofStore store: String, permissions: UInt32? = nil) {
    self.store = store
    given = permissions
    path = store + Self.suffix
  }

  private var incoming: String { path + "/incoming" }

  /// The path of a value.
  func path(of name: String) -> String { path + "/" + name }

  private func incomingPath(of name: String) -> String { incoming + "/" + name }

  /// The values that are not part of a transaction under way.
  var names: [String] { System.names(in: path).filter(FileReference.isName) }

  /// Whether there is a file of that name.
  func has(_ name: String) -> Bool { System.size(path(of: name)) != nil }

  /// The values whose transactions may not have ended.
  var incomingNames: [String] { System.names(in: incoming).filter(FileReference.isName) }
}

// MARK: - Writing

extension ExternalFolder {
  /// Writes a value whose transaction is under way.
  ///
  /// If it `isSynchronized`, it is flushed; its name is not (``synchronize()``).
  func write(
    _ bytes: UnsafeRawBufferPointer, isSynchronized: Bool
  ) throws(ExternalFileError) -> FileReference {
    let reference = FileReference(byteCount: bytes.count)
    try make(isSynchronized: isSynchronized)
    try write(bytes, to: incomingPath(of: reference.name), isSynchronized)
    return reference
  }

  /// Writes a value that is there for good: that of a copy.
  func writeForGood(
    _ bytes: UnsafeRawBufferPointer, _ reference: FileReference
  ) throws(ExternalFileError) {
    try make(isSynchronized: true)
    try write(bytes, to: path(of: reference.name), true)
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, to path: String, _ isSynchronized: Bool
  ) throws(ExternalFileError) {
    let failure = System.writeFile(
      path, bytes, permissions: permissions, isSynchronized: isSynchronized)
    guard failure == 0 else {
      System.remove(path)
      throw ExternalFileError(path, .unwritable(failure))
    }
  }

  /// The permissions of the store: what it has in files is as private.
  private var permissions: UInt32 { given ?? System.permissions(store) ?? 0o600 }

  private func make(isSynchronized: Bool) throws(ExternalFileError) {
    guard !System.isDirectory(incoming) else { return }
    for directory in [path, incoming] {
      let failure = System.makeDirectory(directory, permissions: permissions)
      guard failure == 0 else { throw ExternalFileError(directory, .unwritable(failure)) }
      if isSynchronized { System.synchronizeFolder(of: directory) }
    }
  }

  /// Makes the names of the values below `incoming` durable.
  func synchronize() throws(ExternalFileError) {
    let failure = System.synchronizeDirectory(incoming)
    guard failure == 0 else { throw ExternalFileError(incoming, .unwritable(failure)) }
  }

  /// Makes the names of all other values durable.
  func synchronizeAll() throws(ExternalFileError) {
    let failure = System.synchronizeDirectory(path)
    guard failure == 0 else { throw ExternalFileError(path, .unwritable(failure)) }
  }

  /// Moves a value up, whose transaction was committed.
  ///
  /// Should it fail, the value is found where it is.
  func keep(_ name: String) { _ = System.rename(incomingPath(of: name), path(of: name)) }

  /// Removes a value whose transaction was rolled back.
  func drop(_ name: String) { System.remove(incomingPath(of: name)) }

  /// Removes a value that is not needed any more.
  func remove(_ name: String) {
    System.remove(path(of: name))
    System.remove(incomingPath(of: name))
  }

  /// Makes it durable that values are gone, as far as the file system does that.
  func synchronizeRemovals() { _ = System.synchronizeDirectory(path) }

  /// Removes the folder with all values.
  func removeAll() {
    for name in incomingNames { drop(name) }
    for name in names { System.remove(path(of: name)) }
    removeIfEmpty()
  }

  /// Removes the folder if there is nothing in it.
  func removeIfEmpty() {
    System.removeDirectory(incoming)
    System.removeDirectory(path)
  }

  /// Waits until no other connection has locked the folder, which is made when it is not there, and
  /// locks it.
  ///
  /// - Returns: What keeps it locked until it is closed; `nil` where the file system cannot do it.
  func lock() throws(ExternalFileError) -> Int32? {
    for _ in 0..<100 {
      let failure = System.makeDirectory(path, permissions: permissions)
      guard failure == 0 else { throw ExternalFileError(path, .unwritable(failure)) }
      let (descriptor, lockFailure) = System.lockDirectory(path)
      // Who had it may have removed it.
      if lockFailure != System.isMissing { return descriptor }
    }
    return nil
  }
}

// MARK: - Reading

extension ExternalFolder {
  /// The bytes of a value.
  func bytes(of reference: FileReference) throws(ExternalFileError) -> [UInt8] {
    try open(reference).bytes()
  }

  /// Why a value cannot be read; `nil` when it can.
  func problem(of reference: FileReference) -> ExternalFileError? {
    do throws(ExternalFileError) {
      _ = try open(reference)
      return nil
    } catch { return error }
  }

  /// Opens the file of a value, which another process may be moving up just now.
  func open(_ reference: FileReference) throws(ExternalFileError) -> OpenedFile {
    let usual = path(of: reference.name)
    for path in [usual, incomingPath(of: reference.name), usual] {
      if let file = try OpenedFile(path, expecting: reference.byteCount) { return file }
    }
    throw ExternalFileError(usual, .missing)
  }
}
