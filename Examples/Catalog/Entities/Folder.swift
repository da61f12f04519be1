import Foundation
import Oxbow

/// A directory.
@Entity(unique: [["parent", "rawName"]]) final class Folder: ManagedObject {
  var name: String
  /// The bytes of the name, which need not be text.
  var rawName: Data
  /// The whole path, for people.
  var path: String
  /// The size of the files that lie in the directory itself; new in version 2 of the model.
  var byteCount: Int = 0
  @Relationship(inverse: \.folders, optional: false) var volume: Volume?
  @Relationship(inverse: \.folders) var parent: Folder?
  @Relationship(.cascade, inverse: \.parent) var folders: Set<Folder> = []
  @Relationship(.cascade, inverse: \.folder) var files: Set<File> = []
}
