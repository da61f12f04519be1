import Foundation
import OxbowRuntime

/// A store in a file to which each save appends a line: what has changed, and nothing else.
final class LogFile: AtomicStore, @unchecked Sendable {
  // Sendable by argument: a coordinator calls a store from one thread at a time.

  let name: String
  private var failsNext = false

  private struct Line: Codable {
    var metadata: AtomicStoreMetadata
    var changed: [AtomicStoreObject]
    var deleted: [AtomicStoreObject.ID]
  }

  struct Torn: Error {}

  init(_ path: String) { name = path }

  /// Makes the next save fail when half of its line is written.
  func failNextSave() { failsNext = true }

  func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? {
    guard let data = FileManager.default.contents(atPath: name) else { return nil }
    var objects: [AtomicStoreObject.ID: AtomicStoreObject] = [:]
    var metadata: AtomicStoreMetadata?
    // What follows the last line break was never acknowledged.
    for text in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    {
      let line = try JSONDecoder().decode(Line.self, from: text)
      metadata = line.metadata
      for id in line.deleted { objects[id] = nil }
      for object in line.changed { objects[object.id] = object }
    }
    guard let metadata else { throw CocoaError(.fileReadCorruptFile) }
    return AtomicStoreContents(metadata: metadata, objects: Array(objects.values))
  }

  func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {
    let line = Line(
      metadata: changes.metadata, changed: changes.changed, deleted: changes.deleted)
    var data = try JSONEncoder().encode(line) + Data("\n".utf8)
    let fails = failsNext
    failsNext = false
    if fails { data = data.prefix(data.count / 2) }
    if !FileManager.default.fileExists(atPath: name) {
      _ = FileManager.default.createFile(atPath: name, contents: nil)
    }
    let file = try FileHandle(forWritingTo: URL(filePath: name))
    defer { try? file.close() }
    let end = try file.seekToEnd()
    try file.write(contentsOf: data)
    try file.synchronize()
    if fails {
      try file.truncate(atOffset: end)
      throw Torn()
    }
  }
}
