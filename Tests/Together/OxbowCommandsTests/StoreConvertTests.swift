import Foundation
import OxbowModel
import OxbowRuntime
import OxbowTestSupport
import Testing

/// `store convert`: a store of Core Data becomes one of Oxbow.
@Suite struct StoreConvertTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write(CoreDataShelves.contents, to: "M.xcdatamodeld/M.xcdatamodel/contents")
  }

  /// Makes the store; without `losses`, every key leads somewhere and every row has a version.
  private func make(
    _ more: String = "", losses: Bool = false, journal: String = "wal",
    contents: String = CoreDataShelves.contents
  ) throws {
    try tool.folder.write(contents, to: "M.xcdatamodeld/M.xcdatamodel/contents")
    let document = try ModelDocument(Array(contents.utf8), file: "m")
    let mending = """
      UPDATE ZITEM SET ZAUTHOR = NULL, Z_FOK_AUTHOR = NULL WHERE Z_PK = 4;
      DELETE FROM Z_2TAGS WHERE Z_2ITEMS = 99; UPDATE ZTAG SET Z_OPT = 1 WHERE Z_PK = 3;
      """
    try CoreDataShelves.make(
      tool.folder.file("App.sqlite"), CoreDataHashes(of: document).values, journal: journal,
      more: (losses ? "" : mending) + more)
  }

  private func convert(_ more: String...) throws -> Tool.Output {
    try tool.run(
      ["store", "convert", "App.sqlite", "P.sqlite", "--model", "M.xcdatamodeld"] + more)
  }

  /// The lines of the store and of the new one.
  private func lines() throws -> (old: [Substring], new: [Substring]) {
    let old = try tool.run("store", "export", "App.sqlite", "--model", "M.xcdatamodeld")
    let new = try tool.run("store", "export", "P.sqlite")
    #expect((old.code, new.code) == (0, 0), "\(old.err)\(new.err)")
    return (old.out.split(separator: "\n"), new.out.split(separator: "\n"))
  }

  private func expectSound() throws {
    for command in ["check", "doctor"] {
      let output = try tool.run("store", command, "P.sqlite")
      #expect(output.code == 0, "\(output.out)\(output.err)")
    }
  }

  /// Refused with these losses, and nothing is left.
  private func expectRefused(_ losses: String..., advice: String = Self.advice) throws {
    let before = try tool.folder.names()
    for more in advice == Self.advice ? [[]] : [[], ["--allow-loss"]] {
      let output = try tool.run(
        ["store", "convert", "App.sqlite", "P.sqlite", "--model", "M.xcdatamodeld"] + more)
      #expect(output.code == 73)
      #expect(
        output.err
          == "error: nothing was written to 'P.sqlite': not everything in the store 'App.sqlite' can "
          + "come along; \(advice)\n" + losses.map { "  lost: \($0)\n" }.joined())
    }
    #expect(try tool.folder.names() == before)
  }

  private static let advice = "give --allow-loss if it may go, or correct it in the app"

  @Test(arguments: ["wal", "delete"])
  func `CD-34 a store and its conversion have the same lines`(journal: String) throws {
    try make(journal: journal)
    let output = try convert()
    #expect(
      output.out == "converted 'App.sqlite' to 'P.sqlite': 11 objects, 8 rows of links\n",
      "\(output.err)")
    #expect(try tool.folder.names() == ["App.sqlite", "M.xcdatamodeld", "P.sqlite"])
    let (old, new) = try lines()
    #expect(old.count == 11)
    #expect(old == new)
    try expectSound()
  }

  @Test func `CD-34 the new store is written to, and hands out no key again`() throws {
    try make("UPDATE Z_PRIMARYKEY SET Z_MAX = 40 WHERE Z_ENT = 6;")
    #expect(try convert().code == 0)
    let store = try PersistentContainer(store: .file(tool.folder.file("P.sqlite")))
    #expect(store.coordinator.store.identifier.uuidString == CoreDataShelves.identifier)
    let key = try store.perform { context in
      let tag = try context.insert(entityNamed: "Tag")
      try tag.setValue("later", for: "name")
      let author = try context.fetch(
        FetchRequest<ManagedObject>(
          entityNamed: "Author", where: FetchPredicate(format: "name == 'Ursula'"))
      )
      try author.first?.setValue("U.", for: "name")
      try context.save()
      return tag.objectID.key
    }
    #expect(key > 40)
    let value = try store.coordinator.metadata("lastSync", as: String.self)
    #expect(value == "yesterday")
    store.close()
    let (old, new) = try lines()
    #expect(new.count == 12)
    #expect(zip(old, new).filter { $0 != $1 }.count == 1)
    try expectSound()
  }

  @Test func `CD-34 losses are counted and named, and refused unless they may go`() throws {
    try make(losses: true)
    try expectRefused(
      "Book.author, 1×: a link to a row that is not there, left out (Book/p4)",
      "Tag, 1×: a row without a version, so version 1 (Tag/p3)",
      "Item.tags, 1×: a link to a row that is not there, left out (99 to 1)")
    let output = try convert("--allow-loss")
    #expect(
      output.out.contains("\nlost: Tag, 1×: a row without a version, so version 1 (Tag/p3)\n"))
    let (old, new) = try lines()
    #expect(zip(old, new).filter { $0 != $1 }.map(\.1).count == 1)
    #expect(new.last?.hasSuffix("\"version\": 1}") == true)
    try expectSound()
  }

  @Test func `CD-34 a result as JSON has the losses`() throws {
    try make("UPDATE ZITEM SET ZPRICE = 'NaN' WHERE Z_PK < 3")
    let document = try tool.json(
      "store", "convert", "App.sqlite", "P.sqlite", "--model", "M.xcdatamodeld", "--allow-loss")
    let result = try #require(document["result"] as? [String: Any])
    #expect(result["objects"] as? Int == 11)
    let loss = try #require((result["losses"] as? [[String: Any]])?.first)
    #expect(loss["kind"] as? String == "notANumber")
    #expect(loss["subject"] as? String == "Book.price")
    #expect(loss["count"] as? Int == 2)
    #expect(loss["places"] as? [String] == ["Book/p1", "Book/p2"])
    let lines = try tool.run("store", "export", "P.sqlite", "--entity", "Book")
    #expect(lines.out.components(separatedBy: #""price": null"#).count == 4)
  }

  @Test func `CD-34 large values are in files, and those whose file is missing are losses`() throws
  {
    let name = "5C3D7A3B-0000-4000-8000-00000000000A"
    try make("UPDATE ZITEM SET ZCOVER = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK = 1")
    try expectRefused("Book.cover, 1×: in a file that is missing, so null (Book/p1)")
    let large = String(repeating: "large", count: 40_000)
    try tool.folder.write(large, to: ".App_SUPPORT/_EXTERNAL_DATA/\(name)")
    let output = try convert()
    #expect(
      output.out == "converted 'App.sqlite' to 'P.sqlite': 11 objects, 8 rows of links, 1 file\n",
      "\(output.err)")
    let files = try FileManager.default.contentsOfDirectory(
      atPath: tool.folder.file("P.sqlite-files"))
    #expect(files.filter { $0 != "incoming" }.count == 1)
    let (old, new) = try lines()
    #expect(old == new)
    try expectSound()
  }

  @Test func `CD-34 links to objects of another entity and rows of none are losses`() throws {
    try make(
      """
      UPDATE ZITEM SET Z_ENT = 2 WHERE Z_PK = 4; INSERT INTO ZITEM (Z_PK, Z_ENT) VALUES (7, 88);
      UPDATE ZSHELF SET ZFAVOURITE = 7 WHERE Z_PK = 1;
      """)
    try expectRefused(
      "Item, 2×: a row of no entity of the model, left out (Item/p4, Item/p7)",
      "Shelf.favourite, 1×: a link to an object of another entity, left out (Shelf/p1)")
    #expect(try convert("--allow-loss").code == 0)
    try expectSound()
  }

  @Test func `CD-34 null where the model needs a value is its default, or refused`() throws {
    try make("UPDATE ZAUTHOR SET ZNAME = NULL; UPDATE ZITEM SET ZTITLE1 = NULL WHERE Z_PK = 3")
    try expectRefused(
      "Author.name, 2×: null where the model needs a value, and it has no default "
        + "(Author/p1, Author/p2)",
      "Film.title, 1×: null where the model needs a value, and it has no default (Film/p3)",
      advice: "correct it in the app, or give a model in which these properties are optional")
    try make2(
      CoreDataShelves.contents.replacing(
        #"name="name" attributeType"#, with: #"name="name" defaultValueString="x" attributeType"#))
    try expectRefused(
      "Author.name, 2×: null where the model needs a value, so the default of the model "
        + "(Author/p1, Author/p2)")
    #expect(try convert("--allow-loss").code == 0)
    let lines = try tool.run("store", "export", "P.sqlite", "--entity", "Author")
    #expect(lines.out.components(separatedBy: #""name": "x""#).count == 3)
  }

  /// Makes the store anew.
  private func make2(_ contents: String) throws {
    try FileManager.default.removeItem(atPath: tool.folder.file("App.sqlite"))
    try make("UPDATE ZAUTHOR SET ZNAME = NULL", contents: contents)
  }

  @Test func `CD-34 a cell that does not fit and equal unique values are errors`() throws {
    try make("UPDATE ZITEM SET ZPAGES = 'many' WHERE Z_PK = 2")
    let unfit = try convert("--allow-loss")
    #expect(
      unfit.err
        == "error: the row with Z_PK 2 of the table 'ZITEM' has something else than an INTEGER from "
        + "-2147483648 to 2147483647 for 'pages'; nothing was written: another program wrote it, so "
        + "correct the row in the store\n")
    try FileManager.default.removeItem(atPath: tool.folder.file("App.sqlite"))
    let unique =
      "<uniquenessConstraints><uniquenessConstraint><constraint value=\"name\"/>"
      + "</uniquenessConstraint></uniquenessConstraints></entity>\n  <entity name=\"Book\""
    try make(
      "UPDATE ZAUTHOR SET ZNAME = 'n'",
      contents: CoreDataShelves.contents.replacing(
        "</entity>\n  <entity name=\"Book\"", with: unique))
    let clash = try convert("--allow-loss")
    #expect(
      clash.err.hasPrefix(
        "error: Author/p2 and another object have the same values, which the model wants to be "
          + "unique; nothing was written: change one of them in the app\n"), "\(clash.err)")
    #expect(try tool.folder.names() == ["App.sqlite", "M.xcdatamodeld"])
  }

  @Test func `CD-34 what is there is never replaced, and only Core Data's stores are converted`()
    throws
  {
    try make()
    for name in ["P.sqlite", "P.sqlite-files", "P.sqlite-wal"] {
      try tool.folder.write("mine", to: name)
      let output = try convert()
      #expect(output.code == 69)
      #expect(
        output.err
          == "error: nothing was written to 'P.sqlite': '\(name)' exists already; choose another "
          + "path\n")
      try FileManager.default.removeItem(atPath: tool.folder.file(name))
    }
    #expect(try convert().code == 0)
    let plain = try tool.run("store", "convert", "P.sqlite", "Q.sqlite")
    #expect(
      plain.err
        == "error: 'P.sqlite' is not a store of Core Data; 'oxbowctl store backup' copies a store of "
        + "Oxbow, and '--layout coreData' makes a store of Core Data of it\n")
    let absent = try tool.run(
      "store", "convert", "App.sqlite", "none/Q.sqlite", "--model", "M.xcdatamodeld")
    #expect(absent.code == 69, "\(absent.err)")
    #expect(try tool.folder.names() == ["App.sqlite", "M.xcdatamodeld", "P.sqlite"])
  }
}

