import OxbowCoreData
import OxbowDocuments
import OxbowModel
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Models in archives: compiled ones, in folders of versions, and those of Xcode before version 4.
@Suite struct ModelArchiveDocumentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8], to name: String) throws {
    try folder.write("", to: name)
    try Data(bytes).write(to: URL(filePath: folder.file(name)))
  }

  private func error(_ body: () throws -> Void) -> PersistenceError? {
    do {
      try body()
      return nil
    } catch { return error as? PersistenceError }
  }

  @Test func `CD-30 a compiled model is the model of its document`() throws {
    try write(CoreDataFixture.model(), to: "M.mom")
    let read = try ModelDocument(contentsOf: folder.file("M.mom"))
    let document = try ModelDocument(Array(CoreDataFixture.document().utf8), file: "d")
    for entity in document.model.entities {
      let found = try #require(read.model.entity(named: entity.name))
      #expect(found == entity)
    }
    #expect(read.model == document.model)
    #expect(read.versionName == "M")
    #expect(read.isArchived)
    #expect(read.notes == [])
    // It can be written, and is the same again.
    try read.write(to: folder.file("X.xcdatamodel"))
    #expect(try ModelDocument(contentsOf: folder.file("X.xcdatamodel")).model == document.model)
  }

  @Test func `CD-30 a folder of compiled models has versions, and one that is current`() throws {
    try write(CoreDataFixture.model(), to: "M.momd/A.mom")
    let only = try ModelVersions(of: folder.file("M.momd"))
    #expect(only.current.name == "A")
    try write(CoreDataFixture.model(version: "2"), to: "M.momd/B.mom")
    try write([1], to: "M.momd/B.omo")
    #expect(
      error { _ = try ModelVersions(of: folder.file("M.momd")) }?.message.hasSuffix(
        "has 2 versions and no VersionInfo.plist that says which one is current; give the path of "
          + "one of them") == true)
    try write(
      ListValue.dictionary([("NSManagedObjectModel_CurrentVersionName", "B")]).bytes,
      to: "M.momd/VersionInfo.plist")
    #expect(try ModelVersions(of: folder.file("M.momd")).all.map(\.name) == ["A", "B"])
    let current = try ModelDocument(contentsOf: folder.file("M.momd"))
    #expect(current.model.versionIdentifiers == ["2"])
    try write(
      ListValue.dictionary([("NSManagedObjectModel_CurrentVersionName", "C")]).bytes,
      to: "M.momd/VersionInfo.plist")
    #expect(
      error { _ = try ModelVersions(of: folder.file("M.momd")) }?.message.contains(
        "the current version 'C' of the model") == true)
  }

  @Test func `CD-30 a rule that no value of its type is is a note`() throws {
    let read = try ModelDocument(CoreDataFixture.model(fewestPages: 0.5), file: "m")
    let pages = read.model.entity(named: "Book")?.attributes.first { $0.name == "pages" }
    #expect(pages?.rules.minimum == nil)
    #expect(
      read.notes.map(\.text) == [
        "\"0.5\" of \"minValueString\" is not a value of type Integer 64 and is not used"
      ])
  }

  @Test func `CD-30 a problem of a model in an archive names its element`() throws {
    let archive = CoreDataFixture.model(titleType: 300)
    let failure = error { _ = try ModelDocument(archive, file: "m") }
    #expect(
      failure?.description.contains(
        "\"untitled\" of \"defaultValueString\" is not a value of type Integer 64\n"
          + "  element: <attribute name=\"title\" ") == true)
    let unknown = error { _ = try ModelDocument(CoreDataFixture.model(titleType: 77), file: "m") }
    #expect(
      unknown?.message
        == "the archive is damaged: attribute 'title' of entity 'Book' has the unknown type 77")
    #expect(unknown?.location?.file == "m")
  }

  @Test func `CD-30 a model of Xcode before version 4 is read`() throws {
    try write(OldModelFixture.elements(), to: "Old.xcdatamodel/elements")
    let read = try ModelDocument(contentsOf: folder.file("Old.xcdatamodel"))
    let expected = """
      <model>
        <entity name="Note" representedClassName="NoteClass" isAbstract="YES">
          <attribute name="text" optional="YES" attributeType="String" defaultValueString="a" \
      maxValueString="25" indexed="YES"/>
          <relationship name="tags" toMany="YES" ordered="YES" deletionRule="Nullify" \
      destinationEntity="Tag" inverseName="note" inverseEntity="Tag"/>
          <userInfo><entry key="k" value="v"/></userInfo>
        </entity>
        <entity name="Tag" parentEntity="Note">
          <relationship name="note" minCount="1" maxCount="1" deletionRule="Cascade" \
      destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
        </entity>
      </model>
      """
    let document = try ModelDocument(Array(expected.utf8), file: "d")
    for entity in document.model.entities {
      let found = try #require(read.model.entity(named: entity.name))
      #expect(found == entity)
    }
    #expect(read.model == document.model)
    #expect(read.versionName == "Old")
    #expect(
      read.notes.map(\.text) == [
        "property 'odd' of entity 'Note' is not read: it is an object of class 'XDPMFetchedProperty'"
      ])
    // A document beside it is newer.
    try folder.write("<model/>", to: "Old.xcdatamodel/contents")
    #expect(try ModelDocument(contentsOf: folder.file("Old.xcdatamodel")).model.entities == [])
  }
}

