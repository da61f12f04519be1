import OxbowDocuments
import OxbowModel
import Testing

/// The mark of attributes whose values may be in files beside the store.
@Suite struct ExternalStorageModelTests {
  /// Reads a document whose second line is the first of `body`.
  private func read(_ body: String) throws -> ModelDocument {
    try ModelDocument(
      Array("<model><!--\n-->\(body)\n</model>".utf8), file: "m")
  }

  private func album(_ attribute: AttributeDescription, _ others: AttributeDescription...)
    -> EntityDescription
  {
    EntityDescription("Album", attributes: [attribute] + others)
  }

  private func problem(_ entities: EntityDescription...) -> String? {
    do {
      try ManagedObjectModel(entities: entities).validate()
      return nil
    } catch { return error.message }
  }

  private let photo = AttributeDescription(
    "photo", .binaryData, isOptional: true, allowsExternalStorage: true)

  @Test func `PG-17 a model file says which attributes may be in files, and keeps saying it`()
    throws
  {
    let document = try read(
      """
      <entity name="Album">
      <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="notes" optional="YES" attributeType="Transformable" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="thumb" optional="YES" attributeType="Binary"/>
      <attribute name="title" optional="YES" attributeType="String"/>
      </entity>
      """)
    #expect(document.notes.isEmpty)
    let attributes = document.model.entities[0].attributes
    #expect(attributes.filter(\.allowsExternalStorage).map(\.name).sorted() == ["notes", "photo"])
    let text = try ModelWriter.text(document.model)
    #expect(try ModelDocument(Array(text.utf8), file: "copy").model == document.model)
    #expect(text.split(separator: "allowsExternalBinaryDataStorage=\"YES\"").count == 3)
  }

  @Test func `PG-17 a mark that Xcode left on another type is noted and not used`() throws {
    let document = try read(
      """
      <entity name="A">
      <attribute name="s" optional="YES" attributeType="String" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="t" optional="YES" transient="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      </entity>
      """)
    #expect(
      document.notes.map(\.description) == [
        "m:3:1: note: \"allowsExternalBinaryDataStorage\" is not used: type String is kept in rows",
        "m:4:1: note: \"allowsExternalBinaryDataStorage\" is not used: a transient attribute is in no store",
      ])
    #expect(document.model.entities[0].attributes.allSatisfy { !$0.allowsExternalStorage })
  }

  @Test func `PG-17 the mark is not part of the version hash, and of equality`() {
    var plain = photo
    plain.allowsExternalStorage = false
    #expect(album(photo).versionHash == album(plain).versionHash)
    #expect(photo != plain)
  }

  @Test func `PG-17 only data can be in files`() {
    #expect(problem(album(photo)) == nil)
    #expect(
      problem(album(AttributeDescription("title", .string, allowsExternalStorage: true)))
        == "attribute 'title' of entity 'Album' allows external storage, and has the type String; "
        + "only Binary and Transformable can be in files")
    #expect(
      problem(
        album(
          AttributeDescription(
            "photo", .binaryData, isTransient: true, allowsExternalStorage: true)))
        == "attribute 'photo' of entity 'Album' allows external storage and is transient; a value in "
        + "memory only is in no file")
  }

  @Test func `PG-17 what may be in files is in no index and not unique, and nothing is made of it`()
  {
    var unique = album(photo)
    unique.uniquenessConstraints = [["photo"]]
    #expect(problem(unique)?.contains("values in files are not compared") == true)
    var indexed = album(photo)
    indexed.fetchIndexes = [FetchIndexDescription("byPhoto", elements: [.init("photo")])]
    #expect(problem(indexed)?.hasPrefix("fetch index 'byPhoto' of entity 'Album'") == true)
    let copy = AttributeDescription(
      "copy", .binaryData, isOptional: true, derivation: "photo")
    #expect(
      problem(album(photo, copy))
        == "attribute 'copy' of entity 'Album' is derived from 'photo', and 'photo' allows external "
        + "storage: a value in a file is not copied")
  }

  @Test func `PG-17 a part of a composite attribute may be in files`() {
    let cover = AttributeDescription(
      composite: "cover", of: "Cover", elements: [photo, AttributeDescription("hint", .string)])
    let model = ManagedObjectModel(entities: [album(cover)])
    #expect(problem(album(cover)) == nil)
    let leaves = model.flattened.entities[0].attributes.filter(\.allowsExternalStorage)
    #expect(leaves.map(\.name) == ["cover.photo"])
    var marked = cover
    marked.allowsExternalStorage = true
    #expect(problem(album(marked))?.contains("has the type Composite") == true)
  }

  @Test func `PG-17 models that disagree about it are not merged silently`() throws {
    var plain = photo
    plain.allowsExternalStorage = false
    let error = #expect(throws: PersistenceError.self) {
      _ = try ManagedObjectModel.merging([
        ManagedObjectModel(entities: [album(photo)]), ManagedObjectModel(entities: [album(plain)]),
      ])
    }
    #expect(
      error?.description.contains(
        "the \"external storage\" of attribute 'photo' is 'yes' in one and 'no' in the other")
        == true)
  }
}
