import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Random saves, batches and undone saves of objects with unique values, orders and search indexes
/// that lag; then all of them are undone, from the last to the first.
///
/// `OXBOW_SEEDS=1000` plays as many games; `OXBOW_RANDOM_SEED=7` begins with that one.
@Suite struct RandomReversalTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  private static let seeds: Range<Int> = {
    let first = number("OXBOW_RANDOM_SEED") ?? 16
    return first..<first + (number("OXBOW_SEEDS") ?? 12)
  }()

  @Test(arguments: seeds)
  func `PS-11 PS-15 texts are found after each change, and all saves are undone in turn`(
    seed: Int
  ) throws {
    let folder = try TemporaryFolder()
    var game = try ReversalGame(seed: seed, folder.file("shelves.sqlite"))
    defer { game.coordinator.close() }
    for step in 0..<40 {
      try game.play()
      if game.chance(3) { _ = try game.store.catchUpSearch() }
      guard step % 4 == 0 else { continue }
      let mistake = try game.mistakeOfSearch()
      try #require(mistake == nil, "seed \(seed): \(mistake ?? "")\n\(game.log.suffix(20))")
    }
    let mistake = try game.mistakeOfUndo()
    #expect(mistake == nil, "seed \(seed): \(mistake ?? "")\n\(game.log.suffix(40))")
  }
}

/// What each object has, by root and key; of a relationship the keys, in no order.
private typealias ReversalState = [String: [String: String]]

private struct ReversalGame {
  let coordinator: PersistentStoreCoordinator
  let store: SQLiteStore
  private(set) var log: [String] = []
  private var random: SeededRandom

  /// Each save, and what was there before.
  private var saves: [(save: HistoryTransaction, before: ReversalState)] = []

  private static let entities = ["Shelf", "Item", "Part", "Tag"]
  private static let words = [
    "rust", "Iron", "Éclair", "東京", "straße", "a\u{301}b", "naïve café", "x-y", "한국어",
  ]

  private static func text(_ name: String, _ search: AttributeSearch = []) -> AttributeDescription {
    AttributeDescription(name, .string, isOptional: true, search: search)
  }

  private static func many(
    _ name: String, _ destination: String, _ inverse: String, isOrdered: Bool = false,
    rule: DeleteRule = .nullify
  ) -> RelationshipDescription {
    RelationshipDescription(
      name, to: destination, inverse: inverse, isToMany: true, isOrdered: isOrdered,
      deleteRule: rule)
  }

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Shelf", attributes: [text("code"), text("body", [.words, .substrings])],
      relationships: [
        many("items", "Item", "shelf", isOrdered: true), many("tags", "Tag", "shelves"),
      ], uniquenessConstraints: [["code"]]),
    EntityDescription(
      "Item", attributes: [text("code"), text("body", [.words, .substrings])],
      relationships: [
        RelationshipDescription("shelf", to: "Shelf", inverse: "items"),
        many("parts", "Part", "item", rule: .cascade),
      ], uniquenessConstraints: [["code"]]),
    EntityDescription(
      "Part", parent: "Item", attributes: [text("extra")],
      relationships: [RelationshipDescription("item", to: "Item", inverse: "parts")]),
    EntityDescription(
      "Tag", attributes: [text("body")], relationships: [many("shelves", "Shelf", "tags")]),
  ])

  init(seed: Int, _ path: String) throws {
    var options = SQLiteStoreOptions(history: .values)
    options.catchesUpSearch = false
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(Self.model, classes: []), at: .file(path), options: options)
    store = try #require(coordinator.store as? SQLiteStore)
    random = SeededRandom(seed: UInt64(seed))
  }

  mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

  private static func all(
    _ entity: String, where condition: FetchPredicate? = nil
  ) -> FetchRequest<ManagedObject> { FetchRequest(entityNamed: entity, where: condition) }

  private static func relationships(of entity: String) -> [RelationshipDescription] {
    let own = model.entities.first { $0.name == entity }
    return (own?.relationships ?? []) + (own?.parent.map { relationships(of: $0) } ?? [])
  }

  private static func attributes(of entity: String) -> [String] {
    let own = model.entities.first { $0.name == entity }
    return (own?.attributes.map(\.name) ?? []) + (own?.parent.map { attributes(of: $0) } ?? [])
  }

  private func state() throws -> ReversalState {
    let context = context()
    var state: ReversalState = [:]
    for entity in ["Shelf", "Item", "Tag"] {
      for object in try context.fetch(Self.all(entity)) {
        var values: [String: String] = [:]
        for name in Self.attributes(of: object.entityName) {
          values[name] = try object.attribute(name).map { "\($0)" }
        }
        for relationship in Self.relationships(of: object.entityName) {
          let keys = try object.objects(relationship.name).map { "\($0.objectID.key)" }
          values[relationship.name] = keys.sorted().joined(separator: ",")
        }
        state["\(object)"] = values
      }
    }
    return state
  }
}

// MARK: - Changes

extension ReversalGame {
  /// Saves some changes, a batch, or the undo of a save.
  mutating func play() throws {
    let before = try state()
    let start = try coordinator.currentHistoryToken()
    do { try change() } catch let error as PersistenceError {
      let expected: [PersistenceError.Code] = [
        .conflict, .undoRefused, .uniquenessViolated, .validation,
      ]
      guard expected.contains(error.code) else { throw error }
      log.append("refused: \(error.code)")
    }
    var history = try coordinator.history(after: start)
    for save in try history.transactions() {
      log.append("save \(save.number)")
      saves.append((save, before))
    }
  }

