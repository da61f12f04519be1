import OxbowContext
import OxbowModel
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PF-10 and PF-07: a question for values has one answer, whether the store knows the objects as
/// they are or the context does.
///
/// `OXBOW_FUZZ_CASES` is the number of questions for each seed.
@Suite struct RowAgreementTests {
  enum Outcome: Equatable {
    case found([FetchedRow])
    case refused(PersistenceError.Code)
    /// Documented: an error in memory, no row or a rounded number in the store.
    case overflow
  }

  private func outcome(_ request: RowRequest, _ context: ManagedObjectContext) -> Outcome {
    do throws(PersistenceError) {
      return .found(try context.fetchRows(request))
    } catch {
      let isOverflow = error.message.contains("does not fit into a whole number")
      return isOverflow ? .overflow : .refused(error.code)
    }
  }

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `PF-10: random questions have the same answer in the store and in memory`(seed: UInt64)
    throws
  {
    var random = DifferentialRandom(seed: seed)
    let market = try Market(&random)
    var answered = 0
    for number in 0..<DifferentialTests.cases {
      let request = random.rowRequest()
      let stored = outcome(request, market.untouched)
      for context in [market.touched, market.halfTouched] {
        let found = outcome(request, context)
        if found == .overflow { continue }
        if case .found = found { answered += 1 }
        guard stored == found else {
          Issue.record("seed \(seed), case \(number): \(request)\n\(stored)\n\(found)")
          return
        }
      }
    }
    #expect(answered > DifferentialTests.cases / 2)
  }

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `PF-10: the answer before a save is the answer after it`(seed: UInt64) throws {
    var random = DifferentialRandom(seed: seed)
    let market = try Market(&random)
    let context = market.untouched
    var compared = 0
    for number in 0..<DifferentialTests.cases / 5 {
      try change(context, &random)
      let requests = (0..<5).map { _ in random.rowRequest() }
      let before = requests.map { outcome($0, context) }
      try context.save()
      let after = requests.map { outcome($0, context) }
      for index in requests.indices where before[index] != .overflow {
        compared += 1
        guard before[index] == after[index] else {
          Issue.record(
            "seed \(seed), case \(number): \(requests[index])\n\(before[index])\n\(after[index])")
          return
        }
      }
    }
    #expect(compared > DifferentialTests.cases / 2)
  }

  /// Inserts, changes, links and deletes a few objects.
  private func change(
    _ context: ManagedObjectContext, _ random: inout DifferentialRandom
  ) throws {
    let shops = try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Shop"))
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let items = try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Item"))
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let name = random.chance(70) ? "Item" : "Special"
        let item = try context.insert(entityNamed: name)
        try random.fill(item)
        if random.chance(60) { try item.setObjects([random.one(of: shops)], for: "shop") }
      case 1 where items.count > 20: try context.delete(random.one(of: items))
      case 2:
        try random.one(of: items).setObjects(
          random.chance(70) ? [random.one(of: shops)] : [], for: "shop")
      case 3: try random.fill(random.one(of: shops))
      default: try random.fill(random.one(of: items))
      }
    }
  }

  @Test func `PF-10: what is not a number yet counts as no value`() throws {
    let ledger = try Ledger()
    let context = ledger.context()
    for weight in [Double.nan, -0.0, 2] {
      try ledger.book("1", "2024-01-01T00:00:00Z", nil, context).weight = weight
    }
    let line = try #require(
      try context.aggregate(Booking.self) {
        (sum: $0.sum(\.weight), n: $0.count(\.weight), max: $0.max(\.weight))
      }.first)
    #expect(line.sum == 2 && line.n == 2 && line.max == 2)
    let weights = try context.aggregate(Booking.self) { $0.key(\.weight) }
    #expect(weights == [nil, 0, 2])
    let infinite = try ledger.book("1", "2024-01-01T00:00:00Z", nil, context)
    infinite.weight = .infinity
    try ledger.book("1", "2024-01-01T00:00:00Z", nil, context).weight = -.infinity
    let sum = RowRequest("Booking", ["sum(weight) as s", "avg(weight) as a"])
    #expect(try context.fetchRows(sum).map(\.description) == ["[s: nil, a: nil]"])
  }
}
