import OxbowDocuments
import OxbowModel
import Testing

/// The mark of attributes whose words a store keeps an index of.
@Suite struct SearchModelTests {
  /// Reads a document whose second line is the first of `body`.
  private func read(_ body: String) throws -> ModelDocument {
    try ModelDocument(Array("<model><!--\n-->\(body)\n</model>".utf8), file: "m")
  }

  private func problem(_ attribute: AttributeDescription) -> String? {
    let note = EntityDescription(
      "Note",
      attributes: [AttributeDescription("text", .string, isOptional: true), attribute])
    do {
      try ManagedObjectModel(entities: [note]).validate()
      return nil
    } catch { return error.message }
  }

  private let body = AttributeDescription("body", .string, isOptional: true, search: .words)

  @Test func `PS-15 a model file says which words are kept in its user info, and keeps saying it`()
    throws
  {
    let document = try read(
      """
      <entity name="Note">
      <attribute name="body" optional="YES" attributeType="String">
      <userInfo><entry key="search" value="words"/><entry key="unit" value="none"/></userInfo>
      </attribute>
      <attribute name="title" optional="YES" attributeType="String">
      <userInfo><entry key="search" value="by hand"/></userInfo>
      </attribute>
      <attribute name="name" optional="YES" attributeType="String">
      <userInfo><entry key="search" value="substrings"/></userInfo>
      </attribute>
      <attribute name="text" optional="YES" attributeType="String">
      <userInfo><entry key="search" value="substrings,words"/></userInfo>
      </attribute>
      <attribute name="twice" optional="YES" attributeType="String">
      <userInfo><entry key="search" value="words, words"/></userInfo>
      </attribute>
      </entity>
      """)
    #expect(document.notes.isEmpty)
    let attributes = document.model.entities[0].attributes
    let read = try #require(attributes.first { $0.name == "body" })
    #expect(read.search == .words)
    #expect(read.userInfo == ["unit": "none"])
    let other = try #require(attributes.first { $0.name == "title" })
    #expect(other.search.isEmpty)
    #expect(other.userInfo == ["search": "by hand"])
    #expect(attributes.first { $0.name == "name" }?.search == .substrings)
    #expect(attributes.first { $0.name == "text" }?.search == [.words, .substrings])
    #expect(attributes.first { $0.name == "text" }?.search.documentText == "words, substrings")
    #expect(attributes.first { $0.name == "twice" }?.search == [])
    let text = try ModelWriter.text(document.model)
    #expect(try ModelDocument(Array(text.utf8), file: "copy").model == document.model)
  }

  @Test func `PS-15 the mark is not part of the version hash, and of equality`() {
    var plain = body
    plain.search = []
    #expect(plain != body)
    #expect(
      EntityDescription("Note", attributes: [plain]).versionHash
        == EntityDescription("Note", attributes: [body]).versionHash)
  }

  @Test func `PS-15 what has no words in rows is refused by name`() {
    #expect(problem(body) == nil)
    #expect(
      problem(AttributeDescription("body", .binaryData, isOptional: true, search: .words))?
        .contains(
          "attribute 'body' of entity 'Note' asks for an index of its words, and has the type Binary; "
            + "only a String has any") == true)
    #expect(
      problem(
        AttributeDescription(
          "body", .date, isOptional: true, search: [.words, .substrings]))?
        .contains("asks for an index of its words and substrings, and has the type Date") == true)
    #expect(
      problem(
        AttributeDescription(
          "body", .string, isOptional: true, isTransient: true, search: .words))?.contains(
          "is transient; no store has its values") == true)
    #expect(
      problem(
        AttributeDescription(
          "body", .string, isOptional: true, derivation: "canonical:(text)", search: .words))?
        .contains("is derived; search what it is made of") == true)
  }

  @Test func `PS-15 models that declare it differently are not merged`() {
    var plain = body
    plain.search = []
    let models = [body, plain].map {
      ManagedObjectModel(entities: [EntityDescription("Note", attributes: [$0])])
    }
    #expect(throws: PersistenceError.self) { try ManagedObjectModel.merging(models) }
  }
}
