import OxbowDocuments
import OxbowModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct ModelDocumentTests {
  private func read(_ body: String) throws(PersistenceError) -> ModelDocument {
    let text = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
      lastSavedToolsVersion="1" systemVersion="1" userDefinedModelVersionIdentifier="v1">
      \(body)
      </model>
      """
    return try ModelDocument(Array(text.utf8), file: "m")
  }

  private func error(_ body: String) -> String {
    do throws(PersistenceError) {
      _ = try read(body)
      return "no error"
    } catch {
      return error.description
    }
  }

  @Test func `an entity is read with everything it has`() throws {
    let document = try read(
      """
      <entity name="Book" representedClassName=".Book" parentEntity="Item" isAbstract="YES"
        elementID="Tome" versionHashModifier="2" syncable="YES" codeGenerationType="class">
        <attribute name="title" optional="YES" attributeType="String" defaultValueString=""
          minValueString="1" maxValueString="9" elementID="name" versionHashModifier="x">
          <userInfo><entry key="a" value="b"/></userInfo>
        </attribute>
        <attribute name="old" attributeType="Integer 16" indexed="YES" defaultValueString="7"/>
        <relationship name="authors" optional="YES" toMany="YES" ordered="YES" minCount="1"
          maxCount="3" deletionRule="Cascade" destinationEntity="Author" inverseName="books"
          inverseEntity="Author"/>
        <relationship name="shelf" maxCount="1" ordered="YES" deletionRule="Deny"
          destinationEntity="Shelf"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="title"/><constraint value="old"/></uniquenessConstraint>
        </uniquenessConstraints>
        <fetchIndex name="byTitle">
          <fetchIndexElement property="title" type="Binary" order="descending"/>
        </fetchIndex>
        <compoundIndexes><compoundIndex><index value="title"/><index value="old"/></compoundIndex></compoundIndexes>
        <userInfo><entry key="k" value="v"/></userInfo>
      </entity>
      <elements><element name="Book" positionX="0" positionY="0" width="1" height="1"/></elements>
      """)
    let expected = EntityDescription(
      "Book", className: "Book", parent: "Item", isAbstract: true,
      attributes: [
        AttributeDescription(
          "title", .string, isOptional: true, defaultValue: .string(""), renamingIdentifier: "name",
          versionHashModifier: "x", rules: AttributeRules(minimumLength: 1, maximumLength: 9),
          userInfo: ["a": "b"]),
        AttributeDescription("old", .integer16, defaultValue: .integer(7)),
      ],
      relationships: [
        RelationshipDescription(
          "authors", to: "Author", inverse: "books", isToMany: true, isOrdered: true,
          deleteRule: .cascade, minimumCount: 1, maximumCount: 3),
        RelationshipDescription("shelf", to: "Shelf", isOptional: false, deleteRule: .deny),
      ],
      uniquenessConstraints: [["title", "old"]],
      fetchIndexes: [
        FetchIndexDescription("byTitle", elements: [.init("title", isAscending: false)]),
        FetchIndexDescription("title_old", elements: [.init("title"), .init("old")]),
        FetchIndexDescription("old", elements: [.init("old")]),
      ],
      renamingIdentifier: "Tome", versionHashModifier: "2", userInfo: ["k": "v"])
    #expect(document.model.entities == [expected])
    #expect(document.model.versionIdentifiers == ["v1"])
    #expect(document.notes.isEmpty)
    #expect(document.model.entities[0].location?.description == "m:3:1")
    #expect(document.model.entities[0].attributes[0].location?.description == "m:5:3")
  }

  @Test(arguments: [
    ("Integer 64", "-5", AttributeValue.integer(-5)), ("Integer 32", "0.0", .integer(0)),
    ("Integer 32", "NO", .integer(0)), ("Boolean", "YES", .boolean(true)),
    ("Boolean", "0", .boolean(false)), ("Boolean", "0.0", .boolean(false)),
    ("Double", "1e3", .double(1000)), ("Float", "0.5", .double(0.5)),
    ("Decimal", "12.50", .decimal(Decimal(1250) / 100)), ("String", " x ", .string(" x ")),
    (
      "UUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
      .uuid(
        UUID(
          uuid: (
            0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E,
            0x6E,
            0x5F
          )))
    ),
  ])
  func `default values are read as their type`(type: String, text: String, value: AttributeValue)
    throws
  {
    let document = try read(
      "<entity name='A'><attribute name='a' attributeType='\(type)' defaultValueString='\(text)'/></entity>"
    )
    #expect(document.model.entities[0].attributes[0].defaultValue == value)
  }

  @Test func `dates and rules are read from intervals`() throws {
    let document = try read(
      """
      <entity name='A'><attribute name='a' attributeType='Date' defaultDateTimeInterval='60'
      minDateTimeInterval='0' minValueString='in 2001' maxDateTimeInterval='1e9'/>
      <attribute name='b' attributeType='Decimal' minValueString='-1' maxValueString='2.5'/></entity>
      """)
    let attributes = document.model.entities[0].attributes
    #expect(attributes[0].defaultValue == .date(Date(timeIntervalSinceReferenceDate: 60)))
    #expect(attributes[0].rules.minimum == .date(Date(timeIntervalSinceReferenceDate: 0)))
    #expect(attributes[0].rules.maximum == .date(Date(timeIntervalSinceReferenceDate: 1e9)))
    #expect(attributes[1].rules.minimum == .decimal(-1))
    #expect(attributes[1].rules.maximum == .decimal(Decimal(5) / 2))
  }

  @Test(arguments: [
    ("Integer 16", "40000"), ("Integer 64", "1.5"), ("Integer 64", "x"), ("Double", "nan"),
    ("Double", "inf"), ("Decimal", "1.2.3"), ("Decimal", "12abc"), ("Boolean", "maybe"),
  ])
  func `a default value that does not fit its type is a problem at its place`(
    type: String, text: String
  ) {
    #expect(
      error(
        "<entity name='A'><attribute name='a' attributeType='\(type)'\n defaultValueString='\(text)'/></entity>"
      )
        == "m:4:2: \"\(text)\" of \"defaultValueString\" is not a value of type \(type)")
  }

  @Test(arguments: [
    ("<entity/>", "m:3:1: element \"entity\" has no name"),
    (
      "<entity name='A'><attribute name='a' attributeType='Strng'/></entity>",
      "m:3:38: the attribute type \"Strng\" is not known\n  did you mean: 'String'?"
    ),
    (
      "<entity name='A'><attribute name='a' attributeType='String' optional='JA'/></entity>",
      "m:3:61: \"JA\" of \"optional\" is neither YES nor NO"
    ),
    (
      "<entity name='A'><attribute name='a' attributeType='String' minValueString='-1'/></entity>",
      "m:3:61: \"-1\" of \"minValueString\" is not a whole number from 0 on"
    ),
    (
      "<entity name='A'><relationship name='r' deletionRule='Nullify'/></entity>",
      "m:3:18: relationship 'r' of entity 'A' has no destination (\"destinationEntity\")"
    ),
    (
      "<entity name='A'><relationship name='r' destinationEntity='A' deletionRule='Cascad'/></entity>",
      "m:3:63: the delete rule \"Cascad\" is not known\n  did you mean: 'Cascade'?"
    ),
    (
      "<entity name='A'/>\n<entity name='A'/>",
      "m:4:1: entity 'A' is declared twice in this document (first in line 3)"
    ),
    (
      "<entity name='A'><attribute name='a' attributeType='String'/>\n<relationship name='a' destinationEntity='A'/></entity>",
      "m:4:1: property 'a' is declared twice in entity 'A' (first in line 3)"
    ),
    ("<entity name='A'>", "m:4:1: \"</model>\" does not match \"<entity>\" of line 3"),
  ])
  func `a problem is reported with its place and near names`(body: String, expected: String) {
    #expect(error(body) == expected)
  }

  @Test func `all problems of a document are reported together`() {
    #expect(
      error("<entity/>\n<entity name='A'><attribute attributeType='X'/></entity>") == """
        the model document 'm' has 3 problems
        - m:3:1: element "entity" has no name
        - m:4:18: element "attribute" has no name
        - m:4:29: the attribute type "X" is not known
        """)
  }

  @Test func `another document is not a model`() {
    let error = #expect(throws: PersistenceError.self) {
      _ = try ModelDocument(Array("<plist/>".utf8), file: "m")
    }
    #expect(
      error?.description
        == "m:1:1: element \"plist\" is not a model; the root of a model document is \"model\"")
  }

  @Test func `a default that is not a UUID is a note, as for Xcode (review M25)`() throws {
    let document = try read(
      "<entity name='A'><attribute name='a' attributeType='UUID' defaultValueString='empy'/></entity>"
    )
    #expect(document.model.entities[0].attributes[0].defaultValue == nil)
    #expect(
      document.notes.map(\.text) == [
        "\"empy\" of \"defaultValueString\" is not a UUID and is not used"
      ])
  }

  @Test func `of two relationships with one inverse, one has it (review M25)`() throws {
    func relationship(_ name: String, _ entity: String, _ inverse: String) -> String {
      "<relationship name='\(name)' optional='YES' destinationEntity='\(entity)' inverseName='\(inverse)' "
        + "inverseEntity='\(entity)'/>"
    }
    let document = try read(
      "<entity name='Image'>\n" + relationship("artist", "Artist", "thumbnail") + "\n"
        + relationship("thumbnail", "Artist", "thumbnail") + "</entity>\n<entity name='Artist'>"
        + relationship("thumbnail", "Image", "thumbnail") + "</entity>")
    let image = try #require(document.model.entity(named: "Image"))
    #expect(image.relationships.map(\.name) == ["artist", "thumbnail"])
    #expect(image.relationships.map(\.inverse) == [nil, "thumbnail"])
    #expect(
      document.model.entity(named: "Artist")?.relationships.map(\.inverse) == ["thumbnail"])
    try document.model.validate()
    #expect(
      document.notes.map(\.description) == [
        "m:4:1: note: relationship 'artist' of entity 'Image' is read without an inverse: 'thumbnail' of "
          + "'Artist' is the inverse of 'Image.thumbnail'"
      ])
  }

  @Test func `E1: a fetch index of a to-many relationship is noted and not used`() throws {
    let document = try read(
      """
      <entity name="A"><attribute name="s" attributeType="String"/>
      <relationship name="bs" toMany="YES" destinationEntity="B" inverseName="a" inverseEntity="B"/>
      <fetchIndex name="byMany"><fetchIndexElement property="s" type="Binary"/><fetchIndexElement property="bs" type="Binary"/></fetchIndex>
      <fetchIndex name="byText"><fetchIndexElement property="s" type="Binary"/></fetchIndex></entity>
      <entity name="C" parentEntity="A">
      <fetchIndex name="inherited"><fetchIndexElement property="bs" type="Binary"/></fetchIndex></entity>
      <entity name="B">
      <relationship name="a" maxCount="1" destinationEntity="A" inverseName="bs" inverseEntity="A"/></entity>
      """)
    try document.model.validate()
    #expect(document.model.entities.flatMap(\.fetchIndexes).map(\.name) == ["byText"])
    #expect(
      document.notes.map { "\($0)" }.filter { $0.contains("fetch index") }.map {
        $0.drop { $0 != "'" }.description
      } == [
        "'byMany' of entity 'A' is not used: 'bs' is a to-many relationship",
        "'inherited' of entity 'C' is not used: 'bs' is a to-many relationship",
      ])
  }

  @Test func `what is not used is noted, never dropped silently`() throws {
    let document = try read(
      """
      <entity name="A" color="red">
      <attribute name="t" attributeType="Transformable" valueTransformerName="T"/>
      <attribute name="c" attributeType="Composite" composite="P"/>
      <attribute name="d" attributeType="Date" derived="YES" derivationExpression="now()"/>
      <attribute name="b" attributeType="Binary" allowsExternalBinaryDataStorage="YES" defaultValueString="x"/>
      <attribute name="s" attributeType="String" regularExpressionString="[a-z]+"/>
      <attribute name="k" attributeType="Boolean" minValueString="0"/>
      <relationship name="r" transient="YES" destinationEntity="A" deletionRule="Nullify"/>
      <fetchedProperty name="f"/>
      <fetchIndex name="i"><fetchIndexElement property="s" type="Quad"/></fetchIndex>
      <attribut name="x"/>
      </entity>
      <configuration name="Cloud"><memberEntity name="A"/></configuration>
      <fetchRequest name="all" entity="A"/>
      <composite name="P"/>
      <something/>
      """)
    #expect(
      document.notes.map(\.description) == [
        "m:3:18: note: attribute \"color\" of \"entity\" is not known and not used",
        "m:5:1: note: attribute 'c' of entity 'A' is Composite: no store can be opened with this model yet",
        "m:7:82: note: \"defaultValueString\" is not used: type Binary has no values as text",
        "m:9:45: note: \"minValueString\" is not used: type Boolean has no order",
        "m:10:1: note: relationship 'r' of entity 'A' is transient and not used: no store keeps it, and objects do not have it",
        "m:11:1: note: fetched property 'f' of entity 'A' is not used: it has no fetch request",
        "m:12:22: note: fetch index 'i' of entity 'A' is not used: it covers more than values of properties",
        "m:13:1: note: element \"attribut\" is not known and not used; did you mean \"attribute\"?",
        "m:18:1: note: element \"something\" is not known and not used",
      ])
    #expect(document.model.entities[0].attributes.count == 6)
    #expect(document.model.entities[0].attributes[4].rules.pattern == "[a-z]+")
    #expect(document.model.entities[0].attributes[0].type == .transformable)
  }
}
