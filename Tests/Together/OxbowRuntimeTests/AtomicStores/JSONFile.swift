import Foundation
import OxbowRuntime

/// A store in a JSON file, as a program would write it.
final class JSONFile: AtomicStore {
  let name: String

  init(_ path: String) { name = path }

  func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? {
    guard FileManager.default.fileExists(atPath: name) else { return nil }
    let data = try Data(contentsOf: URL(filePath: name))
    return try JSONDecoder().decode(AtomicStoreContents.self, from: data)
  }

  func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {
    try JSONEncoder().encode(contents()).write(to: URL(filePath: name), options: .atomic)
  }
}

/// A store in a binary property list.
final class PropertyListFile: AtomicStore {
  let name: String

  init(_ path: String) { name = path }

  func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? {
    guard FileManager.default.fileExists(atPath: name) else { return nil }
    let data = try Data(contentsOf: URL(filePath: name))
    return try PropertyListDecoder().decode(AtomicStoreContents.self, from: data)
  }

  func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    try encoder.encode(contents()).write(to: URL(filePath: name), options: .atomic)
  }
}
