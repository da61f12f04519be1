package import OxbowModel
import OxbowStore
import Testing

/// PS-15: searches for words mean the same in a store and in memory, in every script.
extension StoreContract {
  package func `random searches for words find the same objects in the store and in memory`(
    seed: UInt64, rounds: Int
  ) throws {
    print("Agreement of words: seed \(seed), \(rounds) searches")
    var random = WordRandom(seed: seed)
    let shelf = try WordShelf(&random, in: self)
    var hits = 0
    for round in 0..<rounds {
      let predicate = random.predicate(depth: 2)
      let comment: Comment = "seed \(seed), round \(round): \(predicate)"
      do {
        let stored = try shelf.library.keys("Item", predicate)
        let found = try shelf.items.filter { try predicate.isTrue(for: $0) }
        #expect(stored.sorted() == found.map(\.predicateID.key).sorted(), comment)
        #expect(try FetchPredicate(format: predicate.description) == predicate, comment)
        hits += found.count
      } catch {
        Issue.record(error, comment)
      }
    }
    #expect(hits > rounds, "seed \(seed): the texts are not what is searched")
  }
}

/// Items with a title and a body in many scripts, parents among themselves, and no text at times.
private struct WordShelf<Store: PersistentStore> {
  let library: StoreLibrary<Store>
  let items: [ForestItem]

  init(_ random: inout WordRandom, in contract: StoreContract<Store>) throws {
    let library = try contract.open(
      ManagedObjectModel(entities: [
        EntityDescription(
          "Item",
          attributes: [
            AttributeDescription("title", .string, isOptional: true),
            AttributeDescription("body", .string, isOptional: true),
          ],
          relationships: [
            RelationshipDescription("parent", to: "Item", inverse: "children"),
            RelationshipDescription("children", to: "Item", inverse: "parent", isToMany: true),
          ])
      ]))
    let entity = try library.entity("Item")
    var items: [ForestItem] = []
    try library.save { changes in
      for key in 1...40 as ClosedRange<Int64> {
        var values: [String: AttributeValue] = [:]
        if random.chance(80) { values["title"] = .string(random.text(0...4)) }
        if random.chance(80) { values["body"] = .string(random.text(0...14)) }
        let item = ForestItem(library.model, entity, key, library.store.identifier, values)
        changes.inserts.append(try library.insert("Item", key, values))
        if let parent = items.randomElement(using: &random), random.chance(70) {
          item.parent = parent
          parent.children.append(item)
          changes.links.append(
            try library.link(("Item", key), "parent", ("Item", parent.predicateID.key)))
        }
        items.append(item)
      }
    }
    self.library = library
    self.items = items
  }
}

/// Draws texts, searches and conditions.
package struct WordRandom: RandomNumberGenerator {
  private static let words = [
    "rust", "Rust", "RUSTY", "iron", "ore", "and", "or", "not", "near", "e-mail", "don't", "a",
    "ab",
    "abc", "x2", "1984", "É", "e\u{301}", "ß", "SS", "ss", "ΕΛΛΑΣ", "ελλάς", "Ё", "е", "ø", "ı",
    "İ",
    "東京", "東", "京都", "テスト", "か\u{3099}", "が", "ภาษาไทย", "กิน", "ລາວ", "ខ្មែរ", "မြန်မာ", "हिन्दी",
    "हि", "한국어", "한", "שָׁלוֹם", "عَرَبِيّ", "آ", "\u{627}\u{653}", "ﬁ", "ｆｕ", "m²",
  ]

  private static let others = ["❤️", "👩‍👧", "—", "_", "\"", "*", "(", "\0", "\u{FE0F}", "NOT", "OR"]

  private var random: AgreementRandom

  package init(seed: UInt64) { random = AgreementRandom(seed: seed) }

  package mutating func next() -> UInt64 { random.next() }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  private mutating func one<T>(of list: [T]) -> T {
    list[Int.random(in: 0..<list.count, using: &self)]
  }

  package mutating func text(_ count: ClosedRange<Int>) -> String {
    let separator = one(of: [" ", " ", " ", "", "-", ",\n"])
    return (0..<Int.random(in: count, using: &self)).map { _ in
      chance(85) ? one(of: Self.words) : one(of: Self.others)
    }.joined(separator: separator)
  }

  // MARK: Searches

  /// A search as somebody would type it.
  package mutating func search(depth: Int) -> String {
    var text = chance(5) ? "NOT \(term(depth)) \(term(depth))" : term(depth)
    for _ in 0..<one(of: [0, 0, 1, 1, 2, 3]) {
      text += one(of: [" ", " ", " AND ", " OR ", " OR ", " NOT ", " AND NOT "]) + term(depth)
    }
    return text
  }

  private mutating func term(_ depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &self) {
    case 0: String(one(of: Self.words).prefix(2)) + "*"
    case 1:
      "\"" + (0..<one(of: [1, 2, 2, 3])).map { _ in one(of: Self.words) }.joined(separator: " ")
        + "\"" + (chance(30) ? "*" : "")
    case 2...6: one(of: Self.words)
    default: "(" + search(depth: depth - 1) + ")"
    }
  }

  private mutating func query() -> FetchExpression {
    if chance(3) { return .value(.null) }
    if chance(10) { return .value(WordQuery(all: text(0...3)).description.fetchValue) }
    return .value(search(depth: 2).fetchValue)
  }

  // MARK: Conditions

  package mutating func predicate(depth: Int) -> FetchPredicate {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &self) {
    case 0...2: .words([.path(path())], query())
    case 3: .words([.path(["title"]), .path(["body"])], query())
    case 4: .words([.path(path()), .coalesced(.path(["title"]), .path(["body"]))], query())
    case 5:
      .quantified(
        one(of: FetchQuantifier.allCases), .words([.path(["children"] + path())], query()))
    case 6: .any(path: ["children"], predicate(depth: depth - 1))
    case 7: .and([predicate(depth: depth - 1), predicate(depth: depth - 1)])
    case 8: .or([predicate(depth: depth - 1), predicate(depth: depth - 1)])
    default: .not(predicate(depth: depth - 1))
    }
  }

  private mutating func path() -> [String] {
    Array(repeating: "parent", count: one(of: [0, 0, 0, 1])) + [one(of: ["title", "body", "body"])]
  }
}
