import ArgumentParser
import Foundation
import Oxbow

/// `catalog index-version-1`: fills a store as version 1 of the catalog did, to have something to
/// migrate.
///
/// This program has no classes for version 1 of the model any more. Entities without a class have
/// plain managed objects, whose properties are read and set by name.
struct OldIndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index-version-1",
    abstract: "Indexes into a store of version 1 of the model, to try a migration on.",
    shouldDisplay: false)

  @Argument(help: "The directory at the top of the tree.")
  var directory: String

  @Option(help: ArgumentHelp("The store's file.", valueName: "file"))
  var store = "catalog.sqlite"

  func run() throws {
    try StoreOption.parse(["--store", store]).run {
      let directory = try RawName.directory(at: directory)
      let store = try PersistentContainer(.file(store), model: try Self.model())
      defer { store.close() }
      let files = try store.perform { context in
        try OldIndex(context: context).index(directory)
      }
      print("version 1: \(files) files")
    }
  }

  private static func model() throws -> ManagedObjectModel {
    let models = try Resources.path("Models")
    return try ManagedObjectModel(contentsOf: [
      models + "/Files.xcdatamodeld/Files-1.xcdatamodel", models + "/Labels.xcdatamodel",
    ])
  }
}

/// Writes a tree in one transaction.
private struct OldIndex {
  let context: ManagedObjectContext

  func index(_ directory: RawName) throws -> Int {
    let volume = try context.insert(entityNamed: "Volume")
    try volume.setValue(directory.display, for: "path")
    try volume.setValue(directory.bytes, for: "rawPath")
    var pending = [(path: directory, name: directory, parent: ManagedObject?.none)]
    var files = 0
    while let next = pending.popLast() {
      let folder = try context.insert(entityNamed: "Folder")
      try folder.setValue(next.name.display, for: "name")
      try folder.setValue(next.name.bytes, for: "rawName")
      try folder.setValue(next.path.display, for: "path")
      try folder.setObjects([volume], for: "volume")
      try folder.setObjects(next.parent.map { [$0] } ?? [], for: "parent")
      guard let listing = try? OpenDirectory(next.path).listing() else { continue }
      for name in listing.folders { pending.append((next.path.appending(name), name, folder)) }
      files += try index(listing.files, at: next.path, in: folder)
    }
    try context.save()
    return files
  }

  private func index(_ names: [RawName], at path: RawName, in folder: ManagedObject) throws -> Int {
    guard let directory = try? OpenDirectory(path) else { return 0 }
    var count = 0
    for name in names {
      guard let facts = try? directory.facts(of: name) else { continue }
      let file = try context.insert(entityNamed: "File")
      try file.setValue(name.display, for: "name")
      try file.setValue(name.bytes, for: "rawName")
      try file.setValue(Self.kind(of: name), for: "kind")
      try file.setValue(facts.size, for: "size")
      try file.setValue(facts.modified, for: "date")
      try file.setObjects([folder], for: "folder")
      count += 1
    }
    return count
  }

  /// The kind by the rule of version 1: what follows the last point of the name for people.
  private static func kind(of name: RawName) -> String {
    let parts = name.display.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[parts.count - 1]) : ""
  }
}
