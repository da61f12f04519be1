import OxbowDocuments
import OxbowModel
import Testing

/// Fetch indexes of intervals and areas in models.
@Suite struct BoxModelTests {
  private func entity(_ elements: [FetchIndexDescription.Element]) -> EntityDescription {
    let types: [(String, AttributeType)] = [
      ("begin", .date), ("end", .date), ("low", .integer16), ("high", .double), ("price", .decimal),
      ("title", .string), ("isOpen", .boolean),
    ]
    return EntityDescription(
      "Booking", attributes: types.map { AttributeDescription($0.0, $0.1) },
      relationships: [RelationshipDescription("room", to: "Booking")],
      fetchIndexes: [FetchIndexDescription("i", elements: elements)])
  }

  private func problems(_ names: String...) -> [String] {
    let entity = entity(names.map { .init($0, type: .rTree) })
    do throws(PersistenceError) {
      try ManagedObjectModel(entities: [entity]).validate()
      return []
    } catch { return error.problems.isEmpty ? [error.message] : error.problems.map(\.message) }
  }

  private func problem(_ reason: String) -> [String] {
    ["fetch index 'i' of entity 'Booking' cannot be kept: \(reason)"]
  }

  @Test func `PS-15 pairs of dates and of numbers make an index of boxes`() throws {
    #expect(problems("begin", "end") == [])
    #expect(problems("begin", "end", "low", "high") == [])
    let index = FetchIndexDescription("i", rTree: "begin", "end")
    #expect(index.elements.map(\.property) == ["begin", "end"])
    #expect(index.elements.allSatisfy { $0.type == .rTree && $0.isAscending })
  }

  @Test func `PS-15 an index of boxes that cannot be kept is refused with the reason`() {
    let count =
      "an RTree index has 2, 4, 6, 8 or 10 elements, the begin and the end of each dimension, and "
      + "this one has "
    #expect(
      problems("begin")
        == problem(count + "1; values by themselves need an index of type Binary"))
    #expect(problems("begin", "end", "low") == problem(count + "3"))
    #expect(
      problems("begin", "end", "begin", "end")
        == problem("it names 'begin' twice; points need an index of type Binary"))
    #expect(
      problems("low", "price")
        == problem(
          "'price' is Decimal, and an RTree index has dates and numbers other than decimal ones"))
    #expect(
      problems("isOpen", "low")
        == problem(
          "'isOpen' is Boolean, and an RTree index has dates and numbers other than decimal ones"))
    #expect(
      problems("begin", "low")
        == problem(
          "'begin' and 'low' are the ends of one dimension, and their types are Date and Integer 16"
        ))
    #expect(
      problems("low", "room")
        == problem("'room' is a relationship, and an RTree index has dates and numbers"))
    let mixed = entity([.init("begin", type: .rTree), .init("end")])
    #expect(throws: PersistenceError.self) {
      try ManagedObjectModel(entities: [mixed]).validate()
    }
  }

  @Test func `PS-15 the type of an element is part of the hash, and its direction is not then`() {
    let binary = entity([.init("begin"), .init("end")])
    let boxes = entity([.init("begin", type: .rTree), .init("end", type: .rTree)])
    let descending = entity([
      .init("begin", isAscending: false, type: .rTree), .init("end", type: .rTree),
    ])
    #expect(binary.versionHash != boxes.versionHash)
    #expect(descending.versionHash == boxes.versionHash)
  }

  private func read(_ index: String, file: String = "m") throws -> ModelDocument {
    try ModelDocument(
      Array(
        """
        <model><entity name="Stay">
        <attribute name="begin" attributeType="Date"/><attribute name="end" attributeType="Date"/>
        <attribute name="price" attributeType="Decimal"/>
        <fetchIndex name="i">\(index)</fetchIndex>
        </entity></model>
        """.utf8), file: file)
  }

  private func element(_ name: String, _ order: String = "ascending") -> String {
    "<fetchIndexElement property=\"\(name)\" type=\"RTree\" order=\"\(order)\"/>"
  }

  @Test func `PS-15 documents have indexes of boxes as Xcode writes them`() throws {
    let document = try read(element("begin") + element("end"))
    #expect(document.notes.isEmpty)
    let index = try #require(document.model.entities.first?.fetchIndexes.first)
    #expect(index == FetchIndexDescription("i", rTree: "begin", "end"))
    let text = try ModelWriter.text(document.model)
    #expect(text.contains("\"begin\" type=\"RTree\" order=\"ascending\"/>"))
    #expect(try ModelDocument(Array(text.utf8), file: "n").model == document.model)
  }

  @Test func `PS-15 an index of boxes that a document has and no store can keep is noted`() throws {
    let document = try read(element("begin") + element("price"))
    #expect(document.model.entities.first?.fetchIndexes == [])
    #expect(
      document.notes.map(\.description) == [
        "m:1:8: note: fetch index 'i' of entity 'Stay' is not used: 'price' is Decimal, and an RTree "
          + "index has dates and numbers other than decimal ones"
      ])
    let other = try read("<fetchIndexElement property=\"begin\" type=\"Quad\"/>")
    #expect(other.notes.count == 1)
  }

  // MARK: Conditions

  @Test func `PS-15 overlapping is plain comparisons`() throws {
    #expect(
      FetchPredicate.overlaps("low", "high", 3...7).description == "low <= 7 and high >= 3")
    #expect(FetchPredicate.overlaps("low", "high", 3..<7).description == "low < 7 and high > 3")
    #expect(FetchPredicate.overlaps("low", "high", 3..<3) == .constant(false))
  }

  @Test func `PS-15 a box over the date line is two boxes`() throws {
    let box = BoundingBox(south: -20, north: -15, west: 175, east: -175)
    #expect(box.crossesDateLine)
    #expect(
      FetchPredicate.within(latitude: "lat", longitude: "lon", box).description
        == "(lat >= -20.0 and lat <= -15.0 and lon >= 175.0 and lon <= 180.0) or "
        + "(lat >= -20.0 and lat <= -15.0 and lon >= -180.0 and lon <= -175.0)")
    let small = BoundingBox(south: 52, north: 53, west: 13, east: 14)
    #expect(
      FetchPredicate.within(latitude: "lat", longitude: "lon", small).description
        == "lat >= 52.0 and lat <= 53.0 and lon >= 13.0 and lon <= 14.0")
    #expect(
      FetchPredicate.overlaps(south: "s", north: "n", west: "w", east: "e", small).description
        == "s <= 53.0 and n >= 52.0 and w <= 14.0 and e >= 13.0")
  }
}
