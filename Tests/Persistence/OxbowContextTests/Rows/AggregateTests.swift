import OxbowContext
import OxbowModel
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PF-10: groups of objects with keys and aggregates, typed; each answer holds before and after the
/// save.
@Suite struct AggregateTests {
  let ledger: Ledger
  let context: ManagedObjectContext

  init() throws {
    ledger = try Ledger()
    context = ledger.context()
    try ledger.fill(context)
  }

  @Test func `PF-10: the sum per account and month`() throws {
    for _ in 0..<2 {
      let lines = try context.aggregate(Booking.self) {
        (
          account: $0.key(\.account?.number), year: $0.year(\.date), month: $0.month(\.date),
          sum: $0.sum(\.amount), n: $0.count()
        )
      }
      let texts = lines.map { "\($0.account ?? "-") \($0.year)-\($0.month) \($0.sum) \($0.n)" }
      #expect(texts == ["- 2024-1 5 1", "A 2024-1 0.3 2", "A 2024-2 100 1", "B 2025-1 5 2"])
      try context.save()
    }
  }

  @Test func `S-3 with unsaved changes, the store answers for the objects that have none`() throws {
    try context.save()
    let other = ledger.context()
    let bookings = try other.fetch(FetchRequest<Booking>(sortedBy: [SortKey("amount")]))
    try #require(bookings.count > 3)
    bookings[0].units += 100
    bookings[1].text = "moved to another group"
    bookings[1].amount = 7
    try other.delete(bookings[2])
    try ledger.book("11", "2024-03-01T00:00:00Z", nil, other)
    let asking = ledger.context()
    let mine = try asking.existingObject(with: bookings[0].objectID, as: Booking.self)
    mine.units += 100
    let before = asking.statistics.rowsRead
    _ = try asking.aggregate(Booking.self) { (sum: $0.sum(\.units), n: $0.count()) }
    #expect(asking.statistics.rowsRead == before)
    var answers: [[String]] = []
    for _ in 0..<2 {
      let groups = try other.aggregate(Booking.self) {
        (
          text: $0.key(\.text), n: $0.count(), sum: $0.sum(\.amount), units: $0.sum(\.units),
          min: $0.min(\.amount), max: $0.max(\.date), values: $0.count(\.weight)
        )
      }
      let few = try other.aggregate(
        Booking.self, where: .greater("amount", 1), having: { $0.count() > 1 }
      ) { (text: $0.key(\.text), n: $0.count()) }
      answers.append(groups.map { "\($0)" } + few.map { "\($0)" })
      try other.save()
    }
    #expect(answers[0] == answers[1] && answers[0].count > 2)
  }

  @Test func `PF-10: every aggregate has its type, and none of no values`() throws {
    for _ in 0..<2 {
      let none = try context.aggregate(Booking.self, where: .equal("text", "absent")) {
        (
          sum: $0.sum(\.amount), units: $0.sum(\.units), weight: $0.sum(\.weight),
          average: $0.average(\.amount), mean: $0.average(\.units), min: $0.min(\.date),
          max: $0.max(\.text), n: $0.count(), values: $0.count(\.weight),
          different: $0.countDistinct(\.account?.number)
        )
      }
      #expect(none.count == 1)
      let line = try #require(none.first)
      #expect(line.sum == 0 && line.units == 0 && line.weight == 0)
      #expect(line.average == nil && line.mean == nil && line.min == nil && line.max == nil)
      #expect(line.n == 0 && line.values == 0 && line.different == 0)
      let all = try context.aggregate(Booking.self) {
        (
          sum: $0.sum(\.amount), mean: $0.average(\.units), average: $0.average(\.amount),
          min: $0.min(\.amount), max: $0.max(\.date), different: $0.countDistinct(\.account?.number)
        )
      }
      let found = try #require(all.first)
      #expect(found.sum == Decimal(string: "110.3"))
      #expect(found.mean == 1 && found.different == 2 && found.min == -2)
      #expect(found.average == (Decimal(string: "110.3") ?? 0) / 6)
      #expect(found.max == (try Date("2025-01-02T12:00:00Z", strategy: .iso8601)))
      try context.save()
    }
  }

  @Test func `PF-10: conditions on groups and orders by aggregates, also by those of no column`()
    throws
  {
    for _ in 0..<2 {
      let rich = try context.aggregate(
        Booking.self, having: { $0.sum(\.amount) > 4 && $0.count() < 3 },
        sortedBy: { [.descending($0.max(\.amount))] }
      ) { $0.key(\.account?.number) }
      #expect(rich == ["B", nil])
      let top = try context.aggregate(
        Booking.self, sortedBy: { [.descending($0.sum(\.amount))] }, limit: 1, offset: 1
      ) { (number: $0.key(\.account?.number), sum: $0.sum(\.amount)) }
      #expect(top.map(\.number) == [nil] && top.map(\.sum) == [5])
      try context.save()
    }
  }

