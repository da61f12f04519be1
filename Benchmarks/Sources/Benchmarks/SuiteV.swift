import CBaseline
import Foundation
import OxbowRuntime

/// A part of suite V that the command line tool cannot measure: a batched step in Swift, which is
/// compared with C that reads and writes the same rows in transactions of the same size.
struct SuiteV {
  let directory: URL
  private let rows = 1_000_000
  private let batch = 5000

  func run(_ selection: [Substring]) throws {
    let original = try store()
    switch selection {
    case []:
      let medians = try interleaved(rounds: 3, [{ try ours(original) }, { try theirs(original) }])
      print(
        Measurement(
          suite: "V", name: "a batched step over \(rows) rows", ours: medians[0], baseline: "C",
          theirs: medians[1], target: "2.5"
        ).line)
    case ["ours"]: for _ in 0..<3 { print("V\t\(Int(try ours(original))) ns/row") }
    default:
      throw BenchmarkFailure(
        description: "suite V has the part ours, not \(selection.joined(separator: "/"))")
    }
  }

  private var folder: String { directory.appending(path: "batched").path }

  private var model: ManagedObjectModel {
    ManagedObjectModel(entities: [Mixed.entityDescription])
  }

  /// A store with rows, made by the first step of a folder whose second step is in Swift.
  private func store() throws -> URL {
    let url = directory.appending(path: "batched.sqlite")
    guard !FileManager.default.fileExists(atPath: url.path) else { return url }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try MigrationSequence(folder: folder).addModelStep(named: "initial", to: model)
    try StoreMigrations(.automatic, folder: folder).prepare(url.path, for: model)
    guard baseline_insert(url.path, Int64(rows)) >= 0 else {
      throw BenchmarkFailure(description: "the C baseline failed")
    }
    _ = try MigrationSequence(folder: folder).addCodeStep(named: "notes", run: "benchmarks V")
    return url
  }

  private func copy(_ original: URL) throws -> String {
    let copy = directory.appending(path: "batched-copy.sqlite").path
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: copy + suffix)
    }
    try FileManager.default.copyItem(atPath: original.path, toPath: copy)
    sync()
    return copy
  }

  private func ours(_ original: URL) throws -> Double {
    let path = try copy(original)
    let step = CodeStep.batched("notes", over: "Mixed", size: batch) { row, _ in
      guard case .string(let name)? = try row.value("name") else { return }
      try row.setValue(.string(name + "!"), for: "note")
    }
    return try nanoseconds {
      try StoreMigrations(.automatic, folder: folder, steps: [step]).prepare(path, for: model)
    } / Double(rows)
  }

  private func theirs(_ original: URL) throws -> Double {
    let path = try copy(original)
    var count: Int64 = 0
    let elapsed = baseline_update(path, Int32(batch), &count)
    guard elapsed >= 0, count == Int64(rows) else {
      throw BenchmarkFailure(description: "the C baseline failed")
    }
    return Double(elapsed) / Double(rows)
  }
}
