import Foundation
import Oxbow

/// Labels, whose names are unique.
@Repository protocol Labels: Repository<Label> {
  func first(name: String) throws -> Label?
}

/// Labels and the files that have them.
@Component final class LabelRepository: Labels, Stored, Sendable {
  let context: any ObjectContext & Sendable

  init(context: any ObjectContext & Sendable) { self.context = context }

  /// Puts a label on the files whose names match a pattern.
  ///
  /// - Returns: How many files have it now, and how many of them are new.
  func add(_ name: String, to pattern: NamePattern) throws -> (files: Int, new: Int) {
    let label = try first(name: name) ?? insert { $0.name = name }
    let found = Set(try files(matching: pattern))
    let before = label.files.count
    label.files.formUnion(found)
    let after = label.files.count
    try save()
    return (after, after - before)
  }

  /// Takes a label off the files whose names match a pattern; a label without files goes.
  ///
  /// - Returns: How many files lost it.
  func remove(_ name: String, from pattern: NamePattern) throws -> Int {
    guard let label = try first(name: name) else {
      throw CatalogError("there is no label '\(name)'; `catalog label list` names all")
    }
    let before = label.files
    let after = before.filter { !pattern.matches($0.name) }
    label.files = after
    if after.isEmpty { try delete(label) }
    try save()
    return before.count - after.count
  }

  /// The paths of the files that have a label.
  func paths(_ name: String) throws -> [String] {
    try context.fetch(
      File.self, where: #Predicate { $0.labels.contains { $0.name == name } },
      sortedBy: [.ascending(\.folder?.path), .ascending(\.name)]
    ).map(\.path)
  }

  private func files(matching pattern: NamePattern) throws -> [File] {
    try context.fetch(File.self, where: pattern.predicate)
      .filter { pattern.matches($0.name) }
  }
}