  @Test func `PF-10: keys are objects, too, and a row is any type`() throws {
    struct Line: Equatable { var account: ManagedObjectID?, n: Int }
    for _ in 0..<2 {
      let lines = try context.aggregate(Booking.self, where: .isNotNil("account")) {
        Line(account: $0.key(\.account), n: $0.count())
      }
      let accounts = try context.fetch(Account.self, sortedBy: [.ascending(\.number)])
      #expect(
        lines == [
          Line(account: accounts[0].objectID, n: 3), Line(account: accounts[1].objectID, n: 2),
        ])
      try context.save()
    }
  }

  @Test func `PF-10: a time zone decides the parts of a date`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    for _ in 0..<2 {
      let lines = try context.aggregate(
        Booking.self, where: #Predicate { $0.account?.number == "A" }
      ) {
        (
          month: $0.month(\.date, in: berlin), day: $0.day(\.date, in: berlin),
          hour: $0.hour(\.date, in: berlin), weekday: $0.weekday(\.date), n: $0.count()
        )
      }
      #expect(
        lines.map { [$0.month, $0.day, $0.hour, $0.weekday, $0.n] }
          == [[1, 5, 11, 6, 1], [2, 1, 0, 4, 1], [2, 1, 1, 5, 1]])
      try context.save()
    }
  }

  @Test func `PF-10: a sum that does not fit is an error, saved or not`() throws {
    for booking in try context.fetch(Booking.self) { booking.units = .max }
    for _ in 0..<2 {
      let error = #expect(throws: PersistenceError.self) {
        try context.aggregate(Booking.self) { $0.sum(\.units) }
      }
      #expect(error?.code == .invalidPredicate)
      #expect(
        error?.message
          == "a sum does not fit into a whole number of 64 bits; sum fewer objects, or take the average"
      )
      #expect(try context.aggregate(Booking.self) { $0.average(\.units) } == [0x1p63])
      try context.save()
    }
  }

  @Test func `PF-10: without pending changes, the store alone answers`() throws {
    func sums(_ includesPendingChanges: Bool) throws -> [Decimal] {
      try context.aggregate(Booking.self, includesPendingChanges: includesPendingChanges) {
        $0.sum(\.amount)
      }
    }
    #expect(try sums(false) == [0])
    try context.save()
    try ledger.book("1", "2024-01-01T00:00:00Z", nil, context)
    #expect(try sums(false) == [Decimal(string: "110.3")])
    #expect(try sums(true) == [Decimal(string: "111.3")])
  }

  @Test func `PF-10: a path without ? where there is no value is an error`() throws {
    for _ in 0..<2 {
      let error = #expect(throws: PersistenceError.self) {
        try context.aggregate(Booking.self) { $0.key(\.account!.number) }
      }
      #expect(error?.code == .invalidStoredValue)
      #expect(
        error?.message
          == "the column 'account.number' has no value in one of the groups, and a path without '?' "
          + "promises one; 'fetchRows(RowRequest(…))' has groups whose values may be missing"
      )
      try context.save()
    }
  }

  @Test func `PF-10: a closure that asks for other things each time is an error`() throws {
    var calls = 0
    let error = #expect(throws: PersistenceError.self) {
      try context.aggregate(Booking.self) { group -> Int in
        calls += 1
        return calls == 1 ? group.count() : group.sum(\.units)
      }
    }
    #expect(error?.message.contains("asked for something (sum)") == true)
  }

  @Test func `PF-10: a condition or an order about no column names the columns`() throws {
    let error = #expect(throws: PersistenceError.self) {
      try context.aggregate(Booking.self, having: { $0.month(\.date) == 1 }) {
        (year: $0.year(\.date), n: $0.count())
      }
    }
    #expect(
      error?.message == """
        'month(date)' is not a column of the result; write 'count()', 'year(date)', or an aggregate \
        such as 'sum(…)' or 'count()'
        """)
  }

  @Test func `PF-10: a step that is not stored is an error`() throws {
    let error = #expect(throws: PersistenceError.self) {
      try context.aggregate(Booking.self) { ($0.key(\.shout), $0.count()) }
    }
    #expect(error?.code == .invalidPredicate)
    #expect(
      error?.message.contains("the step is not a stored property of the entity 'Booking'") == true)
  }
}

extension Booking { fileprivate var shout: String? { text?.uppercased() } }
