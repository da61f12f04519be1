import Foundation
import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

// Random pairs of relationships, random changes of both ends, random links; what must be there
// afterwards is worked out in memory. The argument of a failing case is its seed.
@Suite struct LinkPropertyTests {
  /// OXBOW_SEEDS=5000 tries as many.
  static let seeds =
    0..<(ProcessInfo.processInfo.environment["OXBOW_SEEDS"].flatMap(Int.init) ?? 300)

  @Test func `each kind of change is tried often`() {
    var counts: [String: Int] = [:]
    for seed in 0..<5000 { for kind in PairChange(seed).kinds { counts[kind, default: 0] += 1 } }
    print(
      counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
    #expect(counts.count == 28)
    #expect(counts.values.allSatisfy { $0 >= 50 })
  }

  @Test(arguments: seeds)
  func `links follow their pair (review M3, M4)`(seed: Int) throws {
    try Self.check(PairChange(seed), try Lab())
  }

  static func check(_ change: PairChange, _ lab: some MigrationLab) throws {
    try lab.fill(change.before, "")
    let data = try StoreData(lab, change.before)
    for (entity, keys) in change.objects { try lab.run(try data.inserting(entity, keys)) }
    let end = try #require(try data.relationship(change.left, "l"))
    try lab.run(data.linking(end, change.links))
    #expect(try change.read(data, change.old).reports(of: change.expectedBefore) == [])

    if change.isRefused {
      #expect(throws: PersistenceError.self, "\(change)") {
        _ = try lab.infer(change.after, allowsLoss: true)
      }
      #expect(try lab.differences(from: change.before) == [])
      return
    }
    if change.loses {
      #expect(lab.message { _ = try lab.infer(change.after) }.contains("links of"), "\(change)")
    }
    if change.losesOrder {
      #expect(lab.message { _ = try lab.infer(change.after) }.contains("order of"), "\(change)")
    }
    _ = try lab.infer(change.after, allowsLoss: change.loses || change.losesOrder)
    #expect(try lab.differences(from: change.after) == [], "\(change)")
    #expect(try lab.problems() == [], "\(change)")
    let found = try change.read(
      try StoreData(lab, change.after), change.new, narrowed: change.isNarrowed)
    #expect(found.reports(of: change.expectedAfter) == [], "\(change)")
  }
}

/// One end of a pair; `nil` where there is none.
struct PairEnd: CustomStringConvertible {
  var name: String
  var isMany: Bool
  var isOrdered: Bool
  var identifier: String?
  var isRequired = false

  var description: String {
    "\(name)\(isMany ? isOrdered ? "[ordered]" : "[]" : "")\(isRequired ? "!" : "")"
      + (identifier.map { " was \($0)" } ?? "")
  }
}

/// What each end sees.
struct PairView {
  var left: [Int64: [Int64]]?
  var right: [Int64: [Int64]]?
  var wrong: [String] = []

  func reports(of expected: PairView) -> [String] {
    (left == expected.left ? [] : ["left: \(left ?? [:]), not \(expected.left ?? [:])"])
      + (right == expected.right ? [] : ["right: \(right ?? [:]), not \(expected.right ?? [:])"])
      + wrong
  }
}

/// A change of a pair of relationships, with links.
struct PairChange: CustomStringConvertible {
  let left: String
  let right: String
  let hasChild: Bool
  var old: (left: PairEnd?, right: PairEnd?)
  var new: (left: PairEnd?, right: PairEnd?)
  var links: [(from: Int64, to: Int64)] = []

  /// Whether the left end leads to the child entity only, afterwards.
  private(set) var isNarrowed = false

  private var isMatched = false

  init(_ seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let names = [("A", "B"), ("Z", "B"), ("S", "S")]
    (left, right) = names[Int.random(in: 0..<names.count, using: &random)]
    hasChild = random.chance(40)
    old = (Self.end("l", &random), random.chance(75) ? Self.end("r", &random) : nil)
    new = (
      Self.changed(old.left, "l", &random, &isMatched),
      Self.changed(old.right, "r", &random, &isMatched)
    )
    if new.left?.isMany == false, random.chance(20) { new.left?.isRequired = true }
    isNarrowed = hasChild && random.chance(40)
    addLinks(&random)
  }

