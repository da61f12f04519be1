import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

/// Stores whose place in the line cannot be known (review 2, point 2).
@Suite struct PlaceTests {
  let lab: Lab

  static let first = ManagedObjectModel(entities: [
    EntityDescription("Item", attributes: [AttributeDescription("price", .integer64)])
  ])
  static let second = ManagedObjectModel(entities: [
    EntityDescription(
      "Item",
      attributes: [
        AttributeDescription("price", .integer64),
        AttributeDescription("name", .string, isOptional: true),
      ])
  ])
  static let cents = #"UPDATE "Item" SET "price" = "price" * 100, "_version" = "_version" + 1;"#
  static let rows = #"INSERT INTO "Item" ("_id", "_version", "price") VALUES (1, 1, 100);"#

  init() throws {
    lab = try Lab()
    try lab.add(Self.first, "initial")
    try lab.add(sql: Self.cents, "cents")
  }

  /// A store of a model as a program makes it without the folder: it has no history.
  func make(_ model: ManagedObjectModel) throws {
    try lab.fill(model, Self.rows + "DROP TABLE _oxbow_history")
  }

  func prices() throws -> [String] { try lab.rows(#"SELECT "price" FROM "Item""#) }

  static let refusal = """
    which steps of 'DIR/Migrations' the store 'DIR/store.sqlite' has had is not known: it has no \
    history of them, and its model \(first.versionHash.prefix(12))… is that of 2 places. Steps that \
    its data has had already would change the data again, so say once where it is. A store that a \
    program of today made, without the folder, is at the last of them
      behind '0001_initial.xml': oxbowctl migrate baseline --store DIR/store.sqlite --migrations \
    DIR/Migrations --up-to 1
      behind '0002_cents.sql': oxbowctl migrate baseline --store DIR/store.sqlite --migrations \
    DIR/Migrations --up-to 2
    """

  @Test func `a price that is in cents already is not multiplied again`() throws {
    try make(Self.first)
    #expect(lab.message { _ = try lab.migrator().apply() } == Self.refusal)
    #expect(lab.message { _ = try lab.migrator().plan() } == Self.refusal)
    #expect(lab.message { _ = try lab.migrator().apply(upTo: 1) } == Self.refusal)
    let status = try lab.migrator().status()
    #expect(status.origin == .several)
    #expect(status.places == ["0001_initial.xml", "0002_cents.sql"])
    #expect(status.pending == ["0002_cents.sql"])
    #expect(try !lab.migrator().isUpToDate())
    #expect(try prices() == ["100"])
  }

  @Test(arguments: [1, 2])
  func `what is said once is known from then on`(place: Int) throws {
    try make(Self.first)
    #expect(try lab.migrator().baseline(upTo: place) != nil)
    #expect(try lab.migrator().apply().count == 2 - place)
    #expect(try lab.migrator().apply().isEmpty)
    #expect(try prices() == [place == 1 ? "10000" : "100"])
    let status = try lab.migrator().status()
    #expect(status.origin == .history)
    #expect(status.places.isEmpty)
    #expect(status.pending.isEmpty)
  }

  @Test func `one place alone is certain`() throws {
    try lab.add(Self.second, "name")
    try make(Self.second)
    #expect(try lab.migrator().status().origin == .model)
    #expect(try lab.migrator().apply().isEmpty)
    #expect(try prices() == ["100"])
  }

  @Test func `a step in Swift and a model that comes again make several places too`() throws {
    try lab.add(Self.second, "name")
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "tidy", run: "x")
    try lab.add(Self.first, "no-name")
    try make(Self.first)
    #expect(
      try lab.migrator().status().places == [
        "0001_initial.xml", "0002_cents.sql", "0005_no-name.xml",
      ])
    #expect(lab.message { _ = try lab.migrator().apply() }.contains("--up-to 5"))
    let other = try Lab()
    try other.fill(Self.second, Self.rows + "DROP TABLE _oxbow_history")
    let migrator = try Migrator(other.backend(), folder: lab.migrations, target: nil)
    #expect(try migrator.status().places == ["0003_name.xml", "0004_tidy.code.xml"])
  }

