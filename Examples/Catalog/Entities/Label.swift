import Oxbow

/// A word that people put on files.
@Entity(unique: [["name"]]) final class Label: ManagedObject {
  var name: String
  @Relationship(inverse: \.labels) var files: Set<File> = []
}
