import Foundation
import Oxbow

/// The order of a list of files.
enum FileOrder: String, CaseIterable {
  case name
  case size
  case date

  /// The order after this one; the last is followed by the first.
  var next: FileOrder {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }

  fileprivate var keys: [SortKey<File>] {
    switch self {
    case .name: [.ascending(\.name), .ascending(\.folder?.path)]
    case .size: [.descending(\.size), .ascending(\.name), .ascending(\.folder?.path)]
    case .date: [.descending(\.modified), .ascending(\.name), .ascending(\.folder?.path)]
    }
  }
}

/// What is shown of a file.
struct FileRow {
  let id: ManagedObjectID
  let name: String
  let folder: String
  let kind: String
  let size: Int
  let modified: Date
  let labels: [String]

  var isStarred: Bool { labels.contains(FileShelf.star) }
}

/// The files of the store, read page by page.
struct FileShelf: Sendable {
  /// The label of files that the user likes.
  static let star = "starred"

  let context: any ObjectContext & Sendable

  func count() throws -> Int { try context.count(File.self) }

  /// The files at some places of an order.
  func rows(_ order: FileOrder, offset: Int, limit: Int) throws -> [FileRow] {
    let files = try context.fetch(
      File.self, sortedBy: order.keys, limit: max(0, limit), offset: offset)
    try context.load("folder", of: files)
    try context.load("labels", of: files)
    let rows = files.map(FileRow.init)
    // Another program may write to the store: nothing is kept beyond the page.
    try context.reset()
    return rows
  }

  /// How many files of a kind there are, and their bytes.
  func totals(ofKind kind: String) throws -> (files: Int, bytes: Int)? {
    let found = try context.fetch(Kind.self, where: #Predicate { $0.name == kind }, limit: 1).first
    return found.map { ($0.fileCount, $0.byteCount) }
  }

  /// Gives a file the star, or takes it away, and saves.
  func toggleStar(_ id: ManagedObjectID) throws {
    do {
      let file = try context.existingObject(with: id, as: File.self)
      let name = Self.star
      let label =
        try context.fetch(Label.self, where: #Predicate { $0.name == name }, limit: 1).first
        ?? context.insert(Label.self) { $0.name = name }
      if file.labels.remove(label) == nil { file.labels.insert(label) }
      if label.files.isEmpty { try context.delete(label) }
      try context.save()
    } catch {
      try context.reset()
      throw error
    }
  }
}

extension FileRow {
  fileprivate init(_ file: File) {
    id = file.objectID
    name = file.name
    folder = file.folder?.path ?? ""
    kind = file.kind
    size = file.size
    modified = file.modified
    labels = file.labels.map(\.name).sorted()
  }
}
