internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowModel

enum WrittenFile {
  /// The text of a file, or `nil` when there is none.
  static func text(of path: String) throws(PersistenceError) -> String? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do throws(DocumentError) {
      return String(decoding: try DocumentFile.bytes(of: path), as: UTF8.self)
    } catch {
      throw PersistenceError(.ioFailure, error.message)
    }
  }

  /// Runs `body` with the path of a folder that is gone afterwards.
  static func withTemporaryFolder<R>(_ purpose: String, _ body: (URL) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "oxbow-\(purpose)-\(UUID().uuidString)")
    try TextFile.makeFolder(folder.path, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  /// Runs `body` while no other tool writes into a folder.
  ///
  /// The number of a new file follows from those that are there: two tools at once would both take
  /// it, and one of two files of the same name would be gone.
  static func takingTurns<R>(in folder: String, _ body: () throws -> R) rethrows -> R {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    // Where there is no folder, `body` says so; not all file systems have locks.
    guard descriptor >= 0 else { return try body() }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }

  /// Writes a file and returns `true`, or leaves it when it has the text already.
  static func write(_ text: String, to path: String) throws(PersistenceError) -> Bool {
    if try Self.text(of: path) == text { return false }
    try TextFile.write(text, to: path)
    return true
  }
}