  /// What kinds of changes this is.
  var kinds: [String] {
    func kind(_ old: PairEnd?, _ new: PairEnd?) -> String {
      switch (old, new) {
      case (nil, nil): "none"
      case (nil, _): "new"
      case (_, nil): "removed"
      case (let old?, let new?):
        new.name == old.name ? "kept" : new.identifier == old.name ? "renamed" : "other name"
      }
    }
    func shape(_ end: PairEnd?) -> String {
      end.map { $0.isMany ? $0.isOrdered ? "ordered" : "many" : "one" } ?? "none"
    }
    return [
      "left \(kind(old.left, new.left))", "right \(kind(old.right, new.right))",
      "now \(shape(new.left))", "was \(shape(old.left))", "names \(left)-\(right)",
      isNarrowed ? "narrowed" : "not narrowed", isRefused ? "refused" : "done",
      loses ? "loses" : "keeps", losesOrder ? "loses order" : "no order lost",
    ]
  }

  var description: String {
    func text(_ pair: (left: PairEnd?, right: PairEnd?)) -> String {
      "\(left).\(pair.left?.description ?? "-") ↔ \(right).\(pair.right?.description ?? "-")"
    }
    return "\(text(old)) → \(text(new)), links \(links.map { "\($0.from)–\($0.to)" })"
  }

  private static func end(_ name: String, _ random: inout SeededRandom) -> PairEnd {
    let isMany = random.chance(60)
    return PairEnd(name: name, isMany: isMany, isOrdered: isMany && random.chance(40))
  }

  private static func changed(
    _ end: PairEnd?, _ name: String, _ random: inout SeededRandom, _ isMatched: inout Bool
  ) -> PairEnd? {
    guard end != nil else { return random.chance(50) ? Self.end(name, &random) : nil }
    var result = Self.end(name, &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: isMatched = true
    case 4..<6:
      isMatched = true
      result.name = name + "2"
      result.identifier = name
    case 6..<8: result.name = name + "3"
    default: return nil
    }
    return result
  }

  private mutating func addLinks(_ random: inout SeededRandom) {
    var seen: Set<[Int64]> = []
    // Few links leave room for narrower ends; many are refused by them.
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let from = lefts.randomElement(using: &random) ?? 1
      let to =
        isNarrowed && random.chance(80)
        ? child : rights.randomElement(using: &random) ?? 1
      if old.left?.isMany == false, links.contains(where: { $0.from == from }) { continue }
      if old.right?.isMany == false, links.contains(where: { $0.to == to }) { continue }
      if seen.insert([from, to]).inserted { links.append((from, to)) }
    }
  }
}

// MARK: - Models and objects

extension PairChange {
  private var lefts: [Int64] { [1, 2, 3, 4] }
  private var rights: [Int64] { left == right ? lefts : [11, 12, 13, 14] }
  private var child: Int64 { rights[rights.count - 1] }

  var objects: [(String, [Int64])] {
    let last = hasChild ? 1 : 0
    var objects = [(right, Array(rights.dropLast(last)))]
    if hasChild { objects.append(("Child", Array(rights.suffix(1)))) }
    if left != right { objects.append((left, lefts)) }
    return objects
  }

  var before: ManagedObjectModel { model(old, narrowed: false) }
  var after: ManagedObjectModel { model(new, narrowed: isNarrowed) }

  private func model(
    _ pair: (left: PairEnd?, right: PairEnd?), narrowed: Bool
  ) -> ManagedObjectModel {
    func description(_ end: PairEnd?, _ destination: String, _ inverse: PairEnd?)
      -> RelationshipDescription?
    {
      end.map {
        RelationshipDescription(
          $0.name, to: destination, inverse: inverse?.name, isToMany: $0.isMany,
          isOrdered: $0.isOrdered, isOptional: !$0.isRequired, renamingIdentifier: $0.identifier)
      }
    }
    let there = description(pair.left, narrowed ? "Child" : right, pair.right)
    let back = description(pair.right, left, pair.left)
    var entities = [
      EntityDescription(
        right,
        relationships: [narrowed ? nil : back, left == right ? there : nil].compactMap(\.self))
    ]
    if left != right {
      entities.append(EntityDescription(left, relationships: [there].compactMap(\.self)))
    }
    if hasChild {
      entities.append(
        EntityDescription(
          "Child", parent: right, relationships: [narrowed ? back : nil].compactMap(\.self)))
    }
    return ManagedObjectModel(entities: entities)
  }

