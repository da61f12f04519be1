internal import OxbowDocuments
internal import OxbowModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Files that a command writes.
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

  static func makeFolder(_ path: String) throws(PersistenceError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw PersistenceError(.ioFailure, "the folder '\(path)' cannot be made")
    }
  }

  /// Runs `body` with the path of a folder that is gone afterwards.
  static func withTemporaryFolder<R>(_ purpose: String, _ body: (URL) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "oxbow-\(purpose)-\(UUID().uuidString)")
    try makeFolder(folder.path)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  /// Writes a file and returns `true`, or leaves it when it has the text already.
  static func write(_ text: String, to path: String) throws(PersistenceError) -> Bool {
    if try Self.text(of: path) == text { return false }
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
      return true
    } catch {
      throw PersistenceError(.ioFailure, "'\(path)' cannot be written")
    }
  }
}
