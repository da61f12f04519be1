import OxbowMigration
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Indexes of words through migrations.
@Suite struct WordMigrationTests {
  private let lab: Lab

  private static let model = ManagedObjectModel(entities: [
    EntityDescription("Folder", attributes: [AttributeDescription("path", .string)]),
    EntityDescription(
      "Note",
      attributes: [
        AttributeDescription("title", .string, isOptional: true),
        AttributeDescription("body", .string, isOptional: true, search: .words),
      ]),
  ])

  init() throws {
    lab = try Lab()
    try lab.add(Self.model, "initial")
    _ = try lab.migrator().apply()
    let store = try open(Self.model)
    defer { store.close() }
    let note = try store.model.requireEntity(named: "Note")
    var changes = ChangeSet()
    changes.inserts = (1...3).map { key in
      ChangeSet.Insert(
        entity: note.index, key: key,
        values: ContiguousArray(note.properties.map { .string("\($0.name) \(key)") }))
    }
    try store.save(changes)
    while try !store.catchUpSearch() {}
  }

  private func open(_ model: ManagedObjectModel) throws -> SQLiteStore {
    try SQLiteStore(CompiledModel(model), at: .file(lab.store))
  }

  /// The keys of the objects whose texts meet a search; the store is opened and closed.
  private func found(
    _ search: String, _ entity: String, _ path: String, _ model: ManagedObjectModel
  ) throws -> [Int64] {
    let store = try open(model)
    defer { store.close() }
    var fetch = StoreFetch(entity: try store.model.requireEntity(named: entity).index)
    fetch.predicate = .words(
      [.path([path])], .value(.attribute(.string(try WordQuery(search).description))))
    return try store.keys(of: fetch).flatMap { slab in (0..<slab.count).map { slab._key($0) } }
      .sorted()
  }

  /// What indexes there are, and how far they are.
  private func indexes() throws -> [String] {
    try lab.rows("SELECT \"table\", columns, indexed_to FROM _oxbow_search ORDER BY 1")
  }

