import FoundationEssentials

/// A directory for one test, removed with everything in it.
final class Scratch: Sendable {
  let path: String
  private let isRemoved: Bool

  init() throws {
    isRemoved = true
    path = FileManager.default.temporaryDirectory.path + "/oxbow-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A directory that is there, and is somebody else's to remove.
  init(path: String) {
    self.path = path
    isRemoved = false
  }

  deinit {
    guard isRemoved else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String = "store.sqlite") -> String { path + "/" + name }

  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: file(name)))
    return file(name)
  }

  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
