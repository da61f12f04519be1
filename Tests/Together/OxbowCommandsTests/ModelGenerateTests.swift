import Foundation
import OxbowTestSupport
import Testing

@testable import OxbowCommands

@Suite struct ModelGenerateTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private let archive = PackageFolder.path("Tests/Together/Models/Archive.xcdatamodel")

  @Test func `PM-09: the classes that the tests compile are those that are generated`() throws {
    let output = try tool.run(
      "model", "generate", archive, "--access", "public", "--output", "Archive.swift")
    #expect(output.code == 0)
    #expect(output.out == "wrote Archive.swift\n4 classes\n")
    #expect(output.err == "")
    let generated = try tool.folder.text(of: "Archive.swift")
    let committed = try PackageFolder.text("Tests/Together/OxbowTests/Generated/Archive.swift")
    #expect(generated == committed)
  }

  @Test func `P6: --scalars gives numbers the types that Core Data's classes have`() throws {
    let model = PackageFolder.path("Tests/Together/Models/Odometers.xcdatamodel")
    let output = try tool.run("model", "generate", model, "--scalars", "--output", "C.swift")
    #expect(output.code == 0 && output.err == "")
    let committed = try PackageFolder.text("Tests/Together/OxbowTests/Generated/Odometers.swift")
    #expect(try tool.folder.text(of: "C.swift") == committed)
    let plain = try tool.run("model", "generate", model).out
    #expect(plain.contains("  var hits: Int32?\n") && plain.contains("  var views: Int?\n"))
    #expect(!plain.contains("nilAs"))
  }

  @Test func `PM-09: one file is written for each class, and the same text gives the same file`()
    throws
  {
    let first = try tool.run("model", "generate", archive, "--output", "Classes")
    #expect(
      first.out == """
        wrote Classes/Address.swift
        wrote Classes/Almanac.swift
        wrote Classes/Archive.swift
        wrote Classes/Point.swift
        wrote Classes/Sticker.swift
        wrote Classes/Volume.swift
        4 classes

        """)
    let text = try tool.folder.text(of: "Classes/Almanac.swift")
    #expect(text.hasPrefix("// swift-format-ignore-file\n// Written by `oxbowctl model generate`."))
    #expect(
      text.hasSuffix(
        """

        import Oxbow

        @Entity(
          unique: [["year", "title"]],
          indexes: [FetchIndexDescription("byYear", elements: [.init("year", isAscending: false), \
        .init("title")])])
        final class Almanac: Volume {
          var year: Int = -5
        }

        """), "\(text)")
    let second = try tool.run("model", "generate", archive, "--output", "Classes")
    #expect(second.out == "4 classes, 6 unchanged\n")
  }

  @Test func `PM-09: entities are chosen by name, and a name that is not there has near ones`()
    throws
  {
    let output = try tool.run("model", "generate", archive, "--entity", "Label")
    #expect(output.out.contains("@Entity(\"Label\")\nfinal class Sticker: ManagedObject {"))
    #expect(!output.out.contains("class Archive"))
    let wrong = try tool.run("model", "generate", archive, "--entity", "Lable")
    #expect(wrong.code == 1)
    #expect(
      wrong.err == "error: the model has no entity 'Lable'\n  did you mean: 'Label'?\n")
  }

  @Test func `PM-09: a file that was changed is kept unless it is forced`() throws {
    _ = try tool.run("model", "generate", archive, "--output", "Classes")
    let text = try tool.folder.text(of: "Classes/Archive.swift")
    try tool.folder.write(text + "// mine\n", to: "Classes/Archive.swift")
    try tool.folder.write("// mine\n", to: "Classes/Volume.swift")
    try FileManager.default.removeItem(atPath: tool.folder.file("Classes/Almanac.swift"))
    let output = try tool.run("model", "generate", archive, "--output", "Classes")
    #expect(output.code == 73)
    #expect(output.out == "")
    #expect(
      output.err == """
        error: 2 files would be lost; nothing was written
        - 'Classes/Archive.swift' was changed since it was written, or was written by somebody \
        else; move your code into an extension in another file, or give --force to write over it
        - 'Classes/Volume.swift' was changed since it was written, or was written by somebody \
        else; move your code into an extension in another file, or give --force to write over it

        """)
    #expect(!FileManager.default.fileExists(atPath: tool.folder.file("Classes/Almanac.swift")))
    let forced = try tool.run("model", "generate", archive, "--output", "Classes", "--force")
    #expect(forced.code == 0)
    #expect(try tool.folder.text(of: "Classes/Archive.swift") == text)
  }

  @Test func `the properties of every managed object are known, to the macros too`() throws {
    let macros = try PackageFolder.text(
      "Sources/Together/OxbowMacros/Parsing/EntityPropertyParser.swift")
    let folder = PackageFolder.path("Sources/Persistence/OxbowContext")
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var names: Set<String> = []
    for file in files
    where file.contains(#/\/ManagedObject(\+\w+)?\.swift$/#) && !file.contains("+CoreDataNames") {
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      names.formUnion(text.matches(of: #/\n  public (?:final )?var ([a-z]\w*)/#).map { "\($0.1)" })
    }
    #expect(names.count > 12)
    for name in names {
      #expect(SwiftName.refusal(ofProperty: name) != nil, "\(name)")
      #expect(macros.contains("\"\(name)\""), "\(name)")
    }
    #expect(SwiftName.refusal(ofProperty: "managedObjectContext") == nil)
  }

  @Test func `PM-09: what no class can say is a comment and a note`() throws {
    try tool.folder.write(
      """
      <model>
        <entity name="Date">
          <attribute name="photo" optional="YES" attributeType="Transformable"/>
          <attribute name="context" optional="YES" attributeType="String"/>
          <attribute name="upper" optional="YES" attributeType="String" derived="YES" \
      derivationExpression="uppercase:(name)"/>
          <attribute name="mood" transient="YES"/>
          <attribute name="name" attributeType="String"/>
          <relationship name="other" optional="YES" transient="YES" destinationEntity="Other" \
      inverseName="date" inverseEntity="Date"/>
          <fetchIndex name="f"><fetchIndexElement property="context"/></fetchIndex>
        </entity>
        <entity name="Other" representedClassName="Same">
          <relationship name="date" optional="YES" destinationEntity="Date" inverseName="other" \
      inverseEntity="Date"/>
        </entity>
        <entity name="Third" representedClassName="Same"/>
        <entity name="Fourth" representedClassName="my-class"/>
      </model>
      """, to: "B.xcdatamodel/contents")
    let output = try tool.run("model", "generate", "B.xcdatamodel")
    #expect(output.code == 0)
    #expect(
      output.out.hasSuffix(
        """

        import Oxbow

        // Not supported: attribute 'context': every managed object has a property of this name.
        // Not supported: attribute 'mood' is Undefined.
        // Not supported: relationship 'other' is transient.
        // Not supported: fetch index 'f'.
        @Entity("Date")
        final class DateObject: ManagedObject {
          var photo: TransformedData?
          @Attribute(derivation: "uppercase:(name)")
          var upper: String?
          var name: String
        }

        @Entity
        final class Fourth: ManagedObject {}

        @Entity
        final class Other: ManagedObject {
          @Relationship
          var date: DateObject?
        }

        @Entity
        final class Third: ManagedObject {}

        """), "\(output.out)")
    #expect(output.err.contains("note: entity 'Date': attribute 'mood' is Undefined\n"))
    #expect(
      output.err.contains("note: entity 'Other' gets the class 'Other': 'Same' is taken\n"))
    #expect(output.err.contains("'Fourth': 'my-class' is not a name in Swift\n"))
  }
}
