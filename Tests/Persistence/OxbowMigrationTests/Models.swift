import OxbowModel
import OxbowTestSupport

/// Two versions of a small library.
enum Models {
  static let first = ManagedObjectModel(entities: [
    EntityDescription(
      "Folder", attributes: [AttributeDescription("path", .string)],
      relationships: [
        RelationshipDescription(
          "files", to: "File", inverse: "folder", isToMany: true, deleteRule: .cascade)
      ], uniquenessConstraints: [["path"]]),
    EntityDescription(
      "File",
      attributes: [
        AttributeDescription("name", .string), AttributeDescription("size", .integer64),
        AttributeDescription("kind", .string, isOptional: true),
      ],
      relationships: [
        RelationshipDescription("folder", to: "Folder", inverse: "files", isOptional: false)
      ], fetchIndexes: [FetchIndexDescription("byName", elements: [.init("name")])]),
  ])

  /// One attribute renamed, one added, one entity added.
  static let second = first.changing("File") { file in
    file.attributes[1].name = "byteCount"
    file.attributes[1].renamingIdentifier = "size"
    file.attributes.append(AttributeDescription("rank", .integer32, defaultValue: .integer(7)))
    file.relationships.append(
      RelationshipDescription("labels", to: "Label", inverse: "files", isToMany: true))
  }.adding(
    EntityDescription(
      "Label", attributes: [AttributeDescription("title", .string)],
      relationships: [
        RelationshipDescription("files", to: "File", inverse: "labels", isToMany: true)
      ]))

  /// Fills the tables of the first version.
  static let rows = """
    INSERT INTO "Folder" ("_id", "_version", "path") VALUES (1, 1, '/a'), (2, 1, '/b');
    INSERT INTO "File" ("_id", "_version", "name", "size", "kind", "folder")
      VALUES (1, 1, 'one', 10, 'text', 1), (2, 4, 'two', 20, NULL, 1), (3, 1, 'three', 30, 'x', 2);
    """
}

extension ManagedObjectModel {
  func changing(_ name: String, _ change: (inout EntityDescription) -> Void) -> Self {
    ManagedObjectModel(
      entities: entities.map { entity in
        var entity = entity
        if entity.name == name { change(&entity) }
        return entity
      })
  }

  func adding(_ entity: EntityDescription) -> Self {
    ManagedObjectModel(entities: entities + [entity])
  }

  func removing(_ name: String) -> Self {
    ManagedObjectModel(entities: entities.filter { $0.name != name })
  }
}
