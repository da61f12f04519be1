import Foundation
import OxbowCommands
import OxbowModel
import OxbowTestSupport
import Testing

/// `store fetch`: questions to a store without its classes.
@Suite struct StoreFetchTests {
  private let tool: Tool

  private static let model = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Author">
        <attribute name="name" attributeType="String"/>
        <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
      </entity>
      <entity name="Book">
        <attribute name="bought" optional="YES" attributeType="Date"/>
        <attribute name="code" optional="YES" attributeType="UUID"/>
        <attribute name="cover" optional="YES" attributeType="Binary"/>
        <attribute name="page" optional="YES" attributeType="URI"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="read" optional="YES" attributeType="Boolean"/>
        <attribute name="title" attributeType="String"/>
        <attribute name="weight" optional="YES" attributeType="Double"/>
        <attribute name="year" optional="YES" attributeType="Integer 32"/>
        <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
      </entity>
      <entity name="Shelf">
        <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Book"/>
      </entity>
    </model>
    """

  private static let rows = """
    INSERT INTO Author (_id, _version, name) VALUES (1, 1, 'Mann'), (2, 1, 'Lem');
    INSERT INTO Shelf (_id, _version) VALUES (1, 1);
    INSERT INTO Book (_id, _version, title, year, price, author, read, bought, cover, weight, code, \
    page) VALUES
      (1, 1, 'Solaris', 1961, '9.50', 2, 1, 12.5, x'c0ffee', 0.25, x'\
    000102030405060708090a0b0c0d0e0f', 'http://a.example/b?c=1,2'),
      (2, 1, 'Der "Zauberberg", I' || char(13) || char(10) || 'II', 1924, '20', 1, 0, 0, NULL, NULL, \
    NULL, NULL),
      (3, 1, '', NULL, NULL, NULL, NULL, 1e13, NULL, -1e300, NULL, NULL),
      (4, 1, '=1+1 ' || char(27) || '[31m' || printf('%.70c', 'é'), 2000, '-3', 2, NULL, NULL, x'', \
    NULL, NULL, NULL);
    """

  init() throws {
    tool = try Tool()
    try tool.folder.write(Self.model, to: "B.xcdatamodel/contents")
    let made = try tool.run("migrate", "apply", "--store", "b.sqlite", "--model", "B.xcdatamodel")
    #expect(made.code == 0, "\(made.err)")
    try FixtureDatabase.run(tool.folder.file("b.sqlite"), Self.rows)
  }

  /// What a terminal would show of commands, with their exit codes.
  private func transcript(_ questions: [[String]]) throws -> String {
    try questions.map { arguments in
      let output = try tool.run(["store", "fetch"] + arguments)
      let words = arguments.map { $0.contains(" ") || $0.isEmpty ? "'\($0)'" : $0 }
      return "$ store fetch \(words.joined(separator: " "))\n"
        + output.out.replacing("\r\n", with: "␍\n").replacing("\u{1B}", with: "␛") + output.err
        + "exit \(output.code)\n"
    }
    .joined(separator: "\n").replacing(tool.folder.path, with: "FOLDER")
  }

  @Test func `PF-10 questions are answered as a table, as lines of JSON and as CSV`() throws {
    let books = ["b.sqlite", "Book"]
    try Golden.expect(
      try transcript([
        books, books + ["--json"], books + ["--csv"], ["b.sqlite", "Shelf"],
        books + [
          "author.name BEGINSWITH 'L'", "--columns",
          "self,title as t, author, month(bought, 'GMT')",
          "--sort", "year desc, t", "--width", "9",
        ],
        books + [
          "year > 1900", "--sort", "year", "--columns", "title", "--limit", "1", "--offset", "1",
        ],
        books + ["--group-by", "author.name"],
        books + [
          "--columns", "author.name, count(), sum(price) as total, avg(year)", "--sort",
          "total desc", "--having", "total > 1",
        ],
        books + ["--columns", "count(),count(distinct author)", "--json"],
        ["b.sqlite", "Author", "--columns", "name, books.@count", "--sort", "books.@count desc"],
        books + ["year > 3000", "--columns", "title"],
        books + ["year > 3000", "--json", "--quiet"],
        books + ["--columns", "title", "--width", "0", "--sort", "title,title", "--limit", "0"],
      ]), "fetch.txt")
  }

  @Test func `PF-10 a question is explained: its statement, its plan in words, and what is read`()
    throws
  {
    let books = ["b.sqlite", "Book"]
    try FixtureDatabase.run(
      tool.folder.file("b.sqlite"), "CREATE INDEX Book_year ON Book (year)")
    try Golden.expect(
      try transcript([
        books + ["year > 1950", "--columns", "title", "--explain"],
        books + [
          "author.name BEGINSWITH 'M'", "--columns", "title,author.name", "--sort",
          "year desc, title",
          "--explain",
        ],
        books + ["--columns", "title", "--sort", "title", "--explain"],
        books + ["--group-by", "author", "--columns", "author, count()", "--explain"],
        ["b.sqlite", "Author", "ANY books.year > 1950", "--columns", "name", "--explain"],
        books + ["SELF IN {}", "--columns", "title", "--explain", "--json"],
        books + ["--explain", "--csv"], books + ["yaer > 1", "--explain"],
      ]), "fetch-explain.txt")
  }

  @Test(arguments: [
    ("SCAN t0", "reads all rows of Book"),
    ("SCAN t0 USING COVERING INDEX i", "reads all of the index i of Book"),
    ("SCAN t0 USING INDEX i", "reads all rows of Book, in the order of its index i"),
    ("SCAN w VIRTUAL TABLE INDEX 0:M2", "asks w"),
    (
      "SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      "looks up rows of Book by their keys"
    ),
    (
      "SEARCH t0 USING AUTOMATIC COVERING INDEX (x=?)",
      "makes an index of all rows of Book for this question, and looks up rows in it (x=?)"
    ),
    (
      "SEARCH t0 USING COVERING INDEX i (x=? AND y>?)",
      "looks up values of Book in its index i (x=? AND y>?)"
    ),
    (
      "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
      "sorts rows that are equal by the first sort keys"
    ),
    ("BLOOM FILTER ON t0 (x=?)", "BLOOM FILTER ON t0 (x=?)"),
  ])
  func `PF-10 a line of SQLite's plan has words, and an unknown one stays`(
    line: String, words: String
  ) throws {
    let plan = PlanWords("SELECT 1 FROM \"Book\" AS t0 LEFT JOIN \"Author\" AS t1 ON 1")
    #expect(plan.text(of: line) == words)
  }

  @Test func `PF-10 each mistake in a question is named with its place and near names`() throws {
    let books = ["b.sqlite", "Book"]
    let mistakes = [
      ["b.sqlite", "Bok"], ["none.sqlite", "Book"], ["B.xcdatamodel/contents", "Book"],
      books + ["titel == 'x'"], books + ["title = "], books + ["title == %@"],
      books + ["title == $name"], books + ["year == 'x'"],
      books + ["--columns", "title,pric"], books + ["--columns", "title,,year"],
      books + ["--columns", "title year"], books + ["--columns", ""],
      books + ["--columns", "title,title"], ["b.sqlite", "Author", "--columns", "books"],
      books + ["--columns", "(title"],
      books + ["--sort", "yaer"], books + ["--sort", "year down"],
      books + ["--sort", "sum(price)", "--columns", "title"],
      books + ["--group-by", "author", "--columns", "title"],
      books + ["--having", "title == 'x'"],
      books + ["--limit", "ten"], books + ["--limit=-1"], books + ["--csv", "--json"],
      books + ["yaer == 1", "--json"], books + ["--model", "none.xcdatamodel"],
    ]
    try Golden.expect(try transcript(mistakes), "fetch-mistakes.txt")
  }

  @Test func `CD-33 a store of Core Data is asked in the same way, without a trace`() throws {
    let document = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m")
    try CoreDataShelves.make(
      tool.folder.file("App.sqlite"), CoreDataHashes(of: document).values)
    try tool.folder.write(CoreDataShelves.contents, to: "M.xcdatamodeld/M.xcdatamodel/contents")
    let names = try tool.folder.names()
    let model = ["--model", "M.xcdatamodeld"]
    try Golden.expect(
      try transcript([
        ["App.sqlite", "Book"] + model, ["App.sqlite", "Book"],
        ["App.sqlite", "Item", "ANY tags.name == 'sf'", "--columns", "self, code"] + model,
        ["App.sqlite", "Book", "--group-by", "author", "--columns", "author, sum(pages)"] + model,
        ["App.sqlite", "Author", "--json"] + model,
      ]), "fetch-coredata.txt")
    #expect(try tool.folder.names() == names)
  }

  @Test(arguments: ["wal", "delete"])
  func `PS-14 nothing is left beside a store, whether it is in use or not`(journal: String) throws {
    let path = tool.folder.file("b.sqlite")
    func expectUntouched(_ place: String) throws {
      let before = try (tool.folder.names(), Data(contentsOf: URL(filePath: path)))
      let output = try tool.run("store", "fetch", "b.sqlite", "Author", "--columns", "count()")
      #expect(output.out == "count()\n-------\n      2\n", "\(place): \(output.err)")
      #expect(try tool.folder.names() == before.0, "\(place)")
      #expect(try Data(contentsOf: URL(filePath: path)) == before.1, "\(place)")
      _ = try tool.run("store", "export", "b.sqlite")
      #expect(try tool.folder.names() == before.0, "\(place)")
    }
    try FixtureDatabase.run(path, "PRAGMA journal_mode = \(journal)")
    try expectUntouched("at rest")
    try FixtureDatabase.run(path, "SELECT * FROM Author; UPDATE Author SET _version = 2") {
      try expectUntouched("open")
    }
    try FileManager.default.removeItem(atPath: path + "-lock")
    try expectUntouched("without a lock file")
  }

  @Test(arguments: [("wal", 0), ("delete", 1)])
  func `PS-14 what a killed program left is read from a copy, and stays as it is`(
    journal: String, count: Int
  ) throws {
    let (path, copy) = (tool.folder.file("b.sqlite"), tool.folder.file("c.sqlite"))
    let manager = FileManager.default
    try FixtureDatabase.run(
      path,
      """
      PRAGMA journal_mode = \(journal); PRAGMA cache_size = 1; BEGIN;
      UPDATE Author SET name = 'new';
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO Author (_id, _version, name) SELECT i, 1, printf('%.99c', 'n') FROM n;
      \(journal == "wal" ? "COMMIT" : "")
      """
    ) {
      for suffix in ["", "-wal", "-journal"] where manager.fileExists(atPath: path + suffix) {
        try manager.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
    }
    func files() throws -> [String: Data] {
      let names = try tool.folder.names().filter { $0.hasPrefix("c.sqlite") }
      return try Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, try Data(contentsOf: URL(filePath: tool.folder.file($0))))
        })
    }
    let before = try files()
    #expect(before.count == 2)
    let output = try tool.run(
      "store", "fetch", "c.sqlite", "Author", "name == 'Mann'", "--csv", "--columns", "count()")
    #expect(output.out == "count()\r\n\(count)\r\n", "\(output.err)")
    #expect(try files() == before)
  }

  @Test func `PF-10 many rows are all written, and a reader may go before the end`() throws {
    try FixtureDatabase.run(
      tool.folder.file("b.sqlite"),
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1210)
      INSERT INTO Author (_id, _version, name) SELECT i, 1, 'n' || i FROM n;
      """)
    let all = try tool.run("store", "fetch", "b.sqlite", "Author", "--csv")
    #expect(all.out.split(separator: "\r\n").count == 1204)
    #expect(all.out.hasSuffix("n1209\r\nn1210\r\n"))
    let path = try #require(Tool.path)
    let command = "'\(path)' store fetch b.sqlite Author --json | head -1"
    #expect(try Shell.run(command, in: tool.folder.path) == "{\"name\": \"Mann\"}\n")
  }

  #if os(Linux)
    @Test func `PF-10 a terminal gets no commands from values, in any form`() throws {
      for form in [[], ["--csv"], ["--json"]] {
        let shown = try tool.inTerminal(
          ["store", "fetch", "b.sqlite", "Book", "year == 2000", "--columns", "title"] + form)
        #expect(shown.text.contains("=1+1 "), "\(form)")
        #expect(!shown.text.contains("\u{1B}"), "\(form)")
      }
    }
  #endif
}
