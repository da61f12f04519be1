import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a store keeps for intervals and areas, and when.
@Suite struct BoxIndexTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func open(
    isIndexed: Bool = true, _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> Library {
    var options = SQLiteStoreOptions()
    change(&options)
    return try Library(
      .file, options: options, model: bookingsModel(isIndexed: isIndexed), in: scratch)
  }

  private func lend<R>(_ body: (Connection) throws -> R) throws -> R {
    let connection = try Connection(path: scratch.file(), configuration: .init(role: .sole))
    defer { connection.close() }
    return try body(connection)
  }

  private func rows(_ sql: String) throws -> [String] {
    try lend { try $0.rows(sql).map { $0.map(\.description).joined(separator: "|") } }
  }

  private func run(_ sql: String) throws { try lend { try $0.execute(sql) } }

  private func overlapping(_ low: Double, _ high: Double, _ library: Library) throws -> [Int64] {
    try library.keys(
      "Item",
      .overlaps(
        "begin", "end",
        Date(timeIntervalSinceReferenceDate: low)...Date(timeIntervalSinceReferenceDate: high))
    ).sorted()
  }

  /// The number of objects with boxes around a second, of which some are not whole.
  private func insert(_ keys: ClosedRange<Int64>, _ library: Library) throws {
    try library.save { changes in
      for key in keys {
        let begin = Double(key) * 100 + 0.5
        changes.inserts.append(
          try library.insert(
            "Area", key,
            [
              "begin": .date(Date(timeIntervalSinceReferenceDate: begin)),
              "end": .date(Date(timeIntervalSinceReferenceDate: begin + 150)),
            ]))
      }
    }
  }

  private static let tree = "\"_oxbow_boxes_Item_byTime_tree\""

  @Test func `PS-15 an index of boxes is a table of R*Tree and three triggers without functions`()
    throws
  {
    try open().store.close()
    #expect(
      try rows(
        "SELECT sql FROM sqlite_schema WHERE name GLOB '_oxbow_boxes_Item_byTime_tree*' "
          + "AND sql NOT GLOB 'CREATE TABLE*' ORDER BY name")
        == [
          "'CREATE VIRTUAL TABLE \(Self.tree) USING rtree_i32(\"_id\", \"begin\", \"end\")'",
          "'CREATE TRIGGER \"_oxbow_boxes_Item_byTime_tree_delete\" AFTER DELETE ON \"Item\" WHEN "
            + "OLD.\"begin\" IS NOT NULL AND OLD.\"end\" IS NOT NULL BEGIN DELETE FROM \(Self.tree) "
            + "WHERE \"_id\" = OLD.\"_id\"; END'",
          "'CREATE TRIGGER \"_oxbow_boxes_Item_byTime_tree_insert\" AFTER INSERT ON \"Item\" WHEN "
            + "NEW.\"begin\" IS NOT NULL AND NEW.\"end\" IS NOT NULL BEGIN DELETE FROM \(Self.tree) "
            + "WHERE \"_id\" = NEW.\"_id\"; INSERT INTO \(Self.tree) (\"_id\", \"begin\", \"end\") "
            + "SELECT NEW.\"_id\", \(Self.bounds); END'",
          "'CREATE TRIGGER \"_oxbow_boxes_Item_byTime_tree_update\" AFTER UPDATE OF \"_id\", "
            + "\"begin\", \"end\", \"rowid\", \"oid\", \"_rowid_\" ON \"Item\" WHEN OLD.\"_id\" IS NOT NEW.\"_id\" OR OLD.\"begin\" IS "
            + "NOT NEW.\"begin\" OR OLD.\"end\" IS NOT NEW.\"end\" BEGIN DELETE FROM \(Self.tree) WHERE "
            + "\"_id\" IN (OLD.\"_id\", NEW.\"_id\"); INSERT INTO \(Self.tree) (\"_id\", \"begin\", "
            + "\"end\") SELECT NEW.\"_id\", \(Self.bounds) WHERE NEW.\"begin\" IS NOT NULL AND "
            + "NEW.\"end\" IS NOT NULL; END'",
        ])
    #expect(
      try rows("SELECT name FROM sqlite_schema WHERE sql LIKE '%USING rtree(%' ORDER BY name") == [
        "'_oxbow_boxes_Item_byAll_tree'", "'_oxbow_boxes_Item_byPlace_tree'",
      ])
  }

  private static let bounds =
    "max(-2147483648, min(2147483647, CAST(min(NEW.\"begin\", NEW.\"end\") AS INTEGER) - "
    + "(min(NEW.\"begin\", NEW.\"end\") < CAST(min(NEW.\"begin\", NEW.\"end\") AS INTEGER)))), "
    + "max(-2147483648, min(2147483647, CAST(max(NEW.\"begin\", NEW.\"end\") AS INTEGER) + "
    + "(max(NEW.\"begin\", NEW.\"end\") > CAST(max(NEW.\"begin\", NEW.\"end\") AS INTEGER))))"

  @Test func `PS-15 a store without such an index has no table for it, and its layout stays`()
    throws
  {
    try open(isIndexed: false).store.close()
    #expect(try rows("SELECT name FROM sqlite_schema WHERE name GLOB '_oxbow_boxes*'") == [])
    let other = try Scratch()
    let library = try Library(.file, model: bookingsModel(), in: other)
    library.store.close()
    let connection = try Connection(path: other.file(), configuration: .init(role: .sole))
    defer { connection.close() }
    #expect(
      try connection.integer("SELECT value FROM _oxbow_metadata WHERE name = 'layout_version'") == 1
    )
  }

  @Test func `PS-15 overlapping is answered by the index, and reads no other row`() throws {
    let log = LogRecorder()
    let library = try open { $0.logger = log.statementLogger }
    try insert(1...2000, library)
    #expect(try overlapping(100_000, 100_099, library) == [999, 1000])
    let statement = try #require(log.statements.last { $0.contains("byTime_tree") })
    let other = try library.intruder()
    defer { other.close() }
    let plan = try other.rows("EXPLAIN QUERY PLAN " + statement).compactMap { $0.last?.description }
    #expect(plan.contains { $0.contains("_tree VIRTUAL TABLE INDEX") }, "\(plan)")
    #expect(plan.contains { $0.contains("t0 USING INTEGER PRIMARY KEY") }, "\(plan)")
  }

  @Test func `PS-15 boxes have whole seconds around the dates, within 32 bits`() throws {
    let library = try open()
    let pairs: [(Double, Double)] = [
      (1.5, 2.5), (-1.5, -0.5), (3, 3), (9, 5.5), (5e9, 6e9), (-6e9, -5e9), (-.infinity, .infinity),
      (1e300, 2e300), (2_147_483_646.5, 2_147_483_647.5),
    ]
    try library.save { changes in
      for (index, pair) in pairs.enumerated() {
        changes.inserts.append(
          try library.insert(
            "Item", Int64(index + 1),
            [
              "begin": .date(Date(timeIntervalSinceReferenceDate: pair.0)),
              "end": .date(Date(timeIntervalSinceReferenceDate: pair.1)),
            ]))
      }
    }
    library.store.close()
    let (low, high) = (Int32.min, Int32.max)
    #expect(
      try rows("SELECT * FROM \(Self.tree) ORDER BY 1") == [
        "1|1|3", "2|-2|0", "3|3|3", "4|5|9", "5|\(high)|\(high)", "6|\(low)|\(low)",
        "7|\(low)|\(high)", "8|\(high)|\(high)", "9|2147483646|\(high)",
      ])
  }

  @Test func `PS-15 boxes have the numbers that a Float cannot have`() throws {
    let library = try open()
    let numbers: [Double] = [
      .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1e-44, -1e-44, 1e-37, 1.0000001e-37, 0.1,
      16_777_217, 1e300, -1e300,
      .infinity, -.infinity, 3.4028234663852889e38,
    ]
    try library.save { changes in
      for (index, number) in numbers.enumerated() {
        changes.inserts.append(
          try library.insert(
            "Area", Int64(index + 1), ["y1": .integer(0), "y2": .double(number)]))
      }
    }
    for (index, number) in numbers.enumerated() {
      let (first, second): (ComparisonOperator, ComparisonOperator) =
        number > 0 ? (.lessOrEqual, .greaterOrEqual) : (.greaterOrEqual, .lessOrEqual)
      let keys = try library.keys(
        "Area",
        .and([
          .comparison(.path(["y1"]), first, .value(.attribute(.integer(0)))),
          .comparison(.path(["y2"]), second, .value(.attribute(.double(number)))),
        ]))
      #expect(keys.contains(Int64(index + 1)), "\(number)")
    }
    library.store.close()
    #expect(try SQLiteStoreFile(scratch.file()).check() == [])
  }

  @Test func `PS-15 what another program writes is found, also what it replaces`() throws {
    let library = try open()
    try insert(1...20, library)
    let other = try library.intruder()
    defer { other.close() }
    for recursion in ["ON", "OFF"] {
      try other.execute(
        """
        PRAGMA recursive_triggers = \(recursion);
        INSERT INTO Item (_id, _version, _type, "begin", "end")
          VALUES (50, 1, 2, 90000, 90010), (51, 1, 2, 90000, 90010) ON CONFLICT DO NOTHING;
        REPLACE INTO Item (_id, _version, _type, "begin", "end") VALUES (50, 1, 2, 5, 7);
        UPDATE Item SET "begin" = 90001.5, "end" = 90002.5 WHERE _id = 3;
        UPDATE OR REPLACE Item SET _id = 4 WHERE _id = 51;
        UPDATE Item SET "end" = NULL WHERE _id = 6;
        DELETE FROM Item WHERE _id = 7;
        """)
      #expect(try overlapping(90_000, 90_009, library) == [3, 4])
      #expect(try overlapping(5, 5, library) == [50])
      #expect(try overlapping(600, 700, library) == [5])
      try other.execute(
        "UPDATE Item SET _id = 7 WHERE _id = 5; INSERT INTO Item "
          + "(_id, _version, _type, \"begin\", \"end\") VALUES (5, 1, 2, 500.5, 650.5)")
      #expect(try overlapping(600, 650, library) == [5, 7])
      try other.execute("DELETE FROM Item WHERE _id IN (4, 50)")
    }
    for (key, name) in [(8, "rowid"), (9, "oid"), (10, "_rowid_")] {
      try other.execute("UPDATE Item SET \(name) = \(key + 100) WHERE _id = \(key)")
    }
    #expect(try Set(overlapping(0, 100_000, library)).isSuperset(of: [108, 109, 110]))
    library.store.close()
    #expect(try SQLiteStoreFile(scratch.file()).check() == [])
  }

  @Test func `PS-15 an index without its triggers is not believed, and compacting mends it`()
    throws
  {
    let library = try open()
    try insert(1...20, library)
    library.store.close()
    let trigger = try #require(
      try lend {
        try $0.text("SELECT sql FROM sqlite_schema WHERE name GLOB '_oxbow*byTime_tree_update'")
      })
    try run(
      "DROP TRIGGER _oxbow_boxes_Item_byTime_tree_update; UPDATE Item SET \"begin\" = 5e6, "
        + "\"end\" = 6e6 WHERE _id <= 3; DROP TABLE _oxbow_boxes_Item_byNumber_tree;"
        + "DROP TRIGGER _oxbow_boxes_Item_byNumber_tree_insert;"
        + "DROP TRIGGER _oxbow_boxes_Item_byNumber_tree_update;"
        + "DROP TRIGGER _oxbow_boxes_Item_byNumber_tree_delete")
    let file = SQLiteStoreFile(scratch.file())
    let missing = { (name: String) in
      "the RTree index '_oxbow_boxes_Item_\(name)_tree' of 'Item' or one of its triggers is missing "
        + "or another one, so conditions read the rows; compacting the store makes it anew"
    }
    #expect(try file.check() == [missing("byTime"), missing("byNumber")])
    let blind = try open()
    #expect(try overlapping(5.5e6, 5.5e6, blind) == [1, 2, 3])
    blind.store.close()
    try run(trigger)
    #expect(
      try file.check() == [
        "the RTree index '_oxbow_boxes_Item_byTime_tree' is wrong for 3 rows of 'Item': they were "
          + "written while its triggers were away, and a condition may miss them; compacting the store "
          + "makes it anew", missing("byNumber"),
      ])
    try file.compact()
    #expect(try file.check() == [])
    let again = try open()
    #expect(try overlapping(5.5e6, 5.5e6, again) == [1, 2, 3])
    #expect(try overlapping(0, 401, again) == [4])
  }

  @Test(arguments: [true, false])
  func `PS-15 a store for reading and an older state of it are asked by the index`(hasLog: Bool)
    throws
  {
    let library = try open { $0.usesWriteAheadLog = hasLog }
    try insert(1...50, library)
    library.store.close()
    let reader = try open {
      ($0.usesWriteAheadLog, $0.isReadOnly) = (hasLog, true)
    }
    #expect(try overlapping(2000, 2050, reader) == [19, 20])
  }

  @Test func `PS-15 a failed save and a rolled back one leave the index as it was`() throws {
    let library = try open()
    try insert(1...20, library)
    #expect(throws: PersistenceError.self) {
      try library.save { changes in
        changes.inserts.append(try library.insert("Area", 30))
        changes.updates.append(
          try library.update(
            "Area", 3, 1,
            [
              "begin": .date(Date(timeIntervalSinceReferenceDate: 9e6)),
              "end": .date(Date(timeIntervalSinceReferenceDate: 9e6)),
            ]))
        changes.deletes.append(try library.delete("Area", 5, 7))
      }
    }
    #expect(try overlapping(9e6, 9e6, library) == [])
    #expect(try overlapping(350, 380, library) == [2, 3])
    library.store.close()
    #expect(try rows("SELECT count(*) FROM \(Self.tree)") == ["20"])
  }

  @Test(arguments: [true, false])
  func `PS-15 saves that share a commit, of which some fail, leave the boxes right`(hasLog: Bool)
    throws
  {
    let library = try open { $0.usesWriteAheadLog = hasLog }
    try insert(1...200, library)
    var versions = [Int64](repeating: 1, count: 8)
    for round in 0..<4 {
      let saves = try (0..<8).map { place in
        var changes = ChangeSet()
        let key = Int64(20 * place + 1)
        // Another version than the row has: this member is rolled back, with its boxes.
        let isRefused = (place + round).isMultiple(of: 3)
        let version = isRefused ? 99 : versions[place]
        for row in key..<(key + 10) {
          let moment = Date(timeIntervalSinceReferenceDate: Double(row + 1000 * Int64(round)))
          changes.updates.append(
            try library.update(
              "Area", row, version, ["begin": .date(moment), "end": .date(moment + 5)]))
        }
        changes.deletes = [try library.delete("Area", key + 10 + Int64(round), 1)]
        if !isRefused { versions[place] += 1 }
        return changes
      }
      let errors = try saveTogether(saves, library.store)
      #expect(errors.count { $0 != nil } == (0..<8).count { ($0 + round).isMultiple(of: 3) })
    }
    library.store.close()
    #expect(try SQLiteStoreFile(scratch.file()).check() == [])
    #expect(
      try rows(
        "SELECT (SELECT count(*) FROM Item) - count(*), rtreecheck('_oxbow_boxes_Item_byTime_tree') "
          + "FROM \(Self.tree)") == ["0|'ok'"])
  }

  @Test func `PS-15 a store whose SQLite lacks R*Tree is not made, and the error says what to do`()
    throws
  {
    let table = TableSchema(name: "Item", indexes: [])
    var index = IndexSchema(name: "i", columns: [.init("begin"), .init("end")])
    index.method = .boxes(areWhole: true)
    let boxes = try #require(BoxIndex(index, on: table.name))
    let error = PersistenceError.withoutBoxes(boxes, "/x.sqlite")
    #expect(error.code == .unsupported)
    #expect(
      error.message
        == "the store '/x.sqlite' needs the RTree index 'i' of the table 'Item', and this SQLite "
        + "(\(LibraryVersion.current)) was built without R*Tree, which keeps it; use a library that has "
        + "it, or take the elements of type RTree out of the model's fetch index")
  }
}