  private mutating func change() throws {
    let context = context()
    let entity = Self.entities.randomElement(using: &random) ?? "Tag"
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      log.append("update all \(entity)")
      let value = text().map { FetchValue.attribute(.string($0)) } ?? .null
      _ = try context.batchUpdate(Self.all(entity, where: condition()), [("body", .value(value))])
    case 1:
      log.append("delete all \(entity)")
      _ = try context.batchDelete(Self.all(entity, where: condition()))
    case 2 where !saves.isEmpty:
      let save = saves[Int.random(in: saves.indices, using: &random)].save
      log.append("undo \(save.number)")
      try context.undo(save)
      try context.save()
    default:
      for _ in 0..<Int.random(in: 1...6, using: &random) { try edit(context) }
      try context.save()
    }
  }

  private mutating func edit(_ context: ManagedObjectContext) throws {
    let entity = Self.entities.randomElement(using: &random) ?? "Tag"
    let kind = Int.random(in: 0..<8, using: &random)
    if kind < 3 {
      let object = try context.insert(entityNamed: entity)
      log.append("insert \(object)")
      return try object.setValue(text(), for: "body")
    }
    guard let object = try pick(entity, context) else { return }
    log.append(
      "\(["delete", "body of", "code of"].dropFirst(kind - 3).first ?? "relate") \(object)")
    switch kind {
    case 3: try context.delete(object)
    case 4: try object.setValue(text(), for: "body")
    case 5: if entity != "Tag", let other = try pick(entity, context) { try swap(object, other) }
    default: try relate(object, context)
    }
  }

  /// Exchanges the unique values of two objects.
  private mutating func swap(_ object: ManagedObject, _ other: ManagedObject) throws {
    let codes = try [object, other].map { try $0.value("code", as: String.self) }
    try object.setValue(codes[1] ?? "\(Int.random(in: 0..<9, using: &random))", for: "code")
    if object !== other { try other.setValue(codes[0], for: "code") }
  }

  private mutating func relate(_ object: ManagedObject, _ context: ManagedObjectContext) throws {
    let all = Self.relationships(of: object.entityName)
    guard let relationship = all.randomElement(using: &random) else { return }
    let others = try sorted(relationship.destination, context).filter { $0 !== object }
    let count = Int.random(in: 0...(relationship.isToMany ? 3 : 1), using: &random)
    try object.setObjects(
      Array(others.shuffled(using: &random).prefix(count)), for: relationship.name)
  }

  /// The objects in the order of keys, so that a seed gives the same game.
  private func sorted(
    _ entity: String, _ context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    try context.fetch(Self.all(entity)).sorted { $0.objectID.key < $1.objectID.key }
  }

  private mutating func pick(
    _ entity: String, _ context: ManagedObjectContext
  ) throws -> ManagedObject? { try sorted(entity, context).randomElement(using: &random) }

  private mutating func text() -> String? {
    if chance(8) { return nil }
    return (0..<Int.random(in: 0...4, using: &random)).map { _ in word() }.joined(separator: " ")
  }

  private mutating func word() -> String { Self.words.randomElement(using: &random) ?? "" }

  private mutating func condition() -> FetchPredicate? {
    let conditions: [FetchPredicate?] = [
      nil, .words("body", all: word()), Self.contains(word(), .caseInsensitive),
      .comparison(.path(["body"]), .equal, .value(.null)),
    ]
    return conditions[Int.random(in: conditions.indices, using: &random)]
  }

  private static func contains(_ word: String, _ options: TextOptions) -> FetchPredicate {
    .text(.path(["body"]), .contains, .value(.attribute(.string(word))), options)
  }
}

// MARK: - Checks

extension ReversalGame {
  /// A search that finds other objects than those whose texts meet it, or a finding of the check.
  func mistakeOfSearch() throws -> String? {
    let context = context()
    for entity in Self.entities {
      let all = try context.fetch(Self.all(entity))
      for word in Self.words {
        let conditions: [FetchPredicate] = [
          .words("body", all: word), .not(.words("body", all: word)), Self.contains(word, []),
          Self.contains(word, [.caseInsensitive, .diacriticInsensitive]),
        ]
        for condition in conditions {
          let found = try context.fetch(Self.all(entity, where: condition))
          let expected = try all.filter { try condition.matches($0) }
          if Set(found) != Set(expected) { return "\(entity) \(condition): \(found)" }
        }
      }
    }
    return try store.database.read { try $0.searchFindings() }.first
  }

  /// What undoing all saves from the last to the first has made that was not there before.
  func mistakeOfUndo() throws -> String? {
    for (save, before) in saves.reversed() {
      let context = context()
      do {
        try context.undo(save)
        try context.save()
      } catch {
        // What was before it is not known any more.
        if error.message.contains("the order of") { return nil }
        return "undo of \(save.number): \(error)"
      }
      let now = try state()
      let objects = Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }
      guard objects.isEmpty else {
        return "undo of \(save.number): "
          + objects.map { "\($0) is \(now[$0] ?? [:]), and was \(before[$0] ?? [:])" }.joined()
      }
    }
    return nil
  }
}
