import Foundation
import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport

/// Pictures in a gallery, whose images of more than 1000 bytes are in files.
final class Gallery: ManagedObject, ModelObject {
  var pictures: Set<Picture> {
    get { _objects(0) }
    set { _setObjects(0, newValue) }
  }

  class var entityName: String { "Gallery" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Gallery", className: "Gallery", attributes: [],
      relationships: [
        RelationshipDescription(
          "pictures", to: Picture.entityName, inverse: "gallery", isToMany: true,
          deleteRule: .cascade)
      ])
  }

  class var _propertyNames: [String] { ["pictures"] }
  class var _propertyCount: Int { 1 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Gallery.pictures, "pictures")]
  }
}

final class Picture: ManagedObject, ModelObject {
  var title: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var image: Data? {
    get { _optionalValue(1) }
    set { _setValue(1, newValue) }
  }
  var gallery: Gallery? {
    get { _object(2) }
    set { _setObject(2, newValue) }
  }

  class var entityName: String { "Picture" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Picture", className: "Picture",
      attributes: [
        AttributeDescription(
          "title", String.attributeType, defaultValue: ("" as String).attributeValue,
          rules: AttributeRules(maximumLength: 20)),
        AttributeDescription(
          "image", Data.attributeType, isOptional: true, allowsExternalStorage: true),
      ],
      relationships: [
        RelationshipDescription("gallery", to: Gallery.entityName, inverse: "pictures")
      ])
  }

  class var _propertyNames: [String] { ["title", "image", "gallery"] }
  class var _propertyCount: Int { 3 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Picture.title, "title"), (\Picture.image, "image"), (\Picture.gallery, "gallery")]
  }
}

/// A store of pictures in a folder of its own.
final class PictureStore {
  let folder: TemporaryFolder
  let path: String
  let coordinator: PersistentStoreCoordinator

  init(usesWriteAheadLog: Bool = true, mapsImages: Bool = false) throws {
    folder = try TemporaryFolder()
    path = folder.file("store.sqlite")
    let types: [any ModelObject.Type] = [Gallery.self, Picture.self]
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: .file(path),
      options: SQLiteStoreOptions(
        usesWriteAheadLog: usesWriteAheadLog, externalStorageThreshold: 1000,
        mapsExternalStorage: mapsImages))
  }

  func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

  /// The number of files, once those that are not needed are gone.
  func files() throws -> Int {
    try SQLiteStoreFile(path).compact()
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "-files")
    return names.filter { $0 != "incoming" }.count
  }

  /// Removes the files that are not needed.
  func compact() throws { try SQLiteStoreFile(path).compact() }

  /// What the check of the store finds.
  func findings() throws -> [String] { try SQLiteStoreFile(path).check() }

  /// The images in the store by title.
  func images() throws -> [String: Data] {
    try context().fetch(Picture.self).reduce(into: [:]) { $0[$1.title] = $1.image }
  }
}

/// An image that is another one for each number.
func picture(_ number: UInt8, _ count: Int = 3000) -> Data { Data(repeating: number, count: count) }
