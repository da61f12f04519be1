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

  private static let models = PackageFolder.path("Tests/Together/Models/")

  private let folder = models + "Archive.xcdatamodel"

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

  // MARK: - Scalars

  @Test func `P6: classes with scalars declare the entities of their document`() throws {
    let document = try ModelDocument(contentsOf: Self.models + "Odometers.xcdatamodel")
    let model = ManagedObjectModel(types: [Odometer.self])
    #expect(model.entity(named: "Odometer") == document.model.entity(named: "Odometer"))
    #expect(model.versionHash == document.model.versionHash)
  }

  @Test func `P6: a scalar without a value reads as zero, and stays without one`() throws {
    let container = try PersistentContainer(.temporary, types: [Odometer.self])
    let context = container.makeContext()
    let counter = try context.insert(Odometer.self)
    #expect(counter.draft == 0 && counter.hits == 0 && !counter.isOn)
    #expect(counter.ratio == 0 && counter.views == 0 && counter.weight == 0)
    #expect(counter.rank == 3)
    try context.save()
    let other = container.makeContext()
    let read = try #require(try other.fetch(Odometer.self).first)
    #expect(read.hits == 0 && !read.isOn && read.ratio == 0 && read.views == 0)
    #expect(try read.attribute("hits") == nil)
    #expect(try read.committedValue(of: \.hits) == nil)
    #expect(!read.hasChanges && !other.hasChanges)
    // What was forgotten by hand reads as zero again.
    try read.setValue(nil as Int16?, for: "rank")
    #expect(read.rank == 0)
    try other.rollback()
    #expect(read.rank == 3)
    counter.hits += 2
    counter.isOn = true
    counter.draft = 7
    #expect(counter.draft == 7)
    try context.save()
    try other.refresh(read, mergingChanges: false)
    #expect(read.hits == 2 && read.isOn)
  }

  @Test(arguments: [true, false])
  func `P6: conditions and groups see that a scalar has no value`(saved: Bool) throws {
    let container = try PersistentContainer(.temporary, types: [Odometer.self])
    let context = container.makeContext()
    try context.insert(Odometer.self) { $0.name = "none" }
    try context.insert(Odometer.self) { ($0.name, $0.hits) = ("zero", 0) }
    try context.insert(Odometer.self) { ($0.name, $0.hits) = ("two", 2) }
    if saved { try context.save() }
    func names(_ condition: FetchPredicate) throws -> [String?] {
      try context.fetch(Odometer.self, where: condition, sortedBy: [.ascending(\.name)]).map(\.name)
    }
    #expect(try names(.equal("hits", 0)) == ["zero"])
    #expect(try names(.isNil("hits")) == ["none"])
    #expect(try names(.less("hits", 1)) == ["zero"])
    let sorted = try context.fetch(Odometer.self, sortedBy: [.ascending(\.hits)])
    #expect(sorted.map(\.name) == ["none", "zero", "two"])
    #expect(try context.aggregate(Odometer.self) { $0.sum(\.hits) } == [2])
    let error = #expect(throws: PersistenceError.self) {
      try context.aggregate(Odometer.self) { ($0.key(\.hits), $0.count()) }
    }
    #expect(error?.code == .invalidStoredValue)
  }

  @Test func `P6: batches and increments of scalars`() throws {
    let container = try PersistentContainer(.temporary, types: [Odometer.self])
    let context = container.makeContext()
    let counter = try context.insert(Odometer.self) { $0.name = "a" }
    try context.save()
    let error = #expect(throws: PersistenceError.self) {
      try context.increment(\Odometer.views, of: counter, by: 5)
    }
    #expect(error?.code == .validation)
    try context.batchUpdate(Odometer.self) { $0.set(\.views, to: 4) }
    try context.refresh(counter, mergingChanges: false)
    try context.increment(\Odometer.views, of: counter, by: 5)
    try context.save()
    #expect(counter.views == 9)
    counter.rank = 0
    #expect(throws: PersistenceError.self) { try context.save() }
  }
}
