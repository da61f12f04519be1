import OxbowContext
import OxbowModel
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PF-07 and PF-10: rows of values in place of objects, by names; each answer holds before and
/// after the save.
@Suite struct RowRequestTests {
  let ledger: Ledger
  let context: ManagedObjectContext

  init() throws {
    ledger = try Ledger()
    context = ledger.context()
    try ledger.fill(context)
  }

  func texts(_ request: RowRequest) throws -> [String] {
    try context.fetchRows(request).map(\.description)
  }

  @Test func `PF-07: properties of each object, and computed ones, in an order`() throws {
    for _ in 0..<2 {
      let request = RowRequest(
        "Booking", ["account.number as account", "amount", "units + 1 as more"],
        where: .greater("amount", 1), sortedBy: [.descending("amount")], limit: 2)
      #expect(
        try texts(request) == [
          #"[account: "A", amount: 100, more: 2]"#, #"[account: "B", amount: 7, more: 2]"#,
        ])
      try context.save()
    }
  }

  @Test func `PF-07: distinct rows, and objects by their IDs`() throws {
    for _ in 0..<2 {
      var request = RowRequest(
        "Booking", ["account"], sortedBy: [.descending("account")])
      request.returnsDistinctResults = true
      let accounts = try context.fetch(Account.self, sortedBy: [.descending(\.number)])
      #expect(
        try context.fetchRows(request).map { try $0.objectID("account") }
          == accounts.map(\.objectID) + [nil])
      request.columns = ["SELF as object"]
      request.order = []
      let objects = try context.fetchRows(request).compactMap { try $0.objectID("object") }
      #expect(objects == (try context.fetchIDs(Booking.self)))
      #expect(
        objects.map(\.entityName).sorted() == Array(repeating: "Booking", count: 5) + ["Refund"])
      try context.save()
    }
  }

  @Test func `PF-07: without entities below`() throws {
    for _ in 0..<2 {
      var request = RowRequest("Booking", ["count()"])
      request.includesSubentities = false
      #expect(try texts(request) == ["[count(): 5]"])
      #expect(
        try texts(RowRequest("Refund", ["count()", "sum(amount)"])) == [
          "[count(): 1, sum(amount): -2]"
        ])
      try context.save()
    }
  }

  @Test func `PF-10: groups by names, with a condition on them`() throws {
    for _ in 0..<2 {
      let request = RowRequest(
        "Booking", ["account.number as account", "month(date) as month", "sum(amount) as total"],
        having: try FetchPredicate(format: "total >= 5 AND count(amount) < 2"),
        sortedBy: [.descending("total")])
      #expect(
        try texts(request) == [
          #"[account: "A", month: 2, total: 100]"#, "[account: nil, month: 1, total: 5]",
        ])
      try context.save()
    }
  }

  @Test func `PF-10: groups by what the result does not have`() throws {
    for _ in 0..<2 {
      var request = RowRequest("Booking", ["count() as n"], groupedBy: ["account"])
      #expect(try texts(request) == ["[n: 1]", "[n: 3]", "[n: 2]"])
      request.groupedBy = ["year(date)", "account"]
      request.returnsDistinctResults = true
      #expect(try texts(request) == ["[n: 1]", "[n: 2]", "[n: 3]"])
      try context.save()
    }
  }

  @Test func `PF-10: sums of computed values, and values of many objects`() throws {
    for _ in 0..<2 {
      #expect(
        try texts(RowRequest("Booking", ["sum(units * 2 + 1) as s"], having: .equal("s", 18)))
          == ["[s: 18]"])
      #expect(
        try texts(RowRequest("Booking", ["sum(units * 2 + 1) as s"], having: .equal("s", 17)))
          == [])
      #expect(
        try texts(
          RowRequest(
            "Account", ["number", "bookings.@count as n", "bookings.@sum.amount as s"],
            sortedBy: [.ascending("s")]))
          == [#"[number: "B", n: 2, s: 5]"#, #"[number: "A", n: 3, s: 100.3]"#])
      try context.save()
    }
  }

  @Test func `PF-07: values are read by name and type`() throws {
    for _ in 0..<2 {
      let row = try #require(
        try context.fetchRows(
          RowRequest("Booking", ["sum(amount) as total", "max(text) as last"])
        ).first)
      #expect(try row.value("total", as: Decimal.self) == Decimal(string: "110.3"))
      #expect(try row.value("last", as: String.self) == nil)
      #expect(row["last"] == .null && row["absent"] == nil)
      #expect(row.dictionary == ["total": .attribute(.decimal(Decimal(string: "110.3") ?? 0))])
      #expect(row.columnNames == ["total", "last"])
      let unknown = #expect(throws: PersistenceError.self) { try row.value("totl", as: Int.self) }
      #expect(
        unknown?.description
          == "the row has no column 'totl'; it has 'last', 'total'\n  did you mean: 'total'?")
      let other = #expect(throws: PersistenceError.self) { try row.value("total", as: Int.self) }
      #expect(other?.message == "the column 'total' has 110.3, which cannot be read as 'Int'")
      try context.save()
    }
  }

  static let refused: [(RowRequest, String)] = [
    (
      RowRequest("Booking", ["amout"]),
      """
      the entity 'Booking' has no property 'amout'; it has 'account', 'amount', 'date', 'text', \
      'units', 'weight'
        did you mean: 'amount'?
      """
    ),
    (
      RowRequest("Booking", ["sum(text)"]),
      "the column 'sum(text)' cannot be taken of text; it needs numbers"
    ),
    (
      RowRequest("Booking", ["avg(date) as mean"]),
      "the column 'mean' cannot be taken of a date; it needs numbers"
    ),
    (
      RowRequest("Booking", ["month(amount)", "count()"]),
      "the column 'month(amount)' takes a part of a decimal number; it needs a date"
    ),
    (
      RowRequest("Account", ["bookings.amount", "count()"]),
      """
      the column 'bookings.amount' needs one value of each object, and 'bookings.amount' passes \
      through a to-many relationship; count them with 'bookings.amount.@count'
      """
    ),
    (
      RowRequest("Account", ["number", "sum(bookings.amount) as s"]),
      """
      the column 's' needs one value of each object, and 'bookings.amount' passes through a \
      to-many relationship; fetch the objects at its other end
      """
    ),
    (
      RowRequest("Booking", ["account", "sum(amount) as total"], having: .greater("totl", 5)),
      """
      'totl' is not a column of the result; write 'account', 'total', or an aggregate such as \
      'sum(…)' or 'count()'
        did you mean: 'total'?
      """
    ),
    (
      RowRequest("Booking", ["amount"], having: .greater("amount", 5)),
      """
      a condition on groups needs groups: fetch an aggregate such as 'count()', or write the \
      condition as one on the objects
      """
    ),
    (
      RowRequest("Booking", ["amount"], sortedBy: [.ascending("date")]),
      "'date' is not a column of the result; write 'amount'"
    ),
    (
      RowRequest("Booking", ["text", "count()"], groupedBy: ["account"]),
      """
      the objects of a group can have several values of 'text': add it to 'groupedBy', or take \
      one value of all with min or max
      """
    ),
    (
      RowRequest("Booking", ["count()"], groupedBy: ["sum(amount)"]),
      "'sum(amount)' is a value of a group and cannot make groups"
    ),
    (
      RowRequest("Booking", ["date", "amount as date"]),
      "two columns are called 'date'; give one of them another name with 'as'"
    ),
    (RowRequest("Booking", [], groupedBy: ["date"]), "a fetch of rows needs at least one column"),
    (
      RowRequest("Booking", ["sum(amount"]),
      """
      the column cannot be read at column 11: expected ')', but found the end
        text: sum(amount
                        ^
      """
    ),
    (
      RowRequest("Booking", ["hour(date, 'Europe/Berlim')"]),
      """
      the column cannot be read at column 12: there is no time zone 'Europe/Berlim'
        text: hour(date, 'Europe/Berlim')
                         ^^^^^^^^^^^^^^^
      """
    ),
    (
      RowRequest("Booking", ["count()"], having: .any("bookings", .equal("text", "x"))),
      """
      'any bookings (text == "x")' is about objects, and a condition on groups is about their \
      columns; write it as the condition of the objects
      """
    ),
    (
      RowRequest("Bookng", ["count()"]),
      "the model has no entity 'Bookng'; it has 'Account', 'Booking', 'Refund'\n  did you mean: 'Booking'?"
    ),
  ]

  @Test(arguments: refused.indices)
  func `PF-10: what cannot be answered is refused alike, saved or not`(index: Int) throws {
    let (request, text) = Self.refused[index]
    for _ in 0..<2 {
      let error = #expect(throws: PersistenceError.self) { try context.fetchRows(request) }
      #expect(error?.description == text)
      try context.save()
    }
  }

  @Test func `PF-07: a fetch without pending changes finds what is saved`() throws {
    var request = FetchRequest<Booking>()
    request.includesPendingChanges = false
    #expect(try context.count(request) == 0)
    #expect(try context.fetch(request).isEmpty && context.fetchIDs(request).isEmpty)
    try context.save()
    try context.delete(try #require(try context.fetch(Refund.self).first))
    #expect(try context.count(request) == 6)
    #expect(try context.fetchIDs(request).count == 6)
    #expect(try context.count(FetchRequest<Booking>()) == 5)
  }
}
