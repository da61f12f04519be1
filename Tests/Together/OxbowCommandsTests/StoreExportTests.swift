import Foundation
import OxbowModel
import OxbowTestSupport
import Testing

/// `store export`: objects as lines of JSON, whatever wrote their store.
@Suite struct StoreExportTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write(CoreDataShelves.contents, to: "M.xcdatamodeld/M.xcdatamodel/contents")
  }

  private func make(_ more: String = "") throws {
    let document = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m")
    try CoreDataShelves.make(
      tool.folder.file("App.sqlite"), CoreDataHashes(of: document).values, more: more)
  }

  /// The lines with the store's identifier left out.
  private func lines(_ arguments: String...) throws -> [String] {
    let output = try tool.run(["store", "export"] + arguments)
    #expect(output.code == 0, "\(output.err)")
    return output.out.replacing(CoreDataShelves.identifier, with: "S").split(separator: "\n")
      .map(String.init)
  }

  @Test func `CD-33 each object is a line with its values, links and version`() throws {
    try make()
    let lines = try lines("App.sqlite", "--model", "M.xcdatamodeld")
    #expect(
      lines == [
        #"{"entity": "Author", "id": "x-coredata://S/Author/p1", "values": {"books": ["x-coredata://S/Book/p2", "x-coredata://S/Book/p1"], "born": 12.0, "name": "Ursula", "shelf": "x-coredata://S/Shelf/p1"}, "version": 4}"#,
        #"{"entity": "Author", "id": "x-coredata://S/Author/p2", "values": {"books": [], "born": -0.5, "name": "Iain", "shelf": null}, "version": 1}"#,
        #"{"entity": "Book", "id": "x-coredata://S/Book/p1", "values": {"author": "x-coredata://S/Author/p1", "code": "a", "cover": "wP/u", "pages": 117, "price": "9.5", "tags": ["x-coredata://S/Tag/p1"], "title": "Rocannon"}, "version": 1}"#,
        #"{"entity": "Book", "id": "x-coredata://S/Book/p2", "values": {"author": "x-coredata://S/Author/p1", "code": null, "cover": null, "pages": 113, "price": "12", "tags": ["x-coredata://S/Tag/p1"], "title": "Planet"}, "version": 2}"#,
        #"{"entity": "Book", "id": "x-coredata://S/Book/p4", "values": {"author": null, "code": null, "cover": null, "pages": null, "price": null, "tags": [], "title": "Walking"}, "version": 1}"#,
        #"{"entity": "Film", "id": "x-coredata://S/Film/p3", "values": {"code": null, "minutes": 105, "tags": ["x-coredata://S/Tag/p2"], "title": "Lathe"}, "version": 1}"#,
        #"{"entity": "Shelf", "id": "x-coredata://S/Shelf/p1", "values": {"contents": ["x-coredata://S/Book/p1", "x-coredata://S/Book/p2"], "favourite": "x-coredata://S/Film/p3", "label": "low", "owner": "x-coredata://S/Author/p1"}, "version": 1}"#,
        #"{"entity": "Shelf", "id": "x-coredata://S/Shelf/p2", "values": {"contents": ["x-coredata://S/Film/p3"], "favourite": "x-coredata://S/Book/p1", "label": null, "owner": null}, "version": 1}"#,
        #"{"entity": "Tag", "id": "x-coredata://S/Tag/p1", "values": {"items": ["x-coredata://S/Book/p2", "x-coredata://S/Book/p1"], "name": "sf", "related": ["x-coredata://S/Tag/p2", "x-coredata://S/Tag/p3"], "relatedBy": []}, "version": 1}"#,
        #"{"entity": "Tag", "id": "x-coredata://S/Tag/p2", "values": {"items": ["x-coredata://S/Film/p3"], "name": "old", "related": [], "relatedBy": ["x-coredata://S/Tag/p1"]}, "version": 1}"#,
        #"{"entity": "Tag", "id": "x-coredata://S/Tag/p3", "values": {"items": [], "name": "new", "related": [], "relatedBy": ["x-coredata://S/Tag/p1"]}, "version": 0}"#,
      ])
    #expect(try tool.folder.names() == ["App.sqlite", "M.xcdatamodeld"])
  }

  @Test func `CD-33 an entity includes those below it, and pages have an end`() throws {
    try make(
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1009)
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE1, ZCODE) SELECT i, 4, 1, 'f', 'line\n"' FROM n;
      """)
    let lines = try lines(
      "App.sqlite", "--model", "M.xcdatamodeld/M.xcdatamodel", "--entity", "Film", "--entity",
      "Film")
    #expect(lines.count == 1001)
    #expect(lines.last?.contains(#""code": "line\n\"""#) == true)
    let items = try self.lines("App.sqlite", "--model", "M.xcdatamodeld", "--entity", "Item")
    #expect(items.count == 1004)
    let unknown = try tool.run(
      "store", "export", "App.sqlite", "--model", "M.xcdatamodeld", "--entity", "Flim")
    #expect(unknown.code != 0)
    #expect(unknown.err.contains("did you mean: 'Film'"))
  }

  @Test func `CD-33 a value whose file is missing is null, and one that is there is its bytes`()
    throws
  {
    let name = "5C3D7A3B-0000-4000-8000-00000000000A"
    try make("UPDATE ZITEM SET ZCOVER = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK = 1")
    func cover() throws -> Bool {
      try lines("App.sqlite", "--model", "M.xcdatamodeld", "--entity", "Book")[0]
        .contains(#""cover": null"#)
    }
    #expect(try cover())
    try tool.folder.write("large", to: ".App_SUPPORT/_EXTERNAL_DATA/\(name)")
    #expect(try !cover())
  }

  @Test func `CD-33 stores of Oxbow are exported in the same form`() throws {
    try tool.folder.write(Documents.first, to: "F.xcdatamodel/contents")
    let made = try tool.run("migrate", "apply", "--store", "f.sqlite", "--model", "F.xcdatamodel")
    #expect(made.code == 0, "\(made.err)")
    try FixtureDatabase.run(
      tool.folder.file("f.sqlite"),
      "INSERT INTO File (_id, _version, name, size) VALUES (3, 2, 'a', 9)")
    let output = try tool.run("store", "export", "f.sqlite")
    #expect(
      output.out.contains(
        #"/File/p3", "values": {"name": "a", "size": 9}, "version": 2}"#), "\(output.err)")
  }

  /// Exports a store of more than a pipe takes, which `change` changes in the middle.
  private func export(changing change: () throws -> Void) throws -> (code: Int32, text: String) {
    let (process, out, err) = try tool.process(["store", "export", "f.sqlite"])
    try process.run()
    var data = out.fileHandleForReading.availableData
    try change()
    data += out.fileHandleForReading.readDataToEndOfFile()
    let errors = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self) + errors)
  }

  @Test func `CD-33 what is exported is of one moment, or refused`() throws {
    try tool.folder.write(Documents.second, to: "F.xcdatamodel/contents")
    let made = try tool.run("migrate", "apply", "--store", "f.sqlite", "--model", "F.xcdatamodel")
    #expect(made.code == 0, "\(made.err)")
    let path = tool.folder.file("f.sqlite")
    try FixtureDatabase.run(
      path,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO File (_id, _version, name, byteCount, rank) SELECT i, 1, 'a', i, 1 FROM n;
      """)
    func add(_ title: String) throws {
      try FixtureDatabase.run(
        path, "INSERT INTO Label (_version, title) VALUES (1, '\(title)')")
    }
    try FixtureDatabase.run(path, "SELECT * FROM File; UPDATE File SET _version = 2") {
      let shared = try export { try add("shared") }
      #expect(shared.code == 0, "\(shared.text.suffix(400))")
      #expect(shared.text.count(where: { $0 == "\n" }) == 5000)
    }
    try FixtureDatabase.run(path, "PRAGMA journal_mode = DELETE")
    let alone = try export { try add("alone") }
    #expect(alone.code == 75)
    #expect(alone.text.contains("f.sqlite' was changed while it was read"))
  }

  @Test func `CD-33 a store that another tool has edited is refused by name`() throws {
    try make("DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME)")
    let output = try tool.run("store", "export", "App.sqlite", "--model", "M.xcdatamodeld")
    #expect(output.code != 0)
    #expect(output.err.contains("the table ZTAG was made anew by another tool"))
  }
}

