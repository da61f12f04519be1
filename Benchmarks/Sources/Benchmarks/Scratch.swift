import Foundation
import OxbowRuntime

/// Store files of one folder, made anew for each round.
struct Scratch {
  let directory: URL
  let types: [any ModelObject.Type]

  func path(_ name: String) -> String { directory.appending(path: "\(name).sqlite").path }

  /// Removes a file and what is beside it.
  func remove(_ name: String) {
    for suffix in ["", "-wal", "-shm", "-lock"] {
      try? FileManager.default.removeItem(atPath: path(name) + suffix)
    }
  }

  /// A store without objects.
  func emptyStore(_ name: String) throws -> PersistentContainer {
    remove(name)
    return try PersistentContainer(.file(path(name)), types: types)
  }

  /// A closed file with the tables of a store and no rows.
  func emptyFile(_ name: String) throws -> String {
    try emptyStore(name).close()
    return path(name)
  }

  /// A copy of a file that is closed.
  func copy(_ name: String, as copy: String) throws -> String {
    remove(copy)
    try FileManager.default.copyItem(atPath: path(name), toPath: path(copy))
    return path(copy)
  }
}

/// Checks what a function of C returned, and turns it into nanoseconds for each of `count`.
func baseline(_ elapsed: Int64, for count: Int) throws -> Double {
  guard elapsed >= 0 else { throw BenchmarkFailure(description: "the C baseline failed") }
  return Double(elapsed) / Double(count)
}