  func read(
    _ data: StoreData, _ pair: (left: PairEnd?, right: PairEnd?), narrowed: Bool = false
  ) throws -> PairView {
    var view = PairView()
    if let end = try pair.left.flatMap({ try data.relationship(left, $0.name) }) {
      view.left = try data.links(end)
      view.wrong += try data.wrongEntities(end)
    }
    let entity = narrowed ? "Child" : right
    if let end = try pair.right.flatMap({ try data.relationship(entity, $0.name) }) {
      view.right = try data.links(end)
      view.wrong += try data.wrongEntities(end)
    }
    return view
  }
}

// MARK: - What must be there

extension PairChange {
  private var hasPair: Bool { new.left != nil || new.right != nil }

  /// Whether links go.
  var loses: Bool { (kept?.count ?? 0) < links.count }

  /// Whether places in an order go while the links stay.
  var losesOrder: Bool {
    func givesUp(_ old: PairEnd?, _ new: PairEnd?) -> Bool {
      old?.isOrdered == true && new?.isOrdered != true && new?.isMany != false
    }
    return isMatched && hasPair && !links.isEmpty
      && (givesUp(old.left, new.left) || givesUp(old.right, new.right))
  }

  /// Whether an end cannot have all links and cannot do without, or has none where one is required.
  var isRefused: Bool { kept == nil }

  /// The links that stay, in the order of before; `nil` when the change is refused.
  private var kept: [(from: Int64, to: Int64)]? {
    var kept = isMatched && hasPair ? links : []
    let isRequired = new.left?.isRequired == true
    if isNarrowed, hasPair, kept.contains(where: { $0.to != child }) {
      if isRequired { return nil }
      kept.removeAll { $0.to != child }
    }
    if isRequired, lefts.contains(where: { key in !kept.contains { $0.from == key } }) {
      return nil
    }
    let isJoin = old.left?.isMany == true && old.right?.isMany != false
    let isOneToOne = new.left?.isMany == false && new.right?.isMany == false
    let lists = [
      (new.left?.isMany == false ? kept.map(\.from) : []),
      new.right?.isMany == false ? kept.map(\.to) : [],
    ]
    guard lists.contains(where: { Set($0).count < $0.count }) else { return kept }
    if isJoin && isOneToOne { return nil }
    if new.left?.isMany == false { kept = first(of: kept, old.left, { $0.from }, { $0.to }) }
    guard new.right?.isMany == false else { return kept }
    if isRequired, Set(kept.map(\.to)).count < kept.count { return nil }
    return first(of: kept, old.right, { $0.to }, { $0.from })
  }

  /// The first link of each object at one end: by its order, where it has one, or by keys.
  private func first(
    of links: [(from: Int64, to: Int64)], _ end: PairEnd?,
    _ own: ((from: Int64, to: Int64)) -> Int64, _ other: ((from: Int64, to: Int64)) -> Int64
  ) -> [(from: Int64, to: Int64)] {
    links.enumerated().filter { index, link in
      !links.enumerated().contains { place, rival in
        own(rival) == own(link)
          && (end?.isOrdered == true
            ? place < index : other(rival) < other(link))
      }
    }.map(\.element)
  }

  var expectedBefore: PairView { view(links, old, ordered: (true, true)) }

  var expectedAfter: PairView {
    view(
      kept ?? [], new,
      ordered: (old.left?.isOrdered == true, old.right?.isOrdered == true))
  }

  /// `ordered` says whether the places of the links are known at either end.
  private func view(
    _ links: [(from: Int64, to: Int64)], _ pair: (left: PairEnd?, right: PairEnd?),
    ordered: (left: Bool, right: Bool)
  ) -> PairView {
    func list(_ links: [(Int64, Int64)], _ end: PairEnd, _ isKnown: Bool) -> [Int64: [Int64]] {
      Dictionary(grouping: links, by: \.0).mapValues { group in
        let keys = group.map(\.1)
        return end.isOrdered && isKnown ? keys : keys.sorted()
      }
    }
    return PairView(
      left: pair.left.map { list(links.map { ($0.from, $0.to) }, $0, ordered.left) },
      right: pair.right.map { list(links.map { ($0.to, $0.from) }, $0, ordered.right) })
  }
}
