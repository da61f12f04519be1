import Foundation
import Oxbow

/// A directory that was indexed with everything below it.
@Entity(unique: [["rawPath"]]) final class Volume: ManagedObject {
  /// The directory's path, for people.
  var path: String
  /// The bytes of the path, which need not be text.
  var rawPath: Data
  /// The directory itself and all directories below it.
  @Relationship(.cascade, inverse: \.volume) var folders: Set<Folder> = []
}
