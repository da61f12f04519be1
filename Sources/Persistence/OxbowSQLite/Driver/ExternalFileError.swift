internal import OxbowModel

/// A file of a large value that cannot be read or written.
struct ExternalFileError: Error, Hashable, Sendable {
  let path: String
  let reason: Reason

  enum Reason: Hashable, Sendable {
    case missing
    case damaged(byteCount: Int, expected: Int)
    /// With the number of the system's error.
    case unreadable(Int32)
    case unwritable(Int32)
  }

  init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

extension PersistenceError {
  /// A value that cannot be read; `place` says whose it is, as in "the column 'x' of …".
  static func unreadable(_ place: String, _ error: ExternalFileError) -> PersistenceError {
    PersistenceError(
      error.code, "\(place) has its value in the file '\(error.path)', \(error.explanation)")
  }

  /// A value that cannot be written.
  static func unwritable(_ value: String, _ error: ExternalFileError) -> PersistenceError {
    PersistenceError(
      error.code, "\(value) belongs in '\(error.path)', \(error.explanation)")
  }

  /// A file that does not belong to a value.
  init(_ error: ExternalFileError) {
    self.init(
      error.code, "a value of the store is in the file '\(error.path)', \(error.explanation)")
  }
}

extension ExternalFileError {
  /// What a check of the store says of it.
  var finding: String {
    switch reason {
    case .missing: "the file '\(path)' of a value is missing"
    case .damaged(let count, let expected):
      "the file '\(path)' of a value has \(count) bytes, and \(expected) were written"
    case .unreadable(let number), .unwritable(let number):
      "the file '\(path)' of a value cannot be read: \(System.message(number))"
    }
  }

  /// That the system has no more files to open.
  private var outOfFiles: OutOfFiles? {
    switch reason {
    case .missing, .damaged: nil
    case .unreadable(let number), .unwritable(let number): OutOfFiles(path, number)
    }
  }

  fileprivate var code: PersistenceError.Code {
    switch reason {
    case _ where outOfFiles != nil: .tooManyFiles
    case .missing, .damaged: .invalidStoredValue
    case .unreadable: .ioFailure
    case .unwritable(let number): System.isDiskFull(number) ? .storeFull : .ioFailure
    }
  }

  fileprivate var explanation: String {
    if let outOfFiles { return "which " + outOfFiles.reason }
    return switch reason {
    case .missing:
      "which is not there; nothing was changed: the folder belongs to the store's file, and both "
        + "are copied and moved together; put the file back from a backup"
    case .damaged(let count, let expected):
      "which has \(count) bytes, and \(expected) were written; nothing was changed: put the file "
        + "back from a backup"
    case .unreadable(let number):
      "which cannot be read (\(System.message(number))); nothing was changed: check who may read "
        + "it, and the disk"
    case .unwritable(let number) where System.isDiskFull(number):
      "for which the disk has no room; nothing was saved: free space there"
    case .unwritable(let number) where System.isInTheWay(number):
      "which must be a folder, but is not; nothing was saved: move away what has this name"
    case .unwritable(let number):
      "which cannot be written (\(System.message(number))); nothing was saved: check that the "
        + "store's folder is there and that this user may write it"
    }
  }
}
