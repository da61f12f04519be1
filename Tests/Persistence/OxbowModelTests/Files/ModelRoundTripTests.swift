import FoundationEssentials
import OxbowDocuments
import OxbowModel
import OxbowTestSupport
import Testing

/// What a document has, in a form that can be compared: attributes in the order of their names.
private struct Tree: Hashable, CustomStringConvertible {
  let name: String
  let attributes: [String: String]
  let children: [Tree]
  let text: String

  init(_ element: XMLElement) {
    name = element.name
    attributes = Dictionary(element.attributes.map { ($0.name, $0.value) }) { first, _ in first }
    children = element.children.map(Tree.init)
    text = element.isTextBlank ? "" : element.text
  }

  init(_ text: String, file: String = "test") throws {
    self.init(try XMLDocument.parse(Array(text.utf8), file: file))
  }

  var description: String { lines.joined(separator: "\n") }

  private var lines: [String] {
    let pairs = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }
    let end = text.isEmpty ? "" : " '\(text)'"
    return [([name] + pairs).joined(separator: " ") + end]
      + children.flatMap { $0.lines.map { "  \($0)" } }
  }
}

@Suite struct ModelRoundTripTests {
  private let strange = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
    lastSavedToolsVersion="9" future="1" userDefinedModelVersionIdentifier="v1">
        <entity name="Author" representedClassName=".Author" syncable="YES" colour="red">
            <attribute name="born" optional="YES" attributeType="Date" \
    defaultDateTimeInterval="60" defaultValueString="in 2001" usesScalarValueType="NO"/>
            <attribute name="name" attributeType="String" indexed="YES" renamingIdentifier="title">
                <userInfo>
                    <entry key="a" value="b"/>
                </userInfo>
                <hint level="3">read &lt;this&gt;</hint>
            </attribute>
            <attribute name="photo" optional="YES" attributeType="Transformable" \
    valueTransformerName="T" customClassName="Image"/>
            <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Book" inverseName="author" inverseEntity="Item"/>
            <fetchedProperty name="recent" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Book"/>
            </fetchedProperty>
            <compoundIndexes>
                <compoundIndex>
                    <index value="name"/>
                    <index value="born"/>
                </compoundIndex>
            </compoundIndexes>
            <userInfo/>
        </entity>
        <entity name="Book" parentEntity="Item"/>
        <entity name="Item" isAbstract="YES">
            <relationship name="author" optional="YES" maxCount="1" minCount="1" \
    deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
        </entity>
        <fetchRequest name="all" entity="Book" predicateString="author == $A"/>
        <configuration name="Local">
            <memberEntity name="Author"/>
            <memberEntity name="Book"/>
        </configuration>
        <composite name="Point">
            <attribute name="x" attributeType="Double"/>
        </composite>
        <elements>
            <element name="Author" positionX="-63" positionY="9" width="128" height="74"/>
            <element name="Book" positionX="160" positionY="9" width="128" height="74"/>
        </elements>
    </model>
    """

  private func document(_ text: String) throws -> ModelDocument {
    try ModelDocument(Array(text.utf8), file: "test")
  }

  @Test func `PM-04: what is not known is written as it was read`() throws {
    #expect(try document(strange).contents() == strange)
  }

  @Test func `PM-04: a change leaves everything else as it was`() throws {
    var document = try document(strange)
    var entities = document.model.entities
    let author = try #require(entities.firstIndex { $0.name == "Author" })
    entities[author].attributes[0].defaultValue = .date(Date(timeIntervalSinceReferenceDate: 90))
    entities[author].attributes[1].name = "fullName"
    entities[author].attributes[1].renamingIdentifier = "name"
    entities[author].attributes.append(AttributeDescription("age", .integer16, isOptional: true))
    entities[author].fetchIndexes = [
      FetchIndexDescription("byName", elements: [.init("fullName")])
    ]
    entities[author].userInfo = ["k": "v"]
    document.model = ManagedObjectModel(entities: entities, versionIdentifiers: ["v2"])
    let expected =
      strange
      .replacing("Identifier=\"v1\"", with: "Identifier=\"v2\"")
      .replacing(
        "defaultDateTimeInterval=\"60\" defaultValueString=\"in 2001\" usesScalarValueType=\"NO\"/>",
        with: "defaultDateTimeInterval=\"90.0\" usesScalarValueType=\"NO\"/>"
      )
      .replacing(
        "name=\"name\" attributeType=\"String\" indexed=\"YES\" renamingIdentifier=\"title\"",
        with: "name=\"fullName\" attributeType=\"String\" elementID=\"name\""
      )
      .replacing(
        "customClassName=\"Image\"/>\n",
        with: """
          customClassName="Image"/>
                  <attribute name="age" optional="YES" attributeType="Integer 16"/>