/// Every store of the samples: the lines of the store and of its conversion.
@Suite(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
struct StoreConvertSampleTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `CD-34 every store and its conversion have the same lines`() throws {
    var (equal, refused) = (0, 0)
    for (number, facts) in try StoreSamples.facts().enumerated() {
      let arguments = try StoreSamples.copy(facts, number, into: tool)
      let output = try tool.run(
        ["store", "convert", arguments[0], "\(number).sqlite", "--allow-loss"]
          + arguments.dropFirst())
      guard output.code == 0 else {
        #expect(output.err.contains("the table ZLPARENTITY was made anew"), "\(output.err)")
        refused += 1
        continue
      }
      let old = try export(arguments, "\(number).old")
      let new = try export(["\(number).sqlite"], "\(number).new")
      #expect(old == new, "\(facts[0])")
      equal += old == new ? 1 : 0
      let doctor = try tool.run("store", "doctor", "\(number).sqlite")
      #expect(doctor.code == 0, "\(facts[0]): \(doctor.out)\(doctor.err)")
    }
    #expect((equal, refused) == (51, 1))
  }

  private func export(_ arguments: [String], _ name: String) throws -> Data {
    let file = URL(filePath: tool.folder.file(name))
    try Data().write(to: file)
    let (process, _, _) = try tool.process(["store", "export"] + arguments)
    process.standardOutput = try FileHandle(forWritingTo: file)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(name)")
    return try Data(contentsOf: file)
  }
}
