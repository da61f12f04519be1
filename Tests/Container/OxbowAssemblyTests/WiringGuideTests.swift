import Foundation
import OxbowAssembly
import OxbowContainer
import OxbowTestSupport
import Testing

/// The guide to wiring files.
@Suite struct WiringGuideTests {
  private func documents() throws -> [AssemblyDocument] {
    let guide = try PackageFolder.text("docs/guide/wiring-files.md")
    return try guide.components(separatedBy: "```xml\n").dropFirst().map {
      try document($0.components(separatedBy: "```")[0], file: "guide")
    }
  }

  @Test func `every example of the guide is sound, and there is one of each kind`() throws {
    let documents = try documents()
    #expect(
      documents.map(\.dialect)
        == ["Oxen XML", "property list", "Typhoon XML", "IVEngine XML", "Oxen XML"])
    for document in documents {
      #expect(
        AssemblyDocument.structuralProblems(in: [document], defined: ["classes"]).map(\.description)
          == [],
        "\(document.dialect)")
    }
  }

  @Test func `the two examples of one knight say the same`() throws {
    let documents = try documents()
    let knights = documents.prefix(2).compactMap { $0.definitions.first { $0.name == "knight" } }
    #expect(knights.map(\.initializer?.short) == Array(repeating: "init(clock: @clock)", count: 2))
    for property in knights[1].properties where property.name != "odds" {
      let other = knights[0].properties.first { $0.name == property.name }
      #expect(other?.content.short == property.content.short)
    }
  }
}
