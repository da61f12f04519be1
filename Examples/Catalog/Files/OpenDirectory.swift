import Foundation

/// An open directory, closed at the end of its life.
struct OpenDirectory: ~Copyable {
  private let path: RawName
  private let descriptor: Int32

  /// Opens a directory; a symbolic link is not followed.
  init(_ path: RawName) throws(FileSystemError) {
    self.path = path
    descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileSystemError(path, errno) }
  }

  deinit { close(descriptor) }

  /// What the catalog keeps of the file called `name`, or `nil` when there is no such file.
  ///
  /// - Throws: ``FileSystemError`` for a file that may not be read.
  func facts(of name: RawName) throws(FileSystemError) -> FileFacts? {
    var status = stat()
    guard fstatat(descriptor, name.cString, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      let error = FileSystemError(path.appending(name), errno)
      if error.isGone { return nil }
      throw error
    }
    guard FileType(status) == .file else { return nil }
    // Most files are everybody's to read; only the others cost a second call.
    if status.st_mode & S_IROTH == 0, faccessat(descriptor, name.cString, R_OK, 0) != 0 {
      throw FileSystemError(path.appending(name), errno)
    }
    return FileFacts(status)
  }

  /// The directory's entries, sorted by their bytes.
  func listing() throws(FileSystemError) -> DirectoryListing {
    let copy = dup(descriptor)
    guard copy >= 0 else { throw FileSystemError(path, errno) }
    guard let stream = fdopendir(copy) else {
      let error = FileSystemError(path, errno)
      close(copy)
      throw error
    }
    defer { closedir(stream) }
    var listing = DirectoryListing()
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = RawName(entry: entry)
      if name.isItselfOrParent { continue }
      listing.add(name, type(of: name, known: entry.pointee.d_type))
    }
    guard errno == 0 else { throw FileSystemError(path, errno) }
    listing.sort()
    return listing
  }

  /// The type of an entry; some file systems do not tell it with the name.
  private func type(of name: RawName, known: UInt8) -> FileType? {
    switch Int(known) {
    case Int(DT_REG): return .file
    case Int(DT_DIR): return .directory
    case Int(DT_LNK): return .symbolicLink
    case Int(DT_UNKNOWN):
      var status = stat()
      guard fstatat(descriptor, name.cString, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
      return FileType(status)
    default: return .other
    }
  }
}

extension RawName {
  fileprivate init(entry: UnsafeMutablePointer<dirent>) {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = UnsafeRawPointer(entry) + offset
    self.init(Data(bytes: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
  }

  fileprivate var isItselfOrParent: Bool {
    let point = UInt8(ascii: ".")
    return bytes.elementsEqual([point]) || bytes.elementsEqual([point, point])
  }
}
