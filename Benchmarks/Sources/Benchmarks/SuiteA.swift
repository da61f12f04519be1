import CBaseline
import Foundation
import OxbowRuntime

/// Suite A of the checklist: sums for each account and month over 1,000,000 entries, 600 groups.
///
/// Raw is the same question as a statement that C steps through, collecting the lines.
struct SuiteA {
  let directory: URL
  let rows = 1_000_000
  let rounds = 7

  func run(_ selection: [Substring]) throws {
    let path = directory.appending(path: "entries.sqlite").path
    let coordinator = try coordinator(at: path)
    defer { coordinator.close() }
    try fill(coordinator)
    let context = ManagedObjectContext(coordinator: coordinator)
    for question in try questions(context) {
      guard selection.isEmpty || selection == [Substring(question.part)] else { continue }
      let medians = try interleaved(
        rounds: rounds,
        [{ try ours(question.ask) }, { try raw(path, question.statement) }])
      print(
        Measurement(
          suite: "A", name: question.name, ours: medians[0], baseline: "C", theirs: medians[1],
          target: "1.05"
        ).line)
    }
  }

  private struct Question {
    let part: String
    let name: String
    let statement: String
    /// Asks it, and returns the number of groups.
    let ask: () throws -> Int
  }

  private func questions(_ context: ManagedObjectContext) throws -> [Question] {
    [
      Question(
        part: "integer", name: "integer sum by account and month",
        statement: "SELECT account, month, sum(cents) FROM Entry GROUP BY account, month"
      ) {
        try context.aggregate(Entry.self) {
          (account: $0.key(\.account), month: $0.key(\.month), sum: $0.sum(\.cents))
        }.count
      },
      Question(
        part: "decimal", name: "exact decimal sum, C an inexact one",
        statement: "SELECT account, month, sum(amount) FROM Entry GROUP BY account, month"
      ) {
        try context.aggregate(Entry.self) {
          (account: $0.key(\.account), month: $0.key(\.month), sum: $0.sum(\.amount))
        }.count
      },
      Question(
        part: "date", name: "integer sum by account and month of a date",
        statement: "SELECT account, strftime('%m', date + 978307200, 'unixepoch'), sum(cents) "
          + "FROM Entry GROUP BY 1, 2"
      ) {
        try context.aggregate(Entry.self) {
          (account: $0.key(\.account), month: $0.month(\.date), sum: $0.sum(\.cents))
        }.count
      },
    ]
  }

  private func ours(_ ask: () throws -> Int) throws -> Double {
    let elapsed = try processorNanoseconds {
      guard try ask() == 600 else {
        throw BenchmarkFailure(description: "there should be 600 groups")
      }
    }
    return elapsed / Double(rows)
  }

  private func raw(_ path: String, _ statement: String) throws -> Double {
    var groups: Int64 = 0
    let elapsed = try processorNanoseconds {
      guard baseline_groups(path, statement, &groups) == 0, groups == 600 else {
        throw BenchmarkFailure(description: "the C baseline failed")
      }
    }
    return elapsed / Double(rows)
  }

  private func coordinator(at path: String) throws -> PersistentStoreCoordinator {
    let types: [any ModelObject.Type] = [Entry.self]
    return try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: .file(path))
  }

  private func fill(_ coordinator: PersistentStoreCoordinator) throws {
    var state: UInt64 = 7
    func random(_ count: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % count)
    }
    for _ in 0..<20 {
      let context = ManagedObjectContext(coordinator: coordinator)
      for _ in 0..<(rows / 20) {
        let entry = try context.insert(Entry.self)
        entry.account = random(50)
        entry.month = random(12) + 1
        entry.cents = random(100_000) - 20_000
        entry.amount = Decimal(entry.cents) / 100
        entry.date = Date(timeIntervalSinceReferenceDate: Double(random(300_000_000)))
      }
      try context.save()
    }
  }
}

// Written as `@Entity` writes it.
final class Entry: ManagedObject, ModelObject {
  var account: Int {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var month: Int {
    get { _value(1) }
    set { _setValue(1, newValue) }
  }
  var cents: Int {
    get { _value(2) }
    set { _setValue(2, newValue) }
  }
  var amount: Decimal {
    get { _value(3) }
    set { _setValue(3, newValue) }
  }
  var date: Date {
    get { _value(4) }
    set { _setValue(4, newValue) }
  }

  class var entityName: String { "Entry" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Entry", className: "Entry",
      attributes: [
        AttributeDescription("account", .integer64, isOptional: false),
        AttributeDescription("month", .integer64, isOptional: false),
        AttributeDescription("cents", .integer64, isOptional: false),
        AttributeDescription("amount", .decimal, isOptional: false),
        AttributeDescription("date", .date, isOptional: false),
      ])
  }

  class var _propertyNames: [String] { ["account", "month", "cents", "amount", "date"] }
  class var _propertyCount: Int { 5 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [
      (\Entry.account, "account"), (\Entry.month, "month"), (\Entry.cents, "cents"),
      (\Entry.amount, "amount"), (\Entry.date, "date"),
    ]
  }
}
