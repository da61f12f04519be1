import Foundation

/// What is in a directory.
struct DirectoryListing: Sendable {
  var folders: [RawName] = []
  var files: [RawName] = []
  /// Symbolic links, which are not followed.
  var links = 0
  /// Sockets, pipes and devices.
  var others = 0

  mutating func add(_ name: RawName, _ type: FileType?) {
    switch type {
    case .directory: folders.append(name)
    case .file: files.append(name)
    case .symbolicLink: links += 1
    case .other: others += 1
    case nil: break  // It is gone already.
    }
  }

  /// Orders the names, so that two runs over a tree give equal rows.
  mutating func sort() {
    folders.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    files.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}

/// What an entry of a directory is.
enum FileType: Sendable {
  case file, directory, symbolicLink, other

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .symbolicLink
    default: self = .other
    }
  }
}

/// What the catalog keeps of a file.
struct FileFacts: Hashable, Sendable {
  let size: Int
  let modified: Date

  init(_ status: stat) {
    size = Int(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    // The store keeps seconds since 2001, so what is read again is equal to the last bit.
    let seconds = Double(time.tv_sec) - Date.timeIntervalBetween1970AndReferenceDate
    modified = Date(timeIntervalSinceReferenceDate: seconds + Double(time.tv_nsec) / 1e9)
  }
}