/// A model as Xcode wrote it before version 4.
private enum OldModelFixture {
  static func elements() -> [UInt8] {
    var maker = ArchiveMaker()
    let (note, tag, tags, back) = (
      maker.reserve(), maker.reserve(), maker.reserve(), maker.reserve()
    )
    let text = maker.element(
      "XDPMAttribute", "text", note,
      [
        "XD_PAttK_attributeType": 700, "XD_PAttK_defaultValueAsString": "a",
        "XD_PAttK_maxValueString": "25", "XD_PPSK_isOptional": true, "XD_PPSK_isIndexed": true,
      ])
    let odd = maker.add("XDPMFetchedProperty", ["_name": maker.add("odd")])
    maker.fill(
      tags, "XDPMRelationship",
      maker.fields(
        "tags", note,
        [
          "XD_PRK_destination": tag, "XD_PRK_inverseRelationship": back, "XD_PRK_isToMany": true,
          "XD_PRK_ordered": true, "XD_PRK_deleteRule": 1,
        ]))
    maker.fill(
      back, "XDPMRelationship",
      maker.fields(
        "note", tag,
        [
          "XD_PRK_destination": note, "XD_PRK_inverseRelationship": tags, "XD_PRK_minCount": 1,
          "XD_PRK_maxCount": 1, "XD_PRK_deleteRule": 2,
        ]))
    let general = maker.add("XDUMLGeneralizationImp", ["_general": note])
    maker.entity(
      note, "Note", ["text": text, "tags": tags, "odd": odd],
      [
        "XD_PSK_entityClassName": "NoteClass", "XD_PSK_isAbstract": true,
        "XD_PSK_userInfo": maker.pairs(["k": "v"]),
      ])
    maker.entity(
      tag, "Tag", ["note": back], ["XD_PSK_entityClassName": "NSManagedObject"], parents: [general])
    let package = maker.add(
      "XDModelPackage",
      ["XDBucketForClassesstorage": maker.pairs(["Note": note, "Tag": tag])])
    let model = maker.add("XDPMModel", ["_xd_rootPackage": package])
    return maker.archive(model).bytes
  }
}

extension ArchiveMaker {
  fileprivate mutating func element(
    _ className: String, _ name: String, _ owner: ListValue,
    _ facts: KeyValuePairs<String, ListValue>
  ) -> ListValue {
    let place = reserve()
    fill(place, className, fields(name, owner, facts))
    return place
  }

  fileprivate mutating func fields(
    _ name: String, _ owner: ListValue, _ facts: KeyValuePairs<String, ListValue>
  ) -> KeyValuePairs<String, ListValue> {
    [
      "_name": add(.text(name)), "_owner": owner,
      "XDBucketForStereotypesstorage": pairs(["XD": stereotype(facts)]),
    ]
  }

  private mutating func stereotype(_ facts: KeyValuePairs<String, ListValue>) -> ListValue {
    var keys: [ListValue] = []
    var values: [ListValue] = []
    for (key, value) in facts {
      keys.append(add(.text(key)))
      let isReference = if case .reference = value { true } else { false }
      values.append(add("XDUMLPropertyImp", ["_default": isReference ? value : add(value)]))
    }
    let storage = add(
      "NSMutableDictionary", ["NS.keys": .array(keys), "NS.objects": .array(values)])
    return add("XDUMLStereotypeImp", ["XDBucketForOwnedAttributesstorage": storage])
  }

  fileprivate mutating func entity(
    _ place: ListValue, _ name: String, _ properties: KeyValuePairs<String, ListValue>,
    _ facts: KeyValuePairs<String, ListValue>, parents: [ListValue] = []
  ) {
    fill(
      place, "XDPMEntity",
      [
        "_name": add(.text(name)), "XDBucketForOwnedAttributesstorage": pairs(properties),
        "XDBucketForGeneralizationsstorage": list(parents),
        "XDBucketForStereotypesstorage": pairs(["XD": stereotype(facts)]),
      ])
  }
}
