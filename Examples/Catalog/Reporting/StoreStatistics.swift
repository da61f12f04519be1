import Foundation
import Oxbow

/// Answers a report's questions by sums, rows, and fetches with predicates, sort keys and limits.
@Component final class StoreStatistics: CatalogStatistics, Sendable {
  private let context: any ObjectContext & Sendable
  private let counted: Totals

  /// Counts the whole store: what the lazy proxy puts off.
  init(context: any ObjectContext & Sendable) throws {
    self.context = context
    // The rows of kinds keep the bytes, so no file is read.
    let kinds = try context.aggregate(Kind.self, where: #Predicate { $0.fileCount > 0 }) {
      (count: $0.count(), bytes: $0.sum(\.byteCount))
    }
    counted = Totals(
      files: try context.count(File.self),
      folders: try context.count(Folder.self), kinds: kinds.first?.count ?? 0,
      bytes: kinds.first?.bytes ?? 0)
  }

  func totals() throws -> Totals { counted }

  func volumes() throws -> [String] {
    try context.fetch(Volume.self, sortedBy: [.ascending(\.path)]).map(\.path)
  }

  func largestKinds(limit: Int) throws -> [KindTotal] {
    let kinds = try context.fetch(
      Kind.self, where: #Predicate { $0.fileCount > 0 },
      sortedBy: [.descending(\.byteCount), .ascending(\.name)], limit: limit)
    return kinds.map {
      KindTotal(kind: $0.name, files: $0.fileCount, bytes: $0.byteCount)
    }
  }

  func largestFiles(limit: Int) throws -> [FileEntry] {
    let files = try context.fetch(
      File.self, sortedBy: Self.bySize, limit: limit)
    return files.map { FileEntry(path: $0.path, bytes: $0.size) }
  }

  func fullestFolder() throws -> FolderTotal? {
    let folders = try context.fetch(
      Folder.self, where: #Predicate { $0.byteCount > 0 },
      sortedBy: [.descending(\.byteCount), .ascending(\.path)], limit: 1)
    guard let folder = folders.first else { return nil }
    let files = try context.count(File.self, where: .equal("folder", folder))
    return FolderTotal(path: folder.path, files: files, bytes: folder.byteCount)
  }

  func labels() throws -> [LabelTotal] {
    let request = RowRequest(
      "Label", ["name", "files.@count as files"], sortedBy: [.ascending("name")])
    return try context.fetchRows(request).map { row in
      LabelTotal(
        label: try row.value("name", as: String.self) ?? "",
        files: try row.value("files", as: Int.self) ?? 0)
    }
  }
}

// MARK: - Duplicates

extension StoreStatistics {
  private static let pageSize = 1000

  /// Files of one size and name are neighbours in the order of size and name, so pages of that
  /// order are enough, and a group that crosses pages is continued.
  func likelyDuplicates(limit: Int, among: Int) throws -> [DuplicateGroup] {
    var groups: [DuplicateGroup] = []
    var run = DuplicateRun()
    var offset = 0
    while offset < among, groups.count < limit {
      let files = try context.fetch(
        File.self, where: #Predicate { $0.size > 0 }, sortedBy: Self.bySize,
        limit: min(Self.pageSize, among - offset), offset: offset)
      for file in files {
        if let ended = run.add(file), groups.count < limit { groups.append(ended) }
      }
      offset += files.count
      if files.count < Self.pageSize { break }
    }
    if groups.count < limit, let last = run.end() { groups.append(last) }
    return groups
  }

  /// The largest files first, those of one size and name beside each other.
  private static var bySize: [SortKey<File>] {
    [.descending(\.size), .ascending(\.name), .ascending(\.folder?.path)]
  }
}

/// Files of one size and name that followed each other so far.
private struct DuplicateRun {
  private var name = ""
  private var size = -1
  private var folders: [String] = []

  /// Adds a file; returns the group before it when it begins a new one.
  mutating func add(_ file: File) -> DuplicateGroup? {
    let folder = file.folder?.path ?? ""
    if file.size == size, file.name == name {
      folders.append(folder)
      return nil
    }
    let ended = end()
    (name, size, folders) = (file.name, file.size, [folder])
    return ended
  }

  func end() -> DuplicateGroup? {
    folders.count > 1 ? DuplicateGroup(name: name, bytes: size, folders: folders) : nil
  }
}

extension File {
  /// The whole path, for people.
  var path: String {
    guard let folder else { return name }
    return folder.path == "/" ? "/\(name)" : "\(folder.path)/\(name)"
  }
}