  @Test func `PS-15 a migration makes a store with its indexes of words`() throws {
    #expect(try indexes() == ["'Note'|'body'|3"])
    #expect(try lab.migrator().drift().isEmpty)
    #expect(
      try lab.rows("SELECT rowid FROM _oxbow_words_2 WHERE _oxbow_words_2 MATCH 'body'").count == 3)
  }

  @Test func `PS-15 a rebuilt and renamed table keeps its index, and a renamed attribute`() throws {
    let next = Self.model.changing("Note") { note in
      note.name = "Letter"
      note.renamingIdentifier = "Note"
      note.attributes[1].name = "text"
      note.attributes[1].renamingIdentifier = "body"
      note.attributes.removeFirst()
      note.attributes.append(
        AttributeDescription("size", .integer32, defaultValue: .integer(7)))
    }
    try lab.add(next)
    _ = try lab.migrator().apply(allowsLoss: true)
    #expect(try indexes() == ["'Letter'|'text'|3"])
    #expect(try found("body 2", "Letter", "text", next) == [2])
    #expect(try indexes() == ["'Letter'|'text'|3"])
  }

  @Test func `PS-15 a step adds an index, says so in its plan, and it can be searched at once`()
    throws
  {
    let next = Self.model.changing("Note") { note in
      note.attributes[0].search = .words
      note.attributes.append(AttributeDescription("size", .integer32, isOptional: true))
    }.changing("Folder") { folder in
      folder.attributes[0].search = .words
    }
    try lab.add(next)
    let step = try #require(try lab.migrator().plan().steps.first)
    #expect(step.summary.contains("change attribute 'Note.title': search none → words"))
    let made = step.operations.filter { $0.table.hasPrefix("_oxbow_words_") }
    #expect(made.map(\.kind) == [.create, .create])
    #expect(made.map(\.table) == ["_oxbow_words_1", "_oxbow_words_2"])
    #expect(
      made.last?.statements.contains(
        "CREATE VIRTUAL TABLE \"_oxbow_words_2\" USING fts5(\"w0\", \"w1\", tokenize = 'ascii')")
        == true)
    _ = try lab.migrator().apply()
    #expect(try indexes() == ["'Folder'|'path'|0", "'Note'|'body\ntitle'|0"])
    #expect(try found("title 3", "Note", "title", next) == [3])
  }

  @Test func `PS-15 a step takes an index away, and another one the entity with it`() throws {
    let plain = Self.model.changing("Note") { note in
      note.attributes[1].search = []
      note.attributes.append(AttributeDescription("size", .integer32, isOptional: true))
    }
    try lab.add(plain)
    let step = try #require(try lab.migrator().plan().steps.first)
    #expect(step.operations.filter { $0.kind == .drop }.map(\.table) == ["_oxbow_words_2"])
    _ = try lab.migrator().apply()
    #expect(try indexes() == [])
    #expect(try lab.rows("SELECT name FROM sqlite_schema WHERE name GLOB '_oxbow_words_*'") == [])
    #expect(try found("body 2", "Note", "body", plain) == [2])
    _ = try lab.migrator().undo()
    #expect(try indexes() == ["'Note'|'body'|0"])
    try lab.add(Self.model.removing("Note"), "gone")
    _ = try lab.migrator().apply(allowsLoss: true)
    #expect(try indexes() == [])
  }

  @Test func `PS-15 an index that only the program has declared is made anew after a step`() throws
  {
    let declared = Self.model.changing("Note") { $0.attributes[0].search = .words }
    #expect(try found("title 1", "Note", "title", declared) == [1])
    #expect(try indexes() == ["'Note'|'body\ntitle'|0"])
    let next = declared.changing("Note") { note in
      note.attributes[0].name = "heading"
      note.attributes[0].renamingIdentifier = "title"
    }
    let documented = next.changing("Note") { $0.attributes[0].search = [] }
    try lab.add(documented)
    _ = try lab.migrator().apply()
    #expect(try found("title 1", "Note", "heading", next) == [1])
    #expect(try found("body 1", "Note", "body", next) == [1])
  }

  @Test func `PS-15 a script that writes texts makes the index begin again`() throws {
    try lab.add(sql: "UPDATE \"Note\" SET \"title\" = 'x' WHERE \"_id\" = 2")
    _ = try lab.migrator().apply()
    #expect(try indexes() == ["'Note'|'body'|3"])
    try lab.add(sql: "UPDATE \"Note\" SET \"body\" = 'iron' WHERE \"_id\" = 2", "second")
    _ = try lab.migrator().apply()
    #expect(try indexes() == ["'Note'|'body'|0"])
    #expect(try found("iron", "Note", "body", Self.model) == [2])
    #expect(try found("body", "Note", "body", Self.model) == [1, 3])
  }

  @Test func `PS-15 a step in Swift that deletes objects makes the index begin again`() throws {
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "thin", run: "x")
    let step = CodeStep.plain("thin") { rows in
      _ = try rows.run(sql: "DELETE FROM \"Note\" WHERE \"_id\" = 2")
    }
    _ = try Lab.migrator(lab.store, lab.migrations, code: [step]).apply()
    #expect(try indexes() == ["'Note'|'body'|0"])
    #expect(try found("body", "Note", "body", Self.model) == [1, 3])
  }

  @Test func `PS-15 a script that changes keys makes the index begin again`() throws {
    try lab.add(sql: "UPDATE \"Note\" SET \"_id\" = 9 WHERE \"_id\" = 2")
    _ = try lab.migrator().apply()
    #expect(try indexes() == ["'Note'|'body'|0"])
    #expect(try found("body 2", "Note", "body", Self.model) == [9])
  }

  @Test func `PS-15 two searched attributes exchange their names`() throws {
    let both = Self.model.changing("Note") { $0.attributes[0].search = .words }
    #expect(try found("title 2", "Note", "title", both) == [2])
    let store = try open(both)
    while try !store.catchUpSearch() {}
    store.close()
    let turned = both.changing("Note") { note in
      (note.attributes[0].name, note.attributes[1].name) = ("body", "title")
      note.attributes[0].renamingIdentifier = "title"
      note.attributes[1].renamingIdentifier = "body"
      note.attributes.append(AttributeDescription("size", .integer32, defaultValue: .integer(7)))
    }
    try lab.add(turned, "turn")
    _ = try lab.migrator().apply()
    #expect(try found("title 2", "Note", "body", turned) == [2])
    #expect(try found("title", "Note", "title", turned) == [])
  }

  @Test func `PS-15 steps add an index of substrings beside one of words, keep it and remove it`()
    throws
  {
    let next = Self.model.changing("Note") { note in
      note.attributes[1].search = [.words, .substrings]
      note.attributes.append(AttributeDescription("size", .integer32, isOptional: true))
    }
    try lab.add(next)
    let step = try #require(try lab.migrator().plan().steps.first)
    #expect(
      step.summary.contains("change attribute 'Note.body': search words → words, substrings"))
    #expect(
      step.operations.filter { $0.table.hasPrefix("_oxbow") }.map(\.table)
        == ["_oxbow_substrings_2"])
    _ = try lab.migrator().apply()
    #expect(try indexes().sorted() == ["'Note'|'body'|0", "'Note'|'body'|3"])
    let store = try open(next)
    while try !store.catchUpSearch() {}
    store.close()
    let renamed = next.changing("Note") { note in
      note.name = "Letter"
      note.renamingIdentifier = "Note"
      note.attributes.append(AttributeDescription("extra", .integer32, defaultValue: .integer(7)))
    }
    try lab.add(renamed, "rename")
    _ = try lab.migrator().apply()
    #expect(try indexes() == ["'Letter'|'body'|3", "'Letter'|'body'|3"])
    #expect(try lab.migrator().drift().isEmpty)
    try lab.add(sql: "UPDATE \"Letter\" SET \"body\" = 'iron' WHERE \"_id\" = 2")
    _ = try lab.migrator().apply()
    #expect(try indexes() == ["'Letter'|'body'|0", "'Letter'|'body'|0"])
    let plain = renamed.changing("Letter") { letter in
      letter.renamingIdentifier = nil
      letter.attributes[1].search = .words
      letter.attributes[0].isOptional = false
      letter.attributes[0].defaultValue = .string("")
    }
    try lab.add(plain, "plain")
    _ = try lab.migrator().apply(allowsLoss: true)
    #expect(try indexes() == ["'Letter'|'body'|0"])
    #expect(
      try lab.rows("SELECT name FROM sqlite_schema WHERE name GLOB '_oxbow_substrings_*'") == [])
  }
}