/// Every store of the samples, by an independent reader's count; the samples themselves are never
/// opened.
@Suite(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
struct StoreExportSampleTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  /// What is counted: objects, values, links of both kinds, the highest version; objects by entity.
  private struct Count: Equatable {
    var numbers = [0, 0, 0, 0, 0]
    var objects: [String: Int] = [:]

    init(lines: some Sequence<Substring>) throws {
      for line in lines {
        let object = try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        numbers[0] += 1
        objects[try #require(object["entity"] as? String), default: 0] += 1
        numbers[4] = max(numbers[4], object["version"] as? Int ?? 0)
        for value in try #require(object["values"] as? [String: Any]).values { add(value) }
      }
    }

    init(facts: [String]) {
      numbers = [4, 5, 6, 7, 9].map { Int(facts[$0]) ?? 0 }
      // Keys that lead nowhere were counted as links, and are null here.
      let remark = facts[11].components(separatedBy: "dangling key x ").dropFirst().first
      numbers[2] -= remark.flatMap { Int($0.prefix(while: \.isNumber)) } ?? 0
      for part in facts[10].split(separator: "; ") {
        let words = part.split(separator: " ")
        objects[String(words[0])] = Int(words[1])
      }
    }

    private mutating func add(_ value: Any) {
      switch value {
      case let list as [Any]: numbers[3] += list.count
      case let text as String where text.hasPrefix("x-coredata://"): numbers[2] += 1
      case is NSNull: break
      default: numbers[1] += 1
      }
    }
  }

  @Test func `CD-33 every store is exported as it was counted, but the one that a tool has edited`()
    throws
  {
    var exported = 0
    for (number, facts) in try StoreSamples.facts().enumerated() {
      let arguments = try StoreSamples.copy(facts, number, into: tool)
      let path = tool.folder.file("\(number)")
      let before = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      let file = tool.folder.file("\(number).jsonl")
      try Data().write(to: URL(filePath: file))
      let (process, _, err) = try tool.process(["store", "export"] + arguments)
      process.standardOutput = FileHandle(forWritingAtPath: file)
      try process.run()
      let message = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == before)
      guard process.terminationStatus == 0 else {
        #expect(facts[11].contains("refuse"), "\(facts[0]): \(message)")
        #expect(message.contains("the table ZLPARENTITY was made anew by another tool"))
        continue
      }
      exported += 1
      let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
      #expect(try Count(lines: text.split(separator: "\n")) == Count(facts: facts), "\(facts[0])")
    }
    #expect(exported == 51)
  }
}

/// The stores of the samples.
enum StoreSamples {
  /// What an independent reader has counted: a line for each store.
  static func facts() throws -> [[String]] {
    let path = try #require(Samples.folder) + "/coredata-facts.tsv"
    return try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n")
      .dropFirst()
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }

  /// Copies a store with its log; returns the arguments that export it.
  static func copy(_ facts: [String], _ number: Int, into tool: Tool) throws -> [String] {
    let samples = try #require(Samples.folder)
    let (from, to) = ("\(samples)/stores/\(facts[0])", "\(number)/s.sqlite")
    try tool.folder.write("", to: "\(number)/.keep")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: from + suffix) {
      try FileManager.default.copyItem(atPath: from + suffix, toPath: tool.folder.file(to + suffix))
    }
    guard facts[2] != "Z_MODELCACHE" else { return [to] }
    let parts = facts[2].split(separator: "/")
    let isFile = ["contents", "elements"].contains(parts.last)
    return [
      to, "--model", samples + "/" + (isFile ? parts.dropLast() : parts).joined(separator: "/"),
    ]
  }
}
