import Foundation
import OxbowMigration
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// The history of a store's saves through migrations.
@Suite struct HistoryMigrationTests {
  private let lab: Lab

  init() throws { lab = try Lab() }

  private func open(_ model: ManagedObjectModel) throws -> PersistentStoreCoordinator {
    try Self.open(model, lab.store)
  }

  private static func open(
    _ model: ManagedObjectModel, _ path: String
  ) throws -> PersistentStoreCoordinator {
    try PersistentStoreCoordinator(
      CompiledModel(model), at: .file(path), options: .init(history: .values))
  }

  /// Saves an object of each entity.
  private func save(_ model: ManagedObjectModel) throws -> HistoryToken {
    let coordinator = try open(model)
    defer { coordinator.close() }
    var changes = ChangeSet()
    for entity in coordinator.model.entities {
      changes.inserts.append(
        ChangeSet.Insert(
          entity: entity.index, key: try coordinator.makeKey(for: entity),
          values: ContiguousArray(entity.properties.map { _ in .string("x") })))
    }
    try coordinator.store.save(changes)
    return try coordinator.currentHistoryToken()
  }

  private func elements(
    _ model: ManagedObjectModel, after token: HistoryToken? = nil
  ) throws -> [HistoryElement] {
    let coordinator = try open(model)
    defer { coordinator.close() }
    var history = try coordinator.history(after: token)
    var elements: [HistoryElement] = []
    while let element = try history.next() { elements.append(element) }
    return elements
  }

  /// What the saves have inserted: the name of then, and that of now.
  private static func inserted(_ elements: [HistoryElement]) -> [[String]] {
    var inserted: [[String]] = []
    for case .saves(let saves) in elements {
      inserted += saves.map { save in
        save.changes.map { "\($0.entityName) → \($0.objectID?.entityName ?? "gone")" }.sorted()
      }
    }
    return inserted
  }

