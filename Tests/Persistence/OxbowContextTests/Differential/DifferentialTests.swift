import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A fetch means the same in SQL and in memory (review W1): one context has changed nothing, so the
/// store answers; another has changed every object or half of them, so memory does.
///
/// `OXBOW_FUZZ_CASES` is the number of fetches for each seed.
@Suite struct DifferentialTests {
  static let cases =
    ProcessInfo.processInfo.environment["OXBOW_FUZZ_CASES"].flatMap { Int($0) } ?? 250

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `random fetches find the same in the store and in memory`(seed: UInt64) throws {
    var random = DifferentialRandom(seed: seed)
    let market = try Market(&random)
    var compared = 0
    for number in 0..<Self.cases {
      let request = random.request()
      let stored = outcome(request, market.untouched)
      for context in [market.touched, market.halfTouched] {
        let found = outcome(request, context)
        if found == .overflow { continue }
        compared += 1
        guard stored == found else {
          Issue.record(
            "seed \(seed), case \(number): \(describe(request))\n\(stored)\n\(found)")
          return
        }
      }
    }
    #expect(compared > Self.cases)
  }

  private func describe(_ request: FetchRequest<ManagedObject>) -> String {
    let predicate = request.predicate.map { "\($0)" } ?? "all"
    let order = request.sortKeys.map {
      $0.path.joined(separator: ".") + ($0.isAscending ? "" : " descending")
    }
    return "\(predicate) by \(order), limit \(request.limit ?? -1), offset \(request.offset)"
  }

  private enum Outcome: Equatable {
    case found([ManagedObjectID], count: Int)
    case refused(PersistenceError)
    /// Documented: an error in memory, no row or a rounded number in the store.
    case overflow

    static func == (a: Outcome, b: Outcome) -> Bool {
      switch (a, b) {
      case (.found(let x, let n), .found(let y, let m)): x == y && n == m
      case (.refused(let x), .refused(let y)): x.code == y.code
      case (.overflow, .overflow): true
      default: false
      }
    }
  }

  private func outcome(
    _ request: FetchRequest<ManagedObject>, _ context: ManagedObjectContext
  ) -> Outcome {
    do throws(PersistenceError) {
      return .found(try context.fetchIDs(request), count: try context.count(request))
    } catch {
      let isOverflow = error.message.contains("does not fit into")
      return isOverflow ? .overflow : .refused(error)
    }
  }

  // MARK: One of each kind

  static var own: [(String, FetchPredicate)] {
    let price = FetchExpression.path(["price"])
    let isCheap = FetchPredicate.comparison(price, .greater, .value(Decimal(0).fetchValue))
    let rank = FetchExpression.path(["rank"])
    let next = FetchExpression.arithmetic(rank, .add, .value(1.fetchValue))
    let three = FetchExpression.value(Decimal(3).fetchValue)
    let name = FetchExpression.path(["name"])
    let choice = FetchExpression.conditional(isCheap, name, .value("".fetchValue))
    let nan = FetchExpression.value(Double.nan.fetchValue)
    return [
      ("an object of another entity", .comparison(.path(["shop"]), .equal, .path([]))),
      ("no object of another entity", .comparison(.path(["shop"]), .notEqual, .path(["parent"]))),
      ("text chosen by a decimal", .comparison(choice, .equal, .value("1".fetchValue))),
      ("text in a list, chosen by a decimal", .isIn(choice, ["1".fetchValue])),
      ("a beginning, chosen by a decimal", .text(choice, .beginsWith, .value("0".fetchValue), [])),
      ("a sum and a decimal", .comparison(next, .less, three)),
      ("a choice and a decimal", .comparison(.coalesced(rank, .value(0.fetchValue)), .less, three)),
      ("a column and a decimal", .comparison(rank, .equal, three)),
      ("whole numbers among decimals", .isIn(price, [1.fetchValue, 2.fetchValue])),
      (
        "decimals among whole numbers",
        .isIn(rank, [three, .value((Decimal(5) / 2).fetchValue)].compactMap { $0.constant })
      ),
      ("equal to NaN", .comparison(.path(["ratio"]), .equal, nan)),
      ("not equal to NaN", .comparison(.path(["ratio"]), .notEqual, nan)),
      ("a list with NaN", .isIn(.path(["ratio"]), [Double.nan.fetchValue, 0.5.fetchValue])),
      ("NaN in a list", .isIn(nan, [Double.nan.fetchValue, .null])),
      ("no value in a list", .isIn(.value(.null), [Double.nan.fetchValue, .null])),
      (
        "behind a key that leads nowhere",
        .comparison(.path(["gone", "name"]), .equal, .value(.null))
      ),
      ("a key that leads nowhere", .comparison(.path(["gone"]), .notEqual, .value(.null))),
      (
        "members of what is not there",
        .comparison(.count(path: ["gone", "items"]), .equal, .value(0.fetchValue))
      ),
      ("a transient attribute", .comparison(.path(["mood"]), .equal, .value(1.fetchValue))),
      (
        "a transient attribute on a path",
        .comparison(.path(["parent", "mood"]), .equal, .value(1.fetchValue))
      ),
    ]
  }

  @Test(arguments: own.indices)
  func `each defect that random fetches have found stays mended`(index: Int) throws {
    var random = DifferentialRandom(seed: 7)
    let market = try Market(&random)
    let (what, predicate) = Self.own[index]
    for predicate in [predicate, .not(predicate), .and([predicate, .isNotNil("name")])] {
      let request = FetchRequest<ManagedObject>(entityNamed: "Item", where: predicate)
      let stored = outcome(request, market.untouched)
      #expect(outcome(request, market.touched) == stored, "\(what): \(predicate)")
      #expect(outcome(request, market.halfTouched) == stored, "\(what): \(predicate)")
    }
  }

  @Test func `an order over keys that lead nowhere puts them first, as the store does`() throws {
    var random = DifferentialRandom(seed: 7)
    let market = try Market(&random)
    let request = FetchRequest<ManagedObject>(
      entityNamed: "Item", sortedBy: [SortKey("gone.name", ascending: false)])
    #expect(outcome(request, market.touched) == outcome(request, market.untouched))
  }
}

extension FetchExpression {
  fileprivate var constant: FetchValue? {
    if case .value(let value) = self { value } else { nil }
  }
}
