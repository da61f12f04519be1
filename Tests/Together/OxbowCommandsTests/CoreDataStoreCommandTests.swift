import Foundation
import OxbowTestSupport
import Testing

/// The commands that look at, migrate and copy stores of Core Data.
@Suite struct CoreDataStoreCommandTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write(CoreDataShelves.contents, to: "M.xcdatamodel/contents")
    let made = try tool.run(
      "store", "create", "s.sqlite", "--model", "M.xcdatamodel", "--layout", "coreData")
    #expect(made.code == 0, "\(made.err)")
    try run(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT IN (2, 6);
      INSERT INTO ZTAG VALUES (1, 6, 1, 'sf'), (2, 6, 3, 'old');
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCODE) VALUES (1, 3, 1, 'Rocannon', 'a');
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE1, ZMINUTES) VALUES (2, 4, 1, 'Lathe', 105);
      INSERT INTO Z_2TAGS VALUES (1, 1, 2048), (2, 1, 3072);
      """)
  }

  private func run(_ sql: String) throws {
    try FixtureDatabase.run(tool.folder.file("s.sqlite"), sql)
  }

  private func document(_ name: String, _ old: String, _ new: String) throws {
    try tool.folder.write(
      CoreDataShelves.contents.replacing(old, with: new), to: "\(name).xcdatamodel/contents")
  }

  // MARK: - The doctor

  @Test func `CD-44 store doctor tells what is wrong from what apps leave behind`() throws {
    let well = try tool.run("store", "doctor", "s.sqlite", "--model", "M.xcdatamodel")
    #expect(well.out == "'s.sqlite' is well\n")
    #expect(well.code == 0)
    try run(
      """
      UPDATE ZITEM SET ZAUTHOR = 7, Z_FOK_AUTHOR = 2048 WHERE Z_PK = 1;
      UPDATE Z_2TAGS SET Z_FOK_2ITEMS = 2048;
      UPDATE ZTAG SET Z_OPT = 0 WHERE Z_PK = 2;
      """)
    let found = try tool.run("store", "doctor", "s.sqlite", "--model", "M.xcdatamodel")
    #expect(found.code == 2)
    #expect(
      found.out == """
        ZTAG: the version is below 1, 1× (2)
          Core Data alone writes nothing like it: keep a copy of all its files, and restore an older one
        Z_2TAGS.Z_FOK_2ITEMS: twice in one order, 1× (1-1)
          Core Data alone writes nothing like it: keep a copy of all its files, and restore an older one
        note: ZITEM.ZAUTHOR: leads to no row, 1× (1)

        """)
    #expect(try tool.folder.names() == ["M.xcdatamodel", "s.sqlite"])
    let without = try tool.run("store", "doctor", "s.sqlite")
    #expect(without.code == 0)
    #expect(
      without.out == """
        's.sqlite' is well
        note: the store does not keep its model, so rows were not looked at: give --model

        """)
    try document("N", "name=\"minutes\" optional=\"YES\"", "name=\"minutes\"")
    let wrong = try tool.run("store", "doctor", "s.sqlite", "--model", "N.xcdatamodel")
    #expect(wrong.err.contains("entities: differ: Film"))
  }

  // MARK: - Migrations

  @Test func `CD-45 store migrate changes hashes in place, and in a copy with --to`() throws {
    try document("N", "name=\"minutes\" optional=\"YES\"", "name=\"minutes\"")
    let arguments = [
      "store", "migrate", "s.sqlite", "--model", "N.xcdatamodel", "--from", "M.xcdatamodel",
    ]
    let copied = try tool.run(arguments + ["--to", "t.sqlite"])
    #expect(
      copied.out == "copied 's.sqlite' to 't.sqlite' and migrated the copy\n", "\(copied.err)")
    let done = try tool.run(arguments)
    #expect(done.out == "migrated 's.sqlite' in place\n", "\(done.err)")
    for store in ["s.sqlite", "t.sqlite"] {
      let fits = try tool.run("store", "doctor", store, "--model", "N.xcdatamodel")
      #expect(fits.out == "'\(store)' is well\n")
    }
    let again = try tool.run(
      "store", "migrate", "s.sqlite", "--model", "N.xcdatamodel", "--from", "N.xcdatamodel")
    #expect(again.out == "'s.sqlite' has this version already\n")
    try run(
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (x'00')")
    let without = try tool.run(
      "store", "migrate", "s.sqlite", "--model", "M.xcdatamodel", "--from", "N.xcdatamodel")
    #expect(
      without.out
        == """
        migrated 's.sqlite' in place
        it no longer keeps its model: give --model to other commands

        """, "\(without.err)")
    let kept = try tool.run("store", "export", "s.sqlite")
    #expect(kept.err.contains("or Oxbow, which writes that version and keeps no model"))
    #expect(
      try tool.folder.names() == ["M.xcdatamodel", "N.xcdatamodel", "s.sqlite", "t.sqlite"])
  }

  @Test func `CD-45 Ctrl-C leaves nothing of a copy behind`() throws {
    try document("N", "name=\"minutes\" optional=\"YES\"", "name=\"minutes\"")
    try run(
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      INSERT INTO ZTAG SELECT i, 6, 1, printf('%.1000000c', 'n') FROM n;
      """)
    let (process, _, _) = try tool.process([
      "store", "migrate", "s.sqlite", "--model", "N.xcdatamodel", "--from", "M.xcdatamodel",
      "--to", "t.sqlite",
    ])
    try process.run()
    func isMaking() throws -> Bool {
      try tool.folder.names().contains { $0.contains(".migrating-") }
    }
    while process.isRunning, try !isMaking() {}
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(try !isMaking())
  }

  @Test func `CD-45 store migrate makes a new file where more is different`() throws {
    let before = try tool.run("store", "export", "s.sqlite", "--model", "M.xcdatamodel")
    try document("N", "name=\"minutes\"", "name=\"length\" elementID=\"minutes\"")
    let arguments = [
      "store", "migrate", "s.sqlite", "--model", "N.xcdatamodel", "--from", "M.xcdatamodel",
    ]
    let refused = try tool.run(arguments)
    #expect(refused.code == 73)
    #expect(refused.err.contains("different: tables are others"), "\(refused.err)")
    let done = try tool.run(arguments + ["--to", "t.sqlite"])
    #expect(done.out == "migrated 's.sqlite' to 't.sqlite'\n", "\(done.err)")
    let well = try tool.run("store", "doctor", "t.sqlite", "--model", "N.xcdatamodel")
    #expect(well.out == "'t.sqlite' is well\n")
    let after = try tool.run("store", "export", "t.sqlite", "--model", "N.xcdatamodel")
    let lines = { (text: String) in
      text.replacing("\"minutes\": 105, ", with: "").replacing("\"length\": 105, ", with: "")
    }
    #expect(lines(after.out) == lines(before.out))
    #expect(after.out.contains("\"length\": 105"))
    #expect(
      try tool.folder.names() == ["M.xcdatamodel", "N.xcdatamodel", "s.sqlite", "t.sqlite"])
  }

  @Test func `CD-45 a loss and a history keep a store from being migrated without consent`() throws
  {
    try document(
      "N", "<attribute name=\"code\" optional=\"YES\" attributeType=\"String\"/>", "")
    try run(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER,
        ZCOLUMNS BLOB);
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER,
        ZTIMESTAMP FLOAT);
      CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZNAME VARCHAR);
      """)
    let arguments = [
      "store", "migrate", "s.sqlite", "--model", "N.xcdatamodel", "--from", "M.xcdatamodel", "--to",
      "t.sqlite",
    ]
    let history = try tool.run(arguments)
    #expect(history.code == 73)
    #expect(history.err.contains("--drop-history"))
    let loss = try tool.run(arguments + ["--drop-history"])
    #expect(loss.code == 73)
    #expect(try tool.folder.names() == ["M.xcdatamodel", "N.xcdatamodel", "s.sqlite"])
    let done = try tool.run(arguments + ["--drop-history", "--allow-loss"])
    #expect(done.code == 0, "\(done.err)")
    #expect(done.out.hasPrefix("migrated 's.sqlite' to 't.sqlite'\nlost: "), "\(done.out)")
  }

  // MARK: - Copies

  @Test func `CD-46 backup, restore and move work for an app's store`() throws {
    let copied = try tool.run("store", "backup", "s.sqlite", "b.sqlite")
    #expect(copied.out == "copied 's.sqlite' to 'b.sqlite'\n", "\(copied.err)")
    let moved = try tool.run("store", "move", "s.sqlite", "n.sqlite")
    #expect(moved.out == "moved 's.sqlite' to 'n.sqlite'\n", "\(moved.err)")
    let restored = try tool.run("store", "restore", "b.sqlite", "n.sqlite", "--replace")
    #expect(restored.out.hasPrefix("restored 'n.sqlite' from 'b.sqlite'\n"), "\(restored.err)")
    #expect(
      try tool.folder.names() == [
        "M.xcdatamodel", "b.sqlite", "n.sqlite", "n.sqlite.replaced",
      ])
    #expect(try tool.run("store", "check", "n.sqlite").out == "'n.sqlite' is sound\n")
  }
}