  @Test func `PS-11 old rows name what they meant, three migrations on`() throws {
    let first = EntityNumberTests.model(["A": nil, "B": nil])
    _ = try lab.infer(first)
    _ = try save(first)
    let second = EntityNumberTests.model(["A": nil, "C": nil]).changing("C") {
      $0.renamingIdentifier = "B"
    }
    _ = try lab.infer(second, allowsLoss: true)
    _ = try save(second)
    let third = EntityNumberTests.model(["A": nil])
    _ = try lab.infer(third, allowsLoss: true)
    let fourth = EntityNumberTests.model(["A": nil, "B": nil, "D": nil])
    _ = try lab.infer(fourth)
    _ = try save(fourth)
    let all = try elements(fourth)
    #expect(
      Self.inserted(all) == [
        ["A → A", "B → gone"], ["A → A", "C → gone"], ["A → A", "B → B", "D → D"],
      ])
    let migrations = all.filter { if case .migrated = $0 { true } else { false } }
    #expect(migrations.count == 3)
  }

  @Test func `PS-11 a consumer of another process reads on behind a migration`() async throws {
    let names = [["A"], ["A", "B"]]
    func migrate(_ step: Int) throws {
      _ = try lab.infer(Self.model(names[step]))
      _ = try save(Self.model(names[step]))
    }
    try migrate(0)
    await read(names[0], [["A → A"]])
    _ = try save(Self.model(names[0]))
    try migrate(1)
    await read(names[1], [["A → A"], ["migrated"], ["A → A", "B → B"]])
    await read(names[1], [])
  }

  private static func model(_ names: [String]) -> ManagedObjectModel {
    EntityNumberTests.model(Dictionary(uniqueKeysWithValues: names.map { ($0, nil) }))
  }

  /// Lets a consumer of another process read what it has not seen.
  private func read(_ names: [String], _ expected: [[String]]) async {
    await #expect(processExitsWith: .success) {
      [path = lab.store as String, names = names as [String], expected = expected as [[String]]] in
      let coordinator = try Self.open(Self.model(names), path)
      let consumer = try coordinator.historyConsumer(named: "mirror", from: .beginning)
      var seen: [[String]] = []
      while let batch = try consumer.nextBatch() {
        if case .migrated = batch.element { seen.append(["migrated"]) }
        seen += Self.inserted([batch.element])
        try consumer.acknowledge(batch)
      }
      #expect(seen == expected)
      coordinator.close()
    }
  }

  @Test func `PS-11 a migration is an element of the history, and counts as a save`() throws {
    let first = EntityNumberTests.model(["A": nil])
    _ = try lab.infer(first)
    let token = try save(first)
    let second = EntityNumberTests.model(["A": nil, "B": nil])
    _ = try lab.infer(second)
    let later = try elements(second, after: token)
    #expect(later.count == 1)
    guard case .migrated(let migration)? = later.first else {
      Issue.record("the migration is not reported")
      return
    }
    #expect(migration.kind == .migration && migration.number == token.number + 1)
    #expect(migration.notes.count == 1 && migration.notes[0].hasSuffix(": applied"))
  }

  @Test func `PS-11 a renamed property keeps its name of then, and has the type of now`() throws {
    func model(_ name: String, from old: String? = nil) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          "A",
          attributes: [
            AttributeDescription(name, .date, isOptional: true, renamingIdentifier: old)
          ])
      ])
    }
    let first = model("born")
    _ = try lab.infer(first)
    do {
      let coordinator = try open(first)
      defer { coordinator.close() }
      var changes = ChangeSet()
      changes.inserts = [
        ChangeSet.Insert(
          entity: 0, key: 1, values: [.date(.init(timeIntervalSinceReferenceDate: 5))])
      ]
      try coordinator.store.save(changes)
      changes = ChangeSet()
      changes.updates = [
        ChangeSet.Update(entity: 0, key: 1, version: 1, values: [(0, nil)])
      ]
      try coordinator.store.save(changes)
    }
    let second = model("birthday", from: "born")
    _ = try lab.infer(second)
    var changes: [HistoryChange] = []
    for case .saves(let saves) in try elements(second) { changes += saves.flatMap(\.changes) }
    let update = try #require(changes.first { $0.kind == .update })
    #expect(update.changedProperties == ["born"])
    #expect(
      update.before == ["born": .attribute(.date(.init(timeIntervalSinceReferenceDate: 5)))])
  }

  /// A model of notes with optional texts, each with its renaming identifier.
  private static func notes(_ texts: [String: String]) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        "Note",
        attributes: texts.sorted(by: <).map { name, identifier in
          AttributeDescription(name, .string, isOptional: true, renamingIdentifier: identifier)
        })
    ])
  }

  @Test(
    arguments: [
      // Exchanged, in the place of what was dropped, shifted, and renamed by a lasting identity.
      (
        ["title": "title", "body": "body"], ["title": "body", "body": "title", "new": "new"], "body"
      ),
      (["title": "title", "body": "body"], ["title": "body"], nil),
      (["title": "title", "body": "body"], ["body": "title", "note": "body"], "body"),
      (["title": "t", "body": "b"], ["headline": "t", "body": "b"], "headline"),
    ] as [([String: String], [String: String], String?)])
  func `PS-11 a name in the history follows its values through a step and its undo`(
    _ before: [String: String], _ after: [String: String], _ now: String?
  ) throws {
    let (first, second) = (Self.notes(before), Self.notes(after))
    /// What the title of the only change is now.
    func meaning(_ model: ManagedObjectModel) throws -> String? {
      var changes: [HistoryChange] = []
      for case .saves(let saves) in try elements(model) { changes += saves.flatMap(\.changes) }
      let update = try #require(changes.first { $0.kind == .update })
      #expect(update.changedProperties == ["title"])
      return update.renamed["title", default: "title"]
    }
    try lab.add(first)
    _ = try lab.migrator().apply()
    do {
      let coordinator = try open(first)
      defer { coordinator.close() }
      let title = try #require(coordinator.model.entities[0].property(named: "title"))
      var changes = ChangeSet()
      changes.inserts = [ChangeSet.Insert(entity: 0, key: 1, values: [nil, nil])]
      try coordinator.store.save(changes)
      changes = ChangeSet()
      changes.updates = [
        ChangeSet.Update(entity: 0, key: 1, version: 1, values: [(title.index, .string("a"))])
      ]
      try coordinator.store.save(changes)
    }
    try lab.add(second)
    _ = try lab.migrator().apply(allowsLoss: true)
    #expect(try meaning(second) == now)
    _ = try lab.migrator().undo(allowsLoss: true)
    #expect(try meaning(first) == now.map { _ in "title" })
  }

  @Test func `PS-11 a property of another type is another property, with a number of its own`()
    throws
  {
    func model(_ type: AttributeType) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription("A", attributes: [AttributeDescription("size", type, isOptional: true)])
      ])
    }
    func update(_ model: ManagedObjectModel, _ version: Int64, _ value: Int64) throws {
      let coordinator = try open(model)
      defer { coordinator.close() }
      var changes = ChangeSet()
      if version == 0 {
        changes.inserts = [ChangeSet.Insert(entity: 0, key: 1, values: [.integer(value)])]
      } else {
        changes.updates = [
          ChangeSet.Update(entity: 0, key: 1, version: version, values: [(0, .integer(value))])
        ]
      }
      try coordinator.store.save(changes)
    }
    _ = try lab.infer(model(.integer32))
    for number in 0..<2 { try update(model(.integer32), Int64(number), Int64(number)) }
    _ = try lab.infer(model(.integer64))
    try update(model(.integer64), 2, 2)
    var changes: [HistoryChange] = []
    for case .saves(let saves) in try elements(model(.integer64)) {
      changes += saves.flatMap(\.changes).filter { $0.kind == .update }
    }
    #expect(changes.map(\.changedProperties) == [["size"], ["size"]])
    #expect(changes.map(\.before) == [0, 1].map { ["size": .attribute(.integer($0))] })
    #expect(changes.map(\.renamed) == [["size": nil], [:]])
  }
}