          """
      )
      .replacing(
        """
                <compoundIndexes>
                    <compoundIndex>
                        <index value="name"/>
                        <index value="born"/>
                    </compoundIndex>
                </compoundIndexes>
                <userInfo/>
        """,
        with: """
                  <fetchIndex name="byName">
                      <fetchIndexElement property="fullName" type="Binary" order="ascending"/>
                  </fetchIndex>
                  <userInfo/>
                  <userInfo>
                      <entry key="k" value="v"/>
                  </userInfo>
          """)
    let written = try document.contents()
    #expect(try Tree(written).description == Tree(expected).description)
    #expect(try self.document(written).model.entities == document.model.entities)
  }

  @Test func `PM-04: an entity that is renamed or gone is so in the diagram too`() throws {
    var document = try document(strange)
    var entities = document.model.entities.filter { $0.name != "Book" }
    entities[0].name = "Writer"
    entities[0].renamingIdentifier = "Author"
    entities[0].relationships[0].destination = "Item"
    entities[1].relationships[0].destination = "Writer"
    document.model = ManagedObjectModel(entities: entities, versionIdentifiers: ["v1"])
    let written = try document.contents()
    #expect(try self.document(written).model.entities == document.model.entities)
    #expect(written.contains("<memberEntity name=\"Writer\"/>\n    </configuration>"))
    #expect(written.contains("<element name=\"Writer\" positionX=\"-63\""))
    #expect(!written.contains("<element name=\"Book\""))
    #expect(written.contains("<hint level=\"3\">read &lt;this&gt;</hint>"))
    #expect(written.contains("inverseName=\"books\" inverseEntity=\"Writer\"/>"))
  }

  @Test func `PM-04: a relationship to one that becomes one to many loses the counts of old files`()
    throws
  {
    var document = try document(strange)
    var entities = document.model.entities
    entities[2].relationships[0].isToMany = true
    document.model = ManagedObjectModel(entities: entities, versionIdentifiers: ["v1"])
    #expect(
      try document.contents().contains(
        """
        <relationship name="author" optional="YES" deletionRule="Nullify" \
        destinationEntity="Author" inverseName="books" inverseEntity="Author" toMany="YES"/>
        """))
  }

  @Test func `PM-04: a default of bytes is an entry of the user info`() throws {
    let entity = EntityDescription(
      "A",
      attributes: [
        AttributeDescription(
          "a", .binaryData, defaultValue: .data(Data([1])), userInfo: ["k": "v"]),
        AttributeDescription("b", .transformable, defaultValue: .data(Data())),
      ])
    let model = ManagedObjectModel(entities: [entity])
    let text = try ModelDocument(model, versionName: "M").contents()
    #expect(text.contains("<entry key=\"oxbow.defaultValue\" value=\"AQ==\"/>"))
    #expect(try document(text).model.entities == [entity])
    let other = try document(text.replacing("AQ==", with: "?"))
    let kept = try #require(other.model.entities[0].attributes.first)
    #expect(kept.defaultValue == nil && kept.userInfo == ["k": "v", "oxbow.defaultValue": "?"])
  }

  @Test func `PM-04: what no document can say is refused with the property`() throws {
    let entity = EntityDescription(
      "A",
      attributes: [
        AttributeDescription("a", .binaryData, userInfo: ["oxbow.defaultValue": "AQ=="])
      ])
    let document = ModelDocument(ManagedObjectModel(entities: [entity]), versionName: "M")
    let error = #expect(throws: PersistenceError.self) { try document.contents() }
    #expect(
      error?.description == """
        entity 'A' cannot be written: a document cannot say everything about it
          model and document: the default of attribute 'a' is none in one and '1 bytes' in the other
        """)
    let several = ModelDocument(
      ManagedObjectModel(entities: [], versionIdentifiers: ["a", "b"]), versionName: "M")
    #expect(
      #expect(throws: PersistenceError.self) { try several.contents() }?.message
        == "the model cannot be written: a document has one version identifier, not 2")
    let template = FetchRequestTemplate("all", entity: "A", where: .sql("1"))
    let added = ModelDocument(
      ManagedObjectModel(entities: [EntityDescription("A")], fetchRequestTemplates: [template]),
      versionName: "M")
    #expect(
      #expect(throws: PersistenceError.self) { try added.contents() }?.message == """
        the fetch request template 'all' cannot be written: its condition has no format text, such \
        as one in SQL; give the model without it
        """)
  }

  @Test(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
  func `PM-04: every sample is written with every element and attribute that was read`() throws {
    let paths = ["models", "stores"].flatMap { part in
      Samples.paths(below: part) { $0.hasSuffix(".xcdatamodel/contents") }
    }
    #expect(paths.count > 145)
    for path in paths {
      let bytes = try DocumentFile.bytes(of: path)
      let document = try ModelDocument(bytes, file: path)
      let written = try document.contents()
      #expect(try ModelDocument(Array(written.utf8), file: path).model == document.model, "\(path)")
      let original = String(decoding: bytes, as: UTF8.self)
      #expect(try Tree(written) == Tree(original, file: path), "\(path)")
      if original.hasPrefix("<?xml"), !original.hasSuffix("\n") {
        #expect(written == original, "\(path)")
      }
    }
  }
}

@Suite struct ModelPackageTests {
  @Test(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
  func `PM-04: every package is written with all its versions and the current one`() throws {
    let packages = Samples.paths(below: "models") { $0.hasSuffix(".xcdatamodeld") }
    #expect(packages.count > 50)
    let folder = try TemporaryFolder()
    var written = 0
    for (number, path) in packages.enumerated() {
      // The collection does not have every version of every model, and some are binary.
      guard let package = try? ModelPackage(contentsOf: path) else { continue }
      let copy = folder.file("\(number).xcdatamodeld")
      try package.write(to: copy)
      let read = try ModelPackage(contentsOf: copy)
      #expect(read.currentVersionName == package.currentVersionName, "\(path)")
      #expect(read.versions.map(\.versionName) == package.versions.map(\.versionName), "\(path)")
      #expect(read.versions.map(\.model) == package.versions.map(\.model), "\(path)")
      if package.currentVersionName != nil {
        let mark = "/.xccurrentversion"
        #expect(
          try DocumentFile.bytes(of: copy + mark) == DocumentFile.bytes(of: path + mark), "\(path)")
      }
      written += 1
    }
    #expect(written > 40)
  }

  @Test func `PM-04: a current version that is not there is refused with near names`() throws {
    let folder = try TemporaryFolder()
    let version = ModelDocument(ManagedObjectModel(entities: []), versionName: "Model 2")
    let package = ModelPackage(versions: [version], currentVersionName: "Model 3")
    let error = #expect(throws: PersistenceError.self) {
      try package.write(to: folder.file("M.xcdatamodeld"))
    }
    #expect(
      error?.description == """
        the current version 'Model 3' is not among those of the model
          did you mean: 'Model 2'?
        """)
  }
}
