import OxbowModel
import OxbowRelational
import OxbowStore
import Testing

/// The filter in front of conditions on intervals.
@Suite struct BoxFilterTests {
  private let mapping: StoreMapping

  init() throws {
    let attributes: [(String, AttributeType)] = [
      ("low", .integer64), ("high", .integer64), ("x1", .double), ("x2", .double),
    ]
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Area",
        attributes: attributes.map { AttributeDescription($0.0, $0.1, isOptional: true) },
        relationships: [
          RelationshipDescription("parent", to: "Area", inverse: "parts", isOptional: true),
          RelationshipDescription("parts", to: "Area", inverse: "parent", isToMany: true),
        ],
        fetchIndexes: [
          FetchIndexDescription("a", rTree: "low", "high"),
          FetchIndexDescription("b", rTree: "low", "high", "x1", "x2"),
        ])
    ])
    mapping = PlainLayout.mapping(of: try CompiledModel(model))
  }

  /// The condition of a fetch, with the values of its parameters.
  private func condition(
    _ predicate: FetchPredicate, stored: [BoxIndex]? = nil
  ) throws -> (text: String, values: [String]) {
    var fetch = StoreFetch(entity: 0)
    fetch.predicate = predicate
    let boxes = BoxPlan(mapping, stored ?? mapping.tables.flatMap(\.boxes))
    let shape = RowShape(of: mapping.model.entities[0], includesSubentities: true, in: mapping)
    let sql = try SelectGenerator(mapping: mapping, store: storeID, boxes: boxes).keys(fetch, shape)
    let start = try #require(sql.text.firstRange(of: " WHERE "))
    let end = try #require(sql.text.firstRange(of: " ORDER BY "))
    let text = sql.text[start.upperBound..<end.lowerBound]
      .replacing("SELECT \"_id\" FROM \"_oxbow_boxes_Area_", with: "")
      .replacing("_tree\" WHERE ", with: ": ")
    return (String(text), sql.values.map(\.description))
  }

  private func text(_ predicate: FetchPredicate) throws -> String { try condition(predicate).text }

  private let low = "t0.\"low\" <= ?"
  private let high = "t0.\"high\" >= ?"
  private var filter: String { "t0.\"_id\" IN (a: \"low\" <= ? AND \"high\" >= ?)" }
  private let overlap = FetchPredicate.overlaps("low", "high", 3...7)

  @Test func `PS-15 comparisons that hold together get one filter, and stay`() throws {
    #expect(try text(overlap) == "(\(filter) AND \(low) AND \(high))")
    #expect(try condition(overlap).values == ["7", "3", "7", "3"])
    let nested = FetchPredicate.and([.and([.lessOrEqual("low", 7)]), .greaterOrEqual("high", 3)])
    #expect(try text(nested) == "(\(filter) AND \(low) AND \(high))")
    let twice = FetchPredicate.and([overlap, .equal("x1", nil)])
    #expect(try text(twice) == "(\(filter) AND (\(low) AND \(high)) AND t0.\"x1\" IS NULL)")
  }

  @Test func `PS-15 the narrowest limits and the index with the most dimensions are taken`() throws
  {
    let predicate = FetchPredicate.and([
      overlap, .less("low", 6), .overlaps("x1", "x2", 0.5...1.5),
    ])
    let found = try condition(predicate)
    #expect(
      found.text.hasPrefix(
        "(t0.\"_id\" IN (b: \"low\" <= ? AND \"high\" >= ? AND \"x1\" <= ? AND \"x2\" >= ?) AND "))
    #expect(found.values.prefix(4) == ["6.0", "3.0", "1.5", "0.5"])
  }

  @Test func `PS-15 limits are clamped to what the index can have`() throws {
    let whole = FetchPredicate.overlaps("low", "high", (-5_000_000_000)...5_000_000_000)
    #expect(
      try condition(whole).values == ["2147483647", "-2147483648", "5000000000", "-5000000000"])
    let far = FetchPredicate.overlaps("x1", "x2", -1e300 ... .infinity)
    #expect(
      try condition(far).values.prefix(2) == ["3.4028234663852886e+38", "-3.4028234663852886e+38"])
    let cut = FetchPredicate.and([
      .comparison(.path(["low"]), .less, .value(.attribute(.double(2.5)))),
      .comparison(.path(["high"]), .greater, .value(.attribute(.double(-2.5)))),
    ])
    #expect(try condition(cut).values.prefix(2) == ["2", "-2"])
  }

  @Test func `PS-15 each box of an OR has its filter, a NOT has none, and one end alone neither`()
    throws
  {
    #expect(
      try text(.or([overlap, overlap]))
        == "((\(filter) AND \(low) AND \(high)) OR (\(filter) AND \(low) AND \(high)))")
    #expect(try !text(.not(overlap)).contains(" IN ("))
    #expect(try !text(.between("low", 3...7)).contains(" IN ("))
    #expect(try !text(.and([.less("low", 3), .less("high", 3)])).contains(" IN ("))
    let columns = FetchPredicate.and([
      .comparison(.path(["low"]), .less, .path(["high"])), .greater("high", 3),
    ])
    #expect(try !text(columns).contains(" IN ("))
    let missing = FetchPredicate.and([.less("low", 3), .equal("high", nil)])
    #expect(try !text(missing).contains(" IN ("))
  }

  @Test func `PS-15 a filter follows paths, and is in the select of members`() throws {
    #expect(
      try text(.overlaps("parent.low", "parent.high", 3...7))
        .hasPrefix("(t1.\"_id\" IN (a: \"low\" <= ? AND \"high\" >= ?) AND t1.\"low\" <= ?"))
    #expect(try text(.any("parts", overlap)).contains("\"_id\" IN (a: "))
  }

  @Test func `PS-15 an index that the store has otherwise is not asked`() throws {
    #expect(try condition(overlap, stored: []).text == "(\(low) AND \(high))")
  }
}
