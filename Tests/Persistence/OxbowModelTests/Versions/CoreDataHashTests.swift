import OxbowModel
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Version hashes as Core Data computes them; the values are of stores that it wrote.
@Suite struct CoreDataHashTests {
  private func document(_ entities: String) throws -> ModelDocument {
    try ModelDocument(Array("<model>\(entities)</model>".utf8), file: "m")
  }

  private func hashes(_ entities: String) throws -> [String: String] {
    try CoreDataHashes(of: document(entities)).values.mapValues(\.hexadecimalDigits)
  }

  @Test func `CD-30 entities of real models have the hashes of their stores`() throws {
    #expect(
      try hashes("<entity name=\"ImpossibleType\"/>")["ImpossibleType"]
        == "bdfa1152dad83910ac7e3ab42bef92719525f26e24a50ac106289db487916770")
    #expect(
      try hashes(
        """
        <entity name="Session"><relationship name="selfUser" optional="YES" maxCount="1" \
        deletionRule="Nullify" destinationEntity="User"/></entity><entity name="User"/>
        """)["Session"] == "7412f6927c4020a553aa82c6a9d229eec6d5c18112f3739873d063d93b2235a4")
    #expect(
      try hashes(
        """
        <entity name="BookletMigrationInfo">
        <attribute name="migrationState" attributeType="Integer 64"/>
        <attribute name="storeID" attributeType="Integer 64"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="storeID"/>
        </uniquenessConstraint></uniquenessConstraints></entity>
        """)["BookletMigrationInfo"]
        == "49b05a99c7b8051c9995dd38387cb18161105bbf84347240a3ab1653af6fb9ac")
  }

  private static let plain = """
    <entity name="A"><attribute name="x" attributeType="String"/></entity>
    """

  /// Each is the plain entity with one change.
  @Test(arguments: [
    (true, "<entity name=\"A\"><attribute name=\"x\" attributeType=\"URI\"/></entity>"),
    (
      true,
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\" optional=\"YES\"/></entity>"
    ),
    (
      true,
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\" "
        + "preserveAfterDeletion=\"YES\"/></entity>"
    ),
    (
      true,
      "<entity name=\"A\" versionHashModifier=\"2\"><attribute name=\"x\" "
        + "attributeType=\"String\"/></entity>"
    ),
    (
      true,
      "<entity name=\"A\" isAbstract=\"YES\"><attribute name=\"x\" attributeType=\"String\"/></entity>"
    ),
    (
      false,
      "<entity name=\"A\" representedClassName=\"B\" elementID=\"C\"><attribute name=\"x\" "
        + "attributeType=\"String\" defaultValueString=\"d\" maxValueString=\"9\" indexed=\"YES\"/>"
        + "<attribute name=\"y\" transient=\"YES\" attributeType=\"String\"/><userInfo><entry "
        + "key=\"k\" value=\"v\"/></userInfo></entity>"
    ),
  ])
  func `CD-30 what a store depends on is in the hash, and nothing else`(
    changes: Bool, entity: String
  ) throws {
    #expect((try hashes(entity) != hashes(Self.plain)) == changes, "\(entity)")
  }

  @Test func `CD-30 the hash of a parent is in that of its children, and no delete rule is in any`()
    throws
  {
    func family(_ name: String, _ rule: String) -> String {
      """
      <entity name="P"><attribute name="\(name)" attributeType="String"/></entity>
      <entity name="C" parentEntity="P"><relationship name="r" maxCount="1" deletionRule="\(rule)" \
      destinationEntity="P"/></entity>
      """
    }
    let plain = try hashes(family("a", "Nullify"))
    #expect(try hashes(family("a", "Cascade")) == plain)
    #expect(try hashes(family("b", "Nullify"))["C"] != plain["C"])
  }

  @Test func `CD-30 entities with derived attributes have no hash, nor have their descendants`()
    throws
  {
    let derived = """
      <entity name="P"><attribute name="n" optional="YES" attributeType="Date" derived="YES" \
      derivationExpression="now()"/></entity><entity name="C" parentEntity="P"/><entity name="O"/>
      """
    let computed = try CoreDataHashes(of: document(derived))
    #expect(computed.unknown == ["P", "C"])
    #expect(Set(computed.values.keys) == ["O"])
    let hash = [UInt8](repeating: 1, count: 32)
    let recorded = try CoreDataHashes(of: document(derived), recorded: ["P": hash])
    #expect(recorded.unknown == ["C"])
    #expect(recorded.values["P"] == hash)
    let stored = recorded.values.merging(["C": hash]) { first, _ in first }
    let comparison = CoreDataComparison(recorded, stored: stored)
    #expect(comparison.fits)
    #expect(comparison.unknown == ["C"])
    #expect(comparison.equal == ["O", "P"])
  }

  @Test func `CD-30 the version of a store is found by its hashes`() throws {
    let folder = try TemporaryFolder()
    for (name, type) in [("M", "String"), ("M 2", "URI"), ("M 3", "Date")] {
      try folder.write(
        "<model>\(Self.plain.replacing("String", with: type))</model>",
        to: "M.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    let path = folder.file("M.xcdatamodeld")
    let stored = try CoreDataHashes(
      of: document(Self.plain.replacing("String", with: "URI"))
    ).values
    let found = try ModelDocument.version(of: path, fitting: stored)
    #expect(found.document.versionName == "M 2")
    #expect(found.comparison.equal == ["A"])
    do throws(PersistenceError) {
      _ = try ModelDocument.version(
        of: path, fitting: ["A": [UInt8](repeating: 0, count: 32), "B": []])
      Issue.record("no error")
    } catch {
      #expect(error.code == .modelMismatch)
      #expect(
        error.description == """
          none of the 3 versions of '\(path)' is the one that the store was written for: the version \
          hashes of its entities are others; give the version of the app that wrote the store
            nearest version: M
            entities: differ: A
            entities: only in the store: B
          """)
    }
    let single = folder.file("M.xcdatamodeld/M.xcdatamodel")
    do throws(PersistenceError) {
      _ = try ModelDocument.version(of: single, fitting: [:])
      Issue.record("no error")
    } catch {
      #expect(error.message.hasPrefix("the model '\(single)' is not the one that the store was"))
    }
  }

  @Test func `CD-30 versions whose hashes are partly unknown are told apart by what they say`()
    throws
  {
    let folder = try TemporaryFolder()
    func version(_ name: String, _ more: String = "", derived: Bool = true) throws -> ModelDocument
    {
      let expression = derived ? "derived=\"YES\" derivationExpression=\"now()\"" : ""
      try folder.write(
        """
        <model><entity name="P"><attribute name="n" optional="YES" attributeType="Date" \
        \(expression)/>\(more)</entity>\(Self.plain)</model>
        """, to: "M.xcdatamodeld/\(name).xcdatamodel/contents")
      return try ModelDocument(contentsOf: folder.file("M.xcdatamodeld/\(name).xcdatamodel"))
    }
    let subtitle = "<attribute name=\"subtitle\" optional=\"YES\" attributeType=\"String\"/>"
    let former = try version("M", subtitle)
    var stored = try CoreDataHashes(of: former).values
    stored["P"] = [UInt8](repeating: 1, count: 32)
    func found(_ kept: ManagedObjectModel? = nil) throws(PersistenceError) -> String {
      let path = folder.file("M.xcdatamodeld")
      return try ModelDocument.version(of: path, fitting: stored, kept: kept).document.versionName
    }
    let current = try version("M 2")
    try folder.write(
      """
      <plist><dict><key>_XCCurrentVersionName</key><string>M 2.xcdatamodel</string></dict></plist>
      """, to: "M.xcdatamodeld/.xccurrentversion")
    #expect(try found(former.model) == "M")
    #expect(try found(current.model) == "M 2")
    let error = #expect(throws: PersistenceError.self) { try found() }
    #expect(error?.code == .modelMismatch)
    #expect(error?.message.contains("'M', 'M 2'; the version hashes of 'P' cannot") == true)
    // Versions that say the same are the current one.
    _ = try version("M 2", subtitle)
    #expect(try found() == "M 2")
    // One whose hashes are all known is certain.
    stored["P"] = try CoreDataHashes(of: version("M", derived: false)).values["P"]
    #expect(try found() == "M")
  }

  @Test func `CD-30 a line of inheritance without an end in sight has hashes up to its limit`()
    throws
  {
    let line = (1...20_000).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 - 1)\"/>" }
    let hashes = try CoreDataHashes(of: document("<entity name=\"E0\"/>" + line.joined()))
    #expect(hashes.values.count == 1001)
    #expect(hashes.unknown.count == 19_000)
    #expect(hashes.unknown.contains("E1001"))
  }
}
