import Foundation
import OxbowModel
import OxbowStore
import OxbowStoreContract
import Testing

@testable import OxbowSQLite

/// Forms of fetches that come again in any order find what they find in memory.
@Suite struct FetchFormAgreementTests {
  /// Random items in a store and in memory, and random forms of fetches about them.
  private struct World {
    let forest: Forest<SQLiteStore>
    var random: AgreementRandom

    init(_ kind: StoreKind, seed: UInt64) throws {
      random = AgreementRandom(seed: seed)
      forest = try Forest(&random, in: StoreContract(kind))
    }

    mutating func one<T>(of list: [T]) -> T { list[Int.random(in: 0..<list.count, using: &random)] }

    // MARK: Values

    private func object(_ key: Int, store: UUID? = nil, root: String = "Item") -> FetchValue {
      .object(
        ManagedObjectID(
          store: store ?? forest.library.store.identifier, rootEntityName: root,
          entityName: root, key: Int64(key)))
    }

    private mutating func value(for name: String) -> FetchValue {
      let number = Int.random(in: 0...3, using: &random)
      switch name {
      case "rank", "grade": return one(of: [number.fetchValue, Double(number).fetchValue])
      case "ratio": return one(of: [Double(number) / 2, -0.0, 1].map(\.fetchValue))
      case "name": return one(of: ["a", "", "ab", "é", "ß"].map(\.fetchValue))
      case "flag": return one(of: [true.fetchValue, false.fetchValue, number.fetchValue])
      case "day": return Date(timeIntervalSinceReferenceDate: Double(number) - 1).fetchValue
      case "price": return one(of: [number.fetchValue, Decimal(number).fetchValue])
      default: return object(number + 1)
      }
    }

    /// What has another text than other values, or cannot be compared at all.
    private mutating func strange(for name: String) -> FetchValue {
      let half = (Decimal(string: "0.5") ?? 0).fetchValue
      return switch name {
      case "ratio": one(of: [.null, Double.nan.fetchValue, Double.infinity.fetchValue])
      case "rank", "grade", "price":
        one(of: [.null, Double.nan.fetchValue, Double.infinity.fetchValue, half])
      case "day": one(of: [.null, Date(timeIntervalSinceReferenceDate: .nan).fetchValue])
      case "parent", "":
        one(of: [.null, object(3, store: UUID()), object(3, root: "Other"), object(900)])
      default: .null
      }
    }

    private mutating func constant(for name: String) -> FetchExpression {
      .value(one(of: 0..<20) == 0 ? strange(for: name) : value(for: name))
    }

    private mutating func one(of range: Range<Int>) -> Int { .random(in: range, using: &random) }

    // MARK: Forms

    mutating func form(depth: Int) -> FetchPredicate {
      guard depth > 0, one(of: 0..<3) > 0 else { return leaf() }
      switch one(of: 0..<5) {
      case 0: return .not(form(depth: depth - 1))
      case 1, 2: return .and((0..<one(of: [1, 2, 2, 3])).map { _ in form(depth: depth - 1) })
      default: return .or((0..<one(of: [1, 2, 2, 3])).map { _ in form(depth: depth - 1) })
      }
    }

    private mutating func leaf() -> FetchPredicate {
      let name = one(of: ["rank", "grade", "ratio", "name", "flag", "day", "price", "parent"])
      let hops = Array(repeating: "parent", count: one(of: [0, 0, 1]))
      let path = FetchExpression.path(hops + [name])
      let isOrdered = name != "flag" && name != "parent"
      let signs: [ComparisonOperator] = isOrdered ? [.equal, .less, .greaterOrEqual] : []
      switch one(of: 0..<8) {
      case 0 where isOrdered: return .isBetween(path, constant(for: name), constant(for: name))
      case 1:
        let count = one(of: [1, 2, 3, 4, 8, 9])
        return again(.isIn(path, Array(repeating: .null, count: count)), isStrange: false)
      case 2: return .comparison(constant(for: name), one(of: signs + [.notEqual]), path)
      case 3: return .truth(.path(hops + ["flag"]))
      case 4: return one(of: [.constant(true), .constant(false)])
      default: return .comparison(path, one(of: signs + [.equal, .notEqual]), constant(for: name))
      }
    }

    /// A condition with other values.
    mutating func again(_ predicate: FetchPredicate, isStrange: Bool = true) -> FetchPredicate {
      switch predicate {
      case .comparison(.path(let path), let sign, .value):
        return .comparison(.path(path), sign, constant(for: path.last ?? ""))
      case .comparison(.value, let sign, .path(let path)):
        return .comparison(constant(for: path.last ?? ""), sign, .path(path))
      case .isIn(.path(let path), let list):
        let name = path.last ?? ""
        var values = list.map { _ in value(for: name) }
        if isStrange, one(of: 0..<8) == 0 { values[values.count - 1] = strange(for: name) }
        return .isIn(.path(path), values)
      case .isBetween(.path(let path), _, _):
        let name = path.last ?? ""
        return .isBetween(.path(path), constant(for: name), constant(for: name))
      case .and(let parts): return .and(parts.map { again($0) })
      case .or(let parts): return .or(parts.map { again($0) })
      case .not(let inner): return .not(again(inner))
      default: return predicate
      }
    }

