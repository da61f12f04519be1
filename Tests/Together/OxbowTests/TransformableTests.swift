import Oxbow
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct Palette: TransformableValue, Equatable {
  var colors: [String] = []
  var weights: [String: Double] = [:]
  static var attributePlaceholder: Palette { Palette() }
}

@Entity final class Painting: ManagedObject {
  var title: String
  var palette: Palette = Palette(colors: ["white"])
  var frame: TransformedData?
}

/// The same entity as a program without the type sees it.
enum PlainPainting {
  @Entity("Painting") final class Picture: ManagedObject {
    var title: String
    var palette: TransformedData
  }
}

@Suite struct TransformableTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> PersistentContainer {
    try PersistentContainer(.file(folder.file("s.sqlite")), types: [Painting.self])
  }

  @Test func `PM-01: a Transformable attribute keeps values of a type as JSON`() throws {
    let palette = Palette(colors: ["red", "blue"], weights: ["b": 2, "a": 0.5])
    try open().perform { context in
      try context.insert(Painting.self) {
        $0.title = "one"
        $0.palette = palette
        $0.frame = TransformedData(Data([0, 255]))
      }
      try context.insert(Painting.self) { $0.title = "two" }
      try context.save()
    }
    try open().perform { context in
      let paintings = try context.fetch(
        FetchRequest<Painting>(sortedBy: [SortKey("title")]))
      #expect(paintings.map(\.palette) == [palette, Palette(colors: ["white"])])
      #expect(paintings.map(\.frame) == [TransformedData(Data([0, 255])), nil])
      let bytes = try paintings[0].value("palette", as: Data.self)
      #expect(
        bytes.map { String(decoding: $0, as: UTF8.self) }
          == #"{"colors":["red","blue"],"weights":{"a":0.5,"b":2}}"#)
    }
  }

  @Test func `PM-01: a value without JSON is refused at save`() throws {
    try open().perform { context in
      let painting = try context.insert(Painting.self) { $0.title = "one" }
      painting.palette.weights["x"] = .infinity
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .validation)
      #expect(error?.message.contains("which is not a value of type Transformable") == true)
    }
  }

  @Test func `PM-01: bytes that are no JSON of the type are an error of the row`() throws {
    try open().perform { context in
      let painting = try context.insert(Painting.self) { $0.title = "one" }
      try painting.setValue(Data([1]), for: "palette")
      try context.save()
    }
    let error = #expect(throws: PersistenceError.self) {
      try open().perform { context in
        let painting = try #require(try context.fetch(Painting.self).first)
        #expect(painting.palette == Palette())
      }
    }
    #expect(error?.code == .invalidStoredValue)
    #expect(
      error?.message == """
        'palette' of 'Painting/p1' is 1 bytes, which is not a value of 'Palette'; correct the row in \
        the store, or add the case to 'Palette'
        """)
  }

  @Test func `PM-01: a document declares the attribute as a class does`() throws {
    let document = try ModelDocument(
      Array(
        """
        <model><entity name="Painting" representedClassName="Painting">
          <attribute name="title" attributeType="String"/>
          <attribute name="palette" attributeType="Transformable" valueTransformerName="T"/>
        </entity></model>
        """.utf8), file: "test")
    #expect(document.notes.isEmpty)
    _ = try CompiledModel(document.model, classes: [PlainPainting.Picture.self])
  }
}
