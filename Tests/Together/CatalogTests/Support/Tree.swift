import Foundation

/// A folder of its own for a test, with a directory tree to index and room for stores; removed at
/// the end.
final class Tree {
  let folder: String
  let root: String

  init() throws {
    // Resolved, because the catalog names directories without symbolic links on the way.
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    folder = base + "/catalog-\(UUID().uuidString)"
    root = folder + "/tree"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  deinit {
    // `rm` goes down to paths that are longer than one call of the system may name.
    let remove = Process()
    remove.executableURL = URL(fileURLWithPath: "/bin/rm")
    remove.arguments = ["-rf", folder]
    try? remove.run()
    remove.waitUntilExit()
  }

  var store: String { folder + "/catalog.sqlite" }

  func path(_ name: String) -> String { root + "/" + name }

  /// Writes a file of `size` bytes; folders on the way are made.
  func write(_ name: String, size: Int) throws {
    let path = path(name)
    let parent = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Data(repeating: 0x2E, count: size).write(to: URL(fileURLWithPath: path))
  }

  /// Writes `folders` folders with `files` files each.
  func fill(folders: Int, files: Int) throws {
    for folder in 0..<folders {
      for file in 0..<files {
        try write("folder \(folder)/file \(file).\(file % 3 == 0 ? "txt" : "md")", size: file)
      }
    }
  }

  /// Sets the time of a file's last change.
  func touch(_ name: String, seconds: TimeInterval) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path(name))
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  /// What `find` finds: the regular files, sorted.
  func find(type: String = "f") throws -> [String] {
    let run = try ProgramRun("/usr/bin/find", [root, "-type", type])
    return run.output.split(separator: "\n").map(String.init).sorted()
  }

  /// Runs `catalog index` on the tree and reads its summary.
  func index(_ arguments: String...) throws -> IndexResult {
    let run = try ProgramRun(
      "catalog", ["index", root, "--store", store, "--json", "--quiet"] + arguments)
    return try IndexResult(run)
  }
}

/// The summary of an index run, as other programs see it.
struct IndexResult: Decodable {
  struct Rows: Decodable, Equatable {
    var inserted = 0
    var updated = 0
    var unchanged = 0
    var deleted = 0
  }

  let files: Rows
  let folders: Rows
  let bytes: Int
  let symbolicLinks: Int
  let otherEntries: Int
  let unreadable: [String]
  let workers: Int
  let workerContexts: Int
  let saves: Int
  let isInterrupted: Bool

  init(_ run: ProgramRun) throws {
    guard run.status == 0 else { throw FailedRun(run: run) }
    self = try JSONDecoder().decode(IndexResult.self, from: Data(run.output.utf8))
  }
}

struct FailedRun: Error, CustomStringConvertible {
  let run: ProgramRun
  var description: String { "exit code \(run.status)\n\(run.errors)\(run.output)" }
}
