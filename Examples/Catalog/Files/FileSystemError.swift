import Foundation

/// A file or directory that could not be read.
struct FileSystemError: Error, Hashable {
  let path: String
  let code: Int32

  init(_ path: RawName, _ code: Int32) {
    self.path = path.display
    self.code = code
  }

  /// Whether there is nothing at the path any more.
  var isGone: Bool { code == ENOENT }

  var reason: String {
    switch code {
    case EACCES, EPERM: "permission denied"
    case ENOENT: "no such file or directory"
    case ENOTDIR: "not a directory"
    case ELOOP: "a symbolic link"
    case ENAMETOOLONG: "the path is too long"
    case EMFILE, ENFILE: "too many open files"
    case EIO: "input/output error"
    default: "error \(code) of the system"
    }
  }
}

extension FileSystemError: CustomStringConvertible {
  var description: String { "'\(path)': \(reason)" }
}
