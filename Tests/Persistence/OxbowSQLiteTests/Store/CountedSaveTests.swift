import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import Testing

/// The number of a save, which is counted without being read as long as nobody else saves.
@Suite struct CountedSaveTests {
  private let library: Library
  private let others: Connection

  init() throws {
    library = try Library()
    others = try library.intruder()
  }

  private func saves() throws -> Int64? {
    try others.integer("SELECT value FROM _oxbow_metadata WHERE name = 'saves'")
  }

  private func save(_ keys: ClosedRange<Int64>) throws {
    for key in keys { try library.save { $0.inserts = [try library.insert("Tag", key)] } }
  }

  @Test func `saves are counted on after those of other processes (PG-03)`() throws {
    let first = try #require(try saves())
    try save(1...3)
    #expect(try saves() == first + 3)
    try others.execute("UPDATE _oxbow_metadata SET value = value + 5 WHERE name = 'saves'")
    try save(4...6)
    #expect(try saves() == first + 11)
    try others.execute("UPDATE _oxbow_metadata SET value = 2 WHERE name = 'saves'")
    try save(7...8)
    #expect(try saves() == 4)
  }

  @Test func `a save that is rolled back has no number (PS-06)`() throws {
    try save(1...2)
    let before = try #require(try saves())
    var changes = ChangeSet()
    changes.inserts = [try library.insert("Tag", 3)]
    let error = errorOf {
      try library.store.save(changes) { () throws(PersistenceError) in
        throw PersistenceError(.validation, "not today")
      }
    }
    #expect(error?.message == "not today")
    #expect(try saves() == before)
    try save(3...4)
    #expect(try saves() == before + 2)
  }

  @Test(arguments: ["'many'", "9223372036854775807"])
  func `a count that another program broke is left to it (PG-03)`(count: String) throws {
    try save(1...2)
    try others.execute("UPDATE _oxbow_metadata SET value = \(count) WHERE name = 'saves'")
    try save(3...4)
    #expect(try library.keys("Tag") == [1, 2, 3, 4])
  }

  @Test func `a key that another program took is named with its counter (PS-02)`() throws {
    try others.execute("INSERT INTO Tag(_id, _version, label) VALUES (7, 1, 'theirs')")
    let error = errorOf { try save(7...7) }
    #expect(error?.code == .conflict)
    #expect(
      error?.message.hasSuffix(
        "cannot be inserted: a row of the table 'Tag' has the key 7 already, because another program "
          + "took it without raising 'last' in '_oxbow_keys', from which keys are given; nothing was "
          + "saved: delete the object and insert another, whose key comes after that row, and let "
          + "the other program raise the number in the transaction in which it inserts") == true)
  }

  @Test func `a key that a trigger of another program repeats is not that of the object (PS-02)`()
    throws
  {
    try others.execute(
      """
      CREATE TABLE journal (entry INTEGER PRIMARY KEY); INSERT INTO journal VALUES (1);
      CREATE TRIGGER noted AFTER INSERT ON Tag BEGIN INSERT INTO journal VALUES (1); END
      """)
    let error = errorOf { try save(7...7) }
    #expect(error?.message.contains("has the key 7") == false)
    #expect(error?.details.contains { $0.text.hasSuffix(": journal.entry") } == true)
    #expect(try library.keys("Tag") == [])
    try others.execute("DROP TRIGGER noted")
    try save(7...7)
    #expect(try library.keys("Tag") == [7])
  }
}
