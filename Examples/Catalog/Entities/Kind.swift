import Oxbow

/// What the files of one kind come to, kept in step with every save; new in version 2 of the model.
@Entity(unique: [["name"]]) final class Kind: ManagedObject {
  /// What `File.kind` says, empty for files without extension.
  var name: String
  var fileCount: Int = 0
  var byteCount: Int = 0
}
