import Foundation

extension RawName {
  /// The absolute path of a directory without symbolic links on the way.
  ///
  /// - Throws: ``CatalogError`` when there is no such directory.
  static func directory(at path: String) throws -> RawName {
    guard let resolved = realpath(path, nil) else {
      let reason = FileSystemError(RawName(path), errno).reason
      throw CatalogError("the directory '\(path)' cannot be indexed: \(reason)")
    }
    defer { free(resolved) }
    let name = RawName(Data(bytes: resolved, count: strlen(resolved)))
    var status = stat()
    guard stat(resolved, &status) == 0, FileType(status) == .directory else {
      throw CatalogError("'\(path)' cannot be indexed: it is not a directory")
    }
    return name
  }
}
