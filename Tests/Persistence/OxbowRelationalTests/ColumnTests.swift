import OxbowModel
import OxbowRelational
import OxbowStore
import Testing

/// PF-07 and PF-10: selects of values.
@Suite struct ColumnTests {
  let mapping: StoreMapping

  init() throws { mapping = try libraryMapping() }

  func statement(
    _ columns: [FetchColumn], of name: String = "Book", where predicate: FetchPredicate? = nil,
    groupedBy: [FetchColumn]? = nil, having: FetchPredicate? = nil, sortedBy: [RowOrder] = [],
    isDistinct: Bool = false, limit: Int? = nil, offset: Int = 0
  ) throws -> ColumnStatement {
    let entity = try mapping.model.requireEntity(named: name)
    var query = try ColumnQuery(
      entity: entity.index, columns: columns, groupedBy: groupedBy, having: having,
      sortedBy: sortedBy, isDistinct: isDistinct)
    query.predicate = predicate
    query.limit = limit
    query.offset = offset
    return try SelectGenerator(mapping: mapping, store: storeID).columns(
      query, RowShape(of: entity, includesSubentities: true, in: mapping))
  }

  @Test
  func `PF-10: groups are made of the columns that are no aggregates, and follow in their order`()
    throws
  {
    let statement = try statement(
      ["shelf.rowid", "month(printed, 'Europe/Berlin')", "sum(pages)", "sum(weight)", "count()"],
      where: .greater("pages", 3))
    #expect(
      statement.sql.text == """
        SELECT t1."Shelf_rowid" AS "#0", oxbow_date_part(t0."printed", 'month', ?) AS "#1", \
        coalesce(sum(t0."pages"), 0) AS "#2", total(t0."weight") AS "#3", count(*) AS "#4" \
        FROM "Book" AS t0 LEFT JOIN "Shelf" AS t1 ON t1."_id" = t0."shelf" \
        WHERE t0."pages" > ? GROUP BY "#0", "#1" ORDER BY "#0", "#1"
        """)
    #expect(statement.sql.values == [.text("Europe/Berlin"), .integer(3)])
    #expect(statement.types == [.string, .integer64, .integer64, .double, .integer64])
  }

  @Test func `PF-10: a condition on groups names columns, and aggregates that are none`() throws {
    let statement = try statement(
      ["price", "count() as n"], having: try FetchPredicate(format: "n > 1 AND sum(pages) > 9"),
      sortedBy: [.descending("n"), .ascending("max(title)")], limit: 5, offset: 2)
    #expect(
      statement.sql.text == """
        SELECT t0."price" AS "#0", count(*) AS "#1", coalesce(sum(t0."pages"), 0) AS "#2", \
        max(t0."title") AS "#3" FROM "Book" AS t0 GROUP BY "#0" COLLATE oxbow_decimal \
        HAVING ("#1" > ? AND "#2" > ?) \
        ORDER BY "#1" DESC, "#3", "#0" COLLATE oxbow_decimal LIMIT ? OFFSET ?
        """)
    #expect(statement.cells.map(\.name) == ["price", "n"])
  }

  @Test func `PF-10: a condition on one group of all is around the select`() throws {
    #expect(
      try statement(["avg(price) as a"], having: .greater("a", 1)).sql.text == """
        SELECT * FROM (SELECT oxbow_decimal_average(t0."price") AS "#0" FROM "Book" AS t0) \
        WHERE "#0" COLLATE oxbow_decimal > ?
        """)
  }

  @Test func `PF-07: distinct rows are groups, so that equal decimals are one`() throws {
    #expect(
      try statement(["price", "title"], sortedBy: [.descending("title")], isDistinct: true).sql.text
        == """
        SELECT * FROM (SELECT t0."price" AS "#0", t0."title" AS "#1" FROM "Book" AS t0) \
        GROUP BY "#0" COLLATE oxbow_decimal, "#1" \
        ORDER BY "#1" DESC, "#0" COLLATE oxbow_decimal
        """)
  }

  @Test
  func `PF-07: rows of objects follow in the order of their keys, and objects know their entity`()
    throws
  {
    let statement = try statement(["author", "SELF", "pages * 2"])
    #expect(
      statement.sql.text == """
        SELECT t0."author" AS "#0", t0."_author_type" AS "#0e", t0."_id" AS "#1", \
        (t0."pages" * ?) AS "#2" FROM "Book" AS t0 ORDER BY t0."_id"
        """)
    #expect(statement.cells.map(\.column) == [0, 2, 3])
    #expect(statement.cells.map(\.entityColumn) == [1, nil, nil])
  }

  @Test func `PF-10: too many columns for an order are refused`() throws {
    let columns = (0..<61).map { FetchColumn("pages + \($0)") }
    let error = #expect(throws: PersistenceError.self) {
      try statement(columns, isDistinct: true)
    }
    #expect(
      error?.message
        == "61 columns make groups and orders, and a store takes up to 60")
  }
}
