internal import OxbowFoundation
internal import OxbowRelational

extension CoreDataFolder {
  /// What follows the name of a store's file, without its extension, in the name of the folder of
  /// large values.
  static let suffix = "_SUPPORT"

  /// The folder below a folder that is not beside a store yet.
  init(support: String) { self.init(path: "\(support)/\(Self.name)") }

  /// The folder around it.
  var support: String { String(path.dropLast(Self.name.utf8.count + 1)) }

  private static let name = "_EXTERNAL_DATA"

  /// Writes a value into a new file, and flushes it.
  ///
  /// - Returns: What the cell has.
  func write(
    _ bytes: UnsafeRawBufferPointer, permissions: UInt32
  ) throws(ExternalFileError) -> [UInt8] {
    let name = UUID().uuidString
    try write(bytes, name, permissions: permissions)
    return TaggedCell.reference(to: name)
  }

  /// Writes a value into the file of a name, and flushes it.
  func write(
    _ bytes: UnsafeRawBufferPointer, _ name: String, permissions: UInt32
  ) throws(ExternalFileError) {
    if !System.isDirectory(path) {
      for folder in [support, path] {
        let failure = System.makeDirectory(folder, permissions: permissions)
        guard failure == 0 else { throw ExternalFileError(folder, .unwritable(failure)) }
      }
    }
    let file = "\(path)/\(name)"
    let failure = System.writeFile(file, bytes, permissions: permissions, isSynchronized: true)
    guard failure == 0 else {
      System.remove(file)
      throw ExternalFileError(file, .unwritable(failure))
    }
  }

  /// Makes the names of the values durable, and that of the folder, which may be new.
  func synchronize() throws(ExternalFileError) {
    System.synchronizeFolder(of: support)
    for folder in [path, support] {
      let failure = System.synchronizeDirectory(folder)
      guard failure == 0 else { throw ExternalFileError(folder, .unwritable(failure)) }
    }
  }

  /// Removes the folder with all values.
  func removeAll() {
    remove(System.names(in: path).filter(FileReference.isName))
  }
}