  @Test func `an inferred step is no history of the folder, and a place can be said behind it`()
    throws
  {
    try lab.fill(Self.second, Self.rows)
    _ = try lab.infer(Self.first)
    #expect(try lab.migrator().status().origin == .several)
    #expect(try lab.migrator().baseline() == "0002_cents.sql")
    #expect(try lab.migrator().apply().isEmpty)
    #expect(try prices() == ["100"])
  }

  @Test func `a folder that begins behind stores has a place before its first step`() throws {
    let lab = try Lab()
    try lab.fill(Self.first, Self.rows + "DROP TABLE _oxbow_history")
    let other = try Lab()
    try other.add(Self.first)
    try other.add(Self.second, "name")
    let step = try other.folder.text(of: "Migrations/0002_name.xml")
    try lab.folder.write(
      "-- oxbow: model unchanged\n\(Self.cents)\n", to: "Migrations/0001_cents.sql")
    try lab.folder.write(step, to: "Migrations/0002_name.xml")
    #expect(
      lab.message { _ = try lab.migrator().apply() }.hasSuffix(
        """
        \n  before the first step: oxbowctl migrate baseline --store DIR/store.sqlite --migrations \
        DIR/Migrations --up-to 0
          behind '0001_cents.sql': oxbowctl migrate baseline --store DIR/store.sqlite --migrations \
        DIR/Migrations --up-to 1
        """))
    #expect(try lab.migrator().baseline(upTo: 0) == "none")
    #expect(try lab.migrator().apply().map(\.id) == ["0001", "0002"])
    #expect(try lab.rows(#"SELECT "price" FROM "Item""#) == ["10000"])
    #expect(try lab.migrator().status().pending.isEmpty)
  }

  @Test func `a store that the steps made is at the place of its history`() throws {
    #expect(try lab.migrator().apply(upTo: 1).count == 1)
    try lab.run(Self.rows)
    #expect(try lab.migrator().status().origin == .history)
    #expect(try lab.migrator().apply().count == 1)
    #expect(try prices() == ["10000"])
  }

  @Test func `no step is tried on a store whose place is not known`() throws {
    try make(Self.first)
    #expect(lab.message { _ = try lab.migrator().verify() } == Self.refusal)
    #expect(try prices() == ["100"])
  }
}

/// Programs of two versions that infer their steps (review 2, W1).
@Suite struct OlderProgramTests {
  let lab: Lab

  init() throws { lab = try Lab() }

  @Test func `W1: an older program does not take a newer store back`() throws {
    try lab.fill(Models.first, Models.rows)
    #expect(try lab.infer(Models.second).count == 1)
    for _ in 1...3 {
      let message = lab.message { _ = try lab.infer(Models.first) }
      #expect(
        message.hasPrefix(
          "the store 'DIR/store.sqlite' had the model given "
            + "(\(Models.first.versionHash.prefix(12))…) until "))
      #expect(
        message.hasSuffix(
          "and was migrated to \(Models.second.versionHash.prefix(12))… since. This program is older "
            + "than the store, or the model was taken back: use the newer program, or take the steps "
            + "back with 'oxbowctl migrate undo'"))
      #expect(lab.message { _ = try lab.infer(Models.first, allowsLoss: true) } == message)
      #expect(try lab.infer(Models.second).isEmpty)
    }
    #expect(try lab.rows("SELECT count(*) FROM _oxbow_history") == ["2"])
  }

  @Test func `W1: a step that was taken back can be inferred again`() throws {
    try lab.fill(Models.first, Models.rows)
    for _ in 1...2 {
      #expect(try lab.infer(Models.second, allowsLoss: true).count == 1)
      _ = try Migrator(lab.backend(), target: Models.first).undo(allowsLoss: true)
      #expect(try lab.infer(Models.first).isEmpty)
    }
  }

  @Test func `W1: a model of before a folder's step is not inferred either`() throws {
    try lab.add(Models.first, "a")
    try lab.add(Models.second, "b")
    _ = try lab.migrator().apply()
    #expect(
      lab.message { _ = try lab.infer(Models.first) }.contains(
        "This program is older than the store"))
  }
}
