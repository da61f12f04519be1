import Oxbow
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The classes of `Generated/Archive.swift`, which `oxbowctl model generate` wrote.
@Suite struct GeneratedModelTests {
  private static let types: [any ModelObject.Type] = [
    Almanac.self, Archive.self, Sticker.self, Volume.self,
  ]

  private let folder = PackageFolder.path("Tests/Together/Models/Archive.xcdatamodel")

  @Test func `PM-05, PM-09: generated classes declare the entities of their document`() throws {
    let document = try ModelDocument(contentsOf: folder)
    let model = ManagedObjectModel(types: Self.types)
    for entity in document.model.entities {
      var expected = entity
      // The document's class is named with its module.
      expected.className = entity.name == "Label" ? "Sticker" : entity.name
      let declared = try #require(model.entity(named: entity.name))
      #expect(declared == expected)
    }
    #expect(model.entities.count == document.model.entities.count)
    #expect(model.versionHash == document.model.versionHash)
  }

  @Test func `PM-05: the model of classes is written as a document and read back`() throws {
    let model = ManagedObjectModel(types: Self.types)
    let text = try ModelDocument(model, versionName: "Archive").contents()
    #expect(try ModelDocument(Array(text.utf8), file: "test").model == model)
  }

  @Test func `PM-09: generated classes are those of a store that is opened for the document`()
    throws
  {
    let container = try PersistentContainer(.temporary, types: Self.types)
    try container.perform { context in
      let archive = try context.insert(Archive.self)
      #expect(archive.name == "the \"main\" one\\n")
      let almanac = try context.insert(Almanac.self)
      almanac.title = "1848"
      almanac.archive = archive
      almanac.class = "A"
      archive.address = Address()
      archive.address?.street = "Long"
      archive.address?.spot = Point()
      #expect(almanac.year == -5 && almanac.ratio == 0.1 && almanac.draft == 3)
      #expect(almanac.price == Decimal(string: "12.5"))
      try context.save()
      #expect(archive.volumes.count == 1)
      #expect(try archive.value("address.street", as: String.self) == "Long")
      almanac.archive = nil
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .validation)
      try context.rollback()
    }
  }
}
