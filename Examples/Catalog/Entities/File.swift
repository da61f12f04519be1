import Foundation
import Oxbow

/// A regular file.
@Entity(
  unique: [["folder", "rawName"]],
  indexes: [
    FetchIndexDescription(
      "bySize", elements: [.init("size", isAscending: false), .init("name")]),
    FetchIndexDescription("byKind", elements: [.init("kind")]),
  ])
final class File: ManagedObject {
  var name: String
  /// The bytes of the name, which need not be text.
  var rawName: Data
  var size: Int = 0
  /// When the content was last changed; version 1 of the model calls it `date`.
  @Attribute(renamedFrom: "date") var modified: Date
  /// The name's extension in lower case, empty for none.
  var kind: String
  @Relationship(inverse: \.files, optional: false) var folder: Folder?
  /// Declared by the second model document, which extends the entity.
  @Relationship(inverse: \.files) var labels: Set<Label> = []
}
