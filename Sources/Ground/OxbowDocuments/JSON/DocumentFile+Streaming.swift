internal import OxbowFoundation

extension DocumentFile {
  /// Runs `body` with a source of the bytes of a file, block by block.
  package static func reading<R, Failure: Error>(
    _ path: String, _ body: (@escaping JSONElements.Source) throws(Failure) -> R,
    failure: @escaping (DocumentError) -> Failure
  ) throws(Failure) -> R {
    guard let file = fopen(path, "rb") else { throw failure(unreadable(path, errno)) }
    defer { fclose(file) }
    return try body { () throws(DocumentError) in
      var block = [UInt8](repeating: 0, count: 1 << 16)
      let count = fread(&block, 1, block.count, file)
      if ferror(file) != 0 { throw unreadable(path, errno) }
      return count == 0 ? nil : Array(block[..<count])
    }
  }

  /// Writes a file while its bytes arrive, under a temporary name until all are written.
  ///
  /// A file that exists is replaced at the end, by one with its permissions, and is kept if `body`
  /// throws. A link stays a link.
  package static func writing<R, Failure: Error>(
    _ path: String, _ body: ((_ bytes: [UInt8]) throws(Failure) -> Void) throws(Failure) -> R,
    failure: @escaping (DocumentError) -> Failure
  ) throws(Failure) -> R {
    let path = resolvedPath(path) ?? path
    let draft = "\(path).\(UInt64.random(in: .min ... .max)).part"
    guard let file = fopen(draft, "wbx") else { throw failure(unwritable(path, errno)) }
    var isOpen = true
    defer {
      if isOpen { fclose(file) }
      unlink(draft)
    }
    var former = stat()
    if stat(path, &former) == 0, fchmod(fileno(file), former.st_mode & 0o7777) != 0 {
      throw failure(unwritable(path, errno))
    }
    let result = try body { (bytes) throws(Failure) in
      guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
        throw failure(unwritable(path, errno))
      }
    }
    guard fflush(file) == 0, fsync(fileno(file)) == 0 else {
      throw failure(unwritable(path, errno))
    }
    isOpen = false
    guard fclose(file) == 0, rename(draft, path) == 0 else {
      throw failure(unwritable(path, errno))
    }
    return result
  }
}