    // MARK: Asking

    /// Asks in one of the ways, and compares with memory.
    mutating func ask(_ predicate: FetchPredicate, _ comment: Comment) throws {
      var fetch = try forest.library.fetch("Item", predicate)
      fetch.limit = one(of: [nil, nil, 0, 2, 100])
      fetch.offset = one(of: [0, 0, 3])
      let orders = [[], [OrderingTerm("rank")], [OrderingTerm("rank", ascending: false)]]
      fetch.sortKeys = one(of: orders)
      guard let met = try? forest.items.filter({ try predicate.isTrue(for: $0) }) else { return }
      let wanted = try fetch.sortKeys.sort(met).map(\.predicateID.key)
        .dropFirst(fetch.offset).prefix(fetch.limit ?? 60)
      let (library, store) = (forest.library, forest.library.store)
      switch one(of: 0..<3) {
      case 0: #expect(library.keys(try store.rows(of: fetch)) == Array(wanted), comment)
      case 1: #expect(library.keys(try store.keys(of: fetch)) == Array(wanted), comment)
      default: #expect(try store.count(of: fetch) == wanted.count, comment)
      }
    }

    /// Ends plans, sometimes.
    mutating func disturb(_ round: Int) throws {
      guard one(of: 0..<100) == 0 else { return }
      try forest.library.store.database.read { connection in
        for number in 0..<300 { _ = try connection.integer("SELECT \(number)") }
      }
    }
  }

  @Test(arguments: [StoreKind.file, .rollbackJournal, .inMemory])
  func `PF-08 twelve forms in any order, with any values, find what memory finds`(
    kind: StoreKind
  ) throws {
    let rounds = PredicateAgreementTests.rounds
    let seed = UInt64.random(in: 1...UInt64.max)
    print("Forms of fetches: seed \(seed), \(rounds) fetches of \(kind)")
    var world = try World(kind, seed: seed)
    var forms = (0..<12).map { _ in world.form(depth: 3) }
    for round in 0..<rounds {
      let place = world.one(of: [0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
      if round % 40 == 0 { forms[place] = world.form(depth: world.one(of: [0, 1, 2, 3, 9])) }
      let predicate = world.one(of: [true, true, false]) ? world.again(forms[place]) : forms[place]
      let comment: Comment = "seed \(seed), round \(round), \(kind): \(predicate)"
      do { try world.ask(predicate, comment) } catch { Issue.record(error, comment) }
      try world.disturb(round)
    }
  }

  /// Parts that are nested deeply come first in a statement, whose values are in another order.
  @Test func `PF-08 the values of a condition of many levels are those of its parts`() throws {
    let world = try World(.file, seed: 7)
    func deep(_ grade: Int, _ rank: Int) -> FetchPredicate {
      var inner = FetchPredicate.equal("rank", rank)
      for _ in 0..<8 { inner = .and([.constant(true), inner]) }
      return .or([.equal("grade", grade), inner])
    }
    for (grade, rank) in [(1, 1), (1, 1), (1, 2), (2, 1), (3, 0), (0, 3)] {
      let wanted = try world.forest.items.filter { try deep(grade, rank).isTrue(for: $0) }
      let found = try world.forest.library.keys("Item", deep(grade, rank))
      #expect(found == wanted.map(\.predicateID.key), "\(grade), \(rank)")
    }
  }

  /// A list is filled up by its last value, and an object that cannot be in it is left out.
  @Test func `PF-08 a list with an object of another entity finds the others each time`() throws {
    let world = try World(.file, seed: 7)
    let store = world.forest.library.store.identifier
    func id(_ key: Int64, _ root: String) -> FetchValue {
      .object(ManagedObjectID(store: store, rootEntityName: root, entityName: root, key: key))
    }
    let parents = world.forest.items.compactMap { $0.parent?.predicateID.key }
    for key in [3, 3, 3] + parents {
      let list = [id(1, "Item"), id(2, "Item"), id(3, "Item"), id(key, "Other")]
      let predicate = FetchPredicate.isIn(.path(at: "parent"), list)
      let wanted = try world.forest.items.filter { try predicate.isTrue(for: $0) }
      let found = try world.forest.library.keys("Item", predicate)
      #expect(found == wanted.map(\.predicateID.key), "\(key)")
    }
  }
}
