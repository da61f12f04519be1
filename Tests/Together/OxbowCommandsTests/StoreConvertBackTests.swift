import Foundation
import OxbowModel
import OxbowRuntime
import OxbowSQLite
import OxbowTestSupport
import Testing

/// `store convert --layout coreData` and `store create`: stores of Core Data are made.
@Suite struct StoreConvertBackTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  private func write(_ contents: String) throws {
    try tool.folder.write(contents, to: "M.xcdatamodeld/M.xcdatamodel/contents")
  }

  private func back(_ more: String...) throws -> Tool.Output {
    try tool.run(["store", "convert", "P.sqlite", "B.sqlite", "--layout", "coreData"] + more)
  }

  private func lines(_ store: String, _ more: String...) throws -> [String] {
    let output = try tool.run(["store", "export", store] + more)
    #expect(output.code == 0, "\(output.err)")
    return output.out.split(separator: "\n").map(String.init)
  }

  private func sql(_ store: String, _ statement: String) throws -> String {
    try Self.text(tool.folder.file(store), statement)
  }

  /// The first value that a statement finds.
  static func text(_ path: String, _ statement: String) throws -> String {
    let connection = try Connection(path: path, configuration: .init(role: .sole))
    defer { connection.close() }
    let isQuery = statement.hasPrefix("SELECT")
    let asText = isQuery ? "SELECT CAST((\(statement)) AS TEXT)" : statement
    return try connection.text(asText) ?? "NULL"
  }

  /// Exports equal lines, and nothing is left beside the stores.
  private func expectEqual(_ count: Int) throws {
    let (plain, made) = (
      try lines("P.sqlite"), try lines("B.sqlite", "--model", "M.xcdatamodeld")
    )
    #expect(plain == made)
    #expect(made.count == count)
    #expect(try !tool.folder.names().contains { $0.contains(".part-") || $0.contains("sqlite-") })
    try Checker.expectClean(
      tool.folder.file("B.sqlite"), model: tool.folder.file("M.xcdatamodeld/M.xcdatamodel/contents")
    )
  }

  @Test func `CD-35 a store comes back with the same lines, keys, hashes and identifier`() throws {
    try write(CoreDataShelves.contents)
    let document = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m")
    try CoreDataShelves.make(
      tool.folder.file("App.sqlite"), CoreDataHashes(of: document).values,
      more: """
        UPDATE ZITEM SET ZAUTHOR = NULL, Z_FOK_AUTHOR = NULL WHERE Z_PK = 4;
        DELETE FROM Z_2TAGS WHERE Z_2ITEMS = 99; UPDATE ZTAG SET Z_OPT = 1 WHERE Z_PK = 3;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 40 WHERE Z_ENT = 6; UPDATE ZTAG SET Z_ENT = 6;
        """)
    let there = try tool.run(
      "store", "convert", "App.sqlite", "P.sqlite", "--model", "M.xcdatamodeld")
    #expect(there.code == 0, "\(there.err)")
    let output = try back()
    #expect(
      output.out == """
        converted 'P.sqlite' to 'B.sqlite': 11 objects, 8 rows of links
        note: the table of links of 'relatedBy' and 'related' of 'Tag' is named after the former; \
        Core Data may look for 'related'

        """, "\(output.err)")
    try expectEqual(11)
    #expect(try lines("App.sqlite", "--model", "M.xcdatamodeld") == lines("P.sqlite"))
    #expect(try sql("B.sqlite", "SELECT Z_UUID FROM Z_METADATA") == CoreDataShelves.identifier)
    #expect(try sql("B.sqlite", "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'") == "40")
    // Orders have the numbers of members that are added one after the other.
    #expect(
      try sql(
        "B.sqlite",
        "SELECT group_concat(Z_PK || ' ' || Z_FOK_AUTHOR) FROM ZITEM "
          + "WHERE ZAUTHOR = 1 ORDER BY Z_FOK_AUTHOR") == "1 3072,2 2048")
    #expect(
      try sql("B.sqlite", "SELECT group_concat(Z_2ITEMS || ' ' || Z_FOK_2ITEMS) FROM Z_2TAGS")
        == "1 3072,2 2048,3 2048")
    #expect(try sql("B.sqlite", "SELECT group_concat(Z5CONTENTS) FROM ZITEM") == "1,1,2")
    #expect(try sql("B.sqlite", "SELECT Z2_FAVOURITE FROM ZSHELF WHERE Z_PK = 1") == "4")
    #expect(try sql("B.sqlite", "SELECT group_concat(Z_ENT) FROM ZTAG") == "6,6,6")
    #expect(try sql("B.sqlite", "PRAGMA journal_mode") == "wal")
    let info = try tool.run("store", "info", "B.sqlite", "--model", "M.xcdatamodeld")
    #expect(info.out.contains("lastSync"), "\(info.out)")
  }

  @Test func `CD-35 hashes that cannot be computed come back while the model is the same`() throws {
    try write(CoreDataFixture.document())
    let document = try ModelDocument(Array(CoreDataFixture.document().utf8), file: "m")
    var hashes = try CoreDataHashes(of: document).values
    hashes["Author"] = [UInt8](repeating: 3, count: 32)
    let made = try tool.run("store", "create", "P.sqlite", "--model", "M.xcdatamodeld")
    #expect(made.out == "created 'P.sqlite'\n", "\(made.err)")
    let refused = try back()
    #expect(
      refused.err
        == "error: the version hashes of entities with derived or composite attributes cannot be "
        + "computed: 'Author'; give the model as Xcode compiled it (a .momd folder), or a store of the "
        + "app with this version of the model\n")
    // A store of the app has them.
    try CoreDataFixture.store(
      tool.folder.file("App.sqlite"), CoreDataFixture.properties(hashes),
      model: CoreDataFixture.deflated(CoreDataFixture.model()))
    let created = try tool.run(
      "store", "create", "B.sqlite", "--model", "App.sqlite", "--layout", "coreData")
    #expect(created.out == "created 'B.sqlite'\n", "\(created.err)")
    let there = try tool.run(
      "store", "convert", "B.sqlite", "P2.sqlite", "--model", "M.xcdatamodeld")
    #expect(there.code == 0, "\(there.err)")
    let again = try tool.run("store", "convert", "P2.sqlite", "C.sqlite", "--layout", "coreData")
    #expect(again.code == 0, "\(again.err)")
    #expect(
      try sql("C.sqlite", "SELECT hex(Z_PLIST) FROM Z_METADATA")
        .contains(String(repeating: "03", count: 32)))
    #expect(
      try sql("C.sqlite", "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == "5")
  }

  // MARK: From Oxbow

  private static let notes = """
    <model userDefinedModelVersionIdentifier="notes" documentVersion="1.0">
      <entity name="Folder">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="notes" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
    destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>
        <relationship name="pinned" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Note"/>
      </entity>
      <entity name="Note">
        <attribute name="amount" optional="YES" attributeType="Decimal"/>
        <attribute name="at" optional="YES" attributeType="Date"/>
        <attribute name="id" optional="YES" attributeType="UUID"/>
        <attribute name="palette" optional="YES" attributeType="Transformable"/>
        <attribute name="photo" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
        <attribute name="ratio" optional="YES" attributeType="Float"/>
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
      </entity>
      <entity name="Draft" parentEntity="Note"><attribute name="words" optional="YES" \
    attributeType="Integer 32"/></entity>
    </model>
    """

  /// Makes a store of Oxbow with a folder and three notes.
  private func makeNotes(
    _ contents: String = notes,
    _ change: @Sendable (ManagedObjectContext, [ManagedObject]) throws -> Void
  ) throws {
    try write(contents)
    let document = try ModelDocument(Array(contents.utf8), file: "m")
    let store = try PersistentContainer(
      .file(tool.folder.file("P.sqlite")), model: document.model)
    try store.perform { context in
      let folder = try context.insert(entityNamed: "Folder")
      let notes = try ["Note", "Draft", "Note"].map { try context.insert(entityNamed: $0) }
      for note in notes.reversed() { try folder.add(note, to: "notes") }
      try change(context, [folder] + notes)
      try context.save()
    }
    store.close()
  }

  @Test func `CD-35 values of every kind are as Core Data keeps them, large ones in files`() throws
  {
    let large = Data(repeating: 7, count: 150_000)
    try makeNotes { _, objects in
      try objects[1].setValue(Decimal(string: "10.11"), for: "amount")
      try objects[1].setValue(Date(timeIntervalSinceReferenceDate: 3), for: "at")
      try objects[1].setValue(Data([1, 2]), for: "photo")
      try objects[2].setValue(large, for: "photo")
      try objects[2].setValue(UUID(uuidString: CoreDataShelves.identifier), for: "id")
    }
    let output = try back()
    #expect(
      output.out == "converted 'P.sqlite' to 'B.sqlite': 4 objects, 1 file\n", "\(output.err)")
    #expect(
      try sql(
        "B.sqlite",
        "SELECT typeof(ZAMOUNT) || typeof(ZAT) || hex(ZPHOTO) FROM ZNOTE "
          + "WHERE ZAMOUNT NOT NULL") == "realinteger010102")
    #expect(try sql("B.sqlite", "SELECT length(ZID) FROM ZNOTE WHERE ZID NOT NULL") == "16")
    let name = try sql(
      "B.sqlite",
      "SELECT CAST(substr(ZPHOTO, 2, 36) AS TEXT) FROM ZNOTE WHERE length(ZPHOTO) = 38")
    let file = tool.folder.file(".B_SUPPORT/_EXTERNAL_DATA/\(name)")
    #expect(try Data(contentsOf: URL(filePath: file)) == large)
    // The order is that of the relationship, not of the keys, whatever the entity of a member.
    #expect(
      try sql(
        "B.sqlite", "SELECT group_concat(Z_FOK_FOLDER) FROM (SELECT * FROM ZNOTE ORDER BY Z_PK)")
        == "4096,3072,2048")
    try FileManager.default.removeItem(atPath: tool.folder.file("P.sqlite-lock"))
    let (plain, made) = (try lines("P.sqlite"), try lines("B.sqlite", "--model", "M.xcdatamodeld"))
    #expect(plain == made)
    try Checker.expectClean(
      tool.folder.file("B.sqlite"), model: tool.folder.file("M.xcdatamodeld/M.xcdatamodel/contents")
    )
  }

  @Test func `CD-35 what Core Data's layout cannot have is counted, named and refused`() throws {
    try makeNotes { context, objects in
      try objects[1].setValue(Decimal(string: "0.1234567890123456789"), for: "amount")
      try objects[1].setValue(
        TransformedData(Data(#"{"red": 1}"#.utf8)), for: "palette")
      let other = try context.insert(entityNamed: "Folder")
      for folder in [objects[0], other] { try folder.add(objects[3], to: "pinned") }
      try context.setMetadata(Date(timeIntervalSinceReferenceDate: 1.5), for: "moment")
    }
    try FixtureDatabase.run(
      tool.folder.file("P.sqlite"), "UPDATE Note SET ratio = 0.1 WHERE _id = 1")
    try FixtureDatabase.run(
      tool.folder.file("P.sqlite"), "UPDATE Folder SET _version = 4294967297 WHERE _id = 2")
    let before = try tool.folder.names()
    let refused = try back()
    #expect(refused.code == 73)
    #expect(
      refused.err == """
        error: nothing was written to 'B.sqlite': not everything in the store 'P.sqlite' can come \
        along; give --allow-loss if it may go, or correct it in the app
          lost: Folder, 1×: a version of more than 31 bits, so version 1 (Folder/p2)
          lost: Note.amount, 1×: a decimal number of more than 15 digits, rounded (Note/p1)
          lost: Folder.pinned, 1×: a member of a second object, of which Core Data keeps one, left \
        out (2 to 3)

        """)
    #expect(try tool.folder.names() == before)
    let output = try back("--allow-loss")
    #expect(
      output.out.contains(
        "\nnote: Note.palette, 1×: JSON, where an app without a transformer of its own expects an "
          + "archive (Note/p1)\n"), "\(output.out)\(output.err)")
    #expect(
      output.out.contains(
        "\nnote: moment, 1×: a number in the metadata, also where it was set as a date\n"),
      "\(output.out)")
    #expect(
      try sql("B.sqlite", "SELECT ZAMOUNT FROM ZNOTE WHERE ZAMOUNT NOT NULL") == "0.123456789012346"
    )
    // Numbers of 32 bits.
    #expect(try sql("B.sqlite", "SELECT ZRATIO = 0.100000001490116119384765625 FROM ZNOTE") == "1")
    try Checker.expectClean(
      tool.folder.file("B.sqlite"), model: tool.folder.file("M.xcdatamodeld/M.xcdatamodel/contents")
    )
  }

  @Test func `CD-35 only stores of Oxbow, to a free path, by their model`() throws {
    try makeNotes { _, _ in }
    try tool.folder.write("mine", to: ".B_SUPPORT/mine")
    let taken = try back()
    #expect(
      taken.err
        == "error: nothing was written to 'B.sqlite': '.B_SUPPORT' exists already; choose another "
        + "path\n")
    try FileManager.default.removeItem(atPath: tool.folder.file(".B_SUPPORT"))
    #expect(try back().code == 0)
    let twice = try tool.run("store", "convert", "B.sqlite", "C.sqlite", "--layout", "coreData")
    #expect(
      twice.err
        == "error: 'B.sqlite' is a store of Core Data already; copy it with its log and its folder of "
        + "values\n")
    try write(CoreDataShelves.contents)
    let other = try tool.run(
      "store", "convert", "P.sqlite", "C.sqlite", "--layout", "coreData", "--model",
      "M.xcdatamodeld")
    #expect(other.err.contains("was written for another model"), "\(other.err)")
  }

  @Test func `CD-35 equal values of a constraint in siblings are an error, and nothing is left`()
    throws
  {
    try makeNotes(
      Self.notes.replacing(
        #"attributeType="Integer 32"/></entity>"#,
        with: #"attributeType="Integer 32"/><uniquenessConstraints><uniquenessConstraint>"#
          + #"<constraint value="title"/></uniquenessConstraint></uniquenessConstraints></entity>"#)
    ) { _, objects in
      for note in objects[1...2] { try note.setValue("same", for: "title") }
    }
    let before = try tool.folder.names()
    let clash = try back()
    #expect(
      clash.err.hasPrefix(
        "error: Draft/p2 and another object have the same values, which Core Data wants, in all of a "
          + "table, to be unique; nothing was written: change one of them in the app\n")
        || clash.err.hasPrefix("error: Note/p1 and another object"), "\(clash.err)")
    #expect(try tool.folder.names() == before)
  }
}

/// Runs the program that judges stores of Core Data, where there is one.
enum Checker {
  static let path: String? = Samples.folder.flatMap { samples in
    let path = samples + "/../tools/coredata-check"
    let isThere = FileManager.default.isExecutableFile(atPath: path)
    return isThere && FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") ? path : nil
  }

  /// Expects neither errors nor warnings; without the program, the test goes on and says so.
  static func expectClean(_ store: String, model: String?) throws {
    guard let path else {
      print("SKIPPED: no coredata-check or no python3, so '\(store)' was not judged")
      return
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [path] + (model.map { ["--model", $0] } ?? []) + [store]
    let out = Pipe()
    (process.standardOutput, process.standardError) = (out, out)
    try process.run()
    let text = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && !text.contains(" WARN "), "\(text)")
  }
}

/// Stores of the samples, there and back; new stores of the samples' models.
///
/// `OXBOW_ALL_SAMPLES=1` takes all of them.
@Suite(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
struct StoreConvertBackSampleTests {
  private let tool: Tool
  private static let takesAll = ProcessInfo.processInfo.environment["OXBOW_ALL_SAMPLES"] != nil

  init() throws { tool = try Tool() }

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

  /// Converts a store there and back; `nil` for the one that is refused.
  private func convert(_ facts: [String], _ number: Int) throws -> (plain: Data, made: Data)? {
    let arguments = try StoreSamples.copy(facts, number, into: tool)
    let (plain, made) = ("\(number)/p.sqlite", "\(number)/b.sqlite")
    let there = try tool.run(
      ["store", "convert", arguments[0], plain, "--allow-loss"] + arguments.dropFirst())
    guard there.code == 0 else {
      #expect(there.err.contains("the table ZLPARENTITY was made anew"), "\(there.err)")
      return nil
    }
    let back = try tool.run("store", "convert", plain, made, "--layout", "coreData")
    #expect(back.code == 0, "\(facts[0]): \(back.err)")
    var model = arguments.count > 1 ? arguments[2] : tool.folder.file("\(number)/M.xcdatamodel")
    if arguments.count == 1 {
      let exported = try tool.run(
        "model", "export", "--from-store", arguments[0], "--output", model)
      #expect(exported.code == 0, "\(exported.err)")
    }
    let lines = try (
      export([plain], "\(number).p"), export([made, "--model", model], "\(number).b")
    )
    if FileManager.default.fileExists(atPath: model + "/contents") { model += "/contents" }
    let isOld = FileManager.default.fileExists(atPath: model + "/elements")
    try Checker.expectClean(tool.folder.file(made), model: isOld ? nil : model)
    let ids = try [arguments[0], made].map {
      try StoreConvertBackTests.text(tool.folder.file($0), "SELECT Z_UUID FROM Z_METADATA")
    }
    #expect(ids[0] == ids[1], "\(facts[0])")
    return lines
  }

  @Test func `CD-35 stores have the same lines after they were there and back`() throws {
    var (equal, refused, tried) = (0, 0, 0)
    for (number, facts) in try StoreSamples.facts().enumerated()
    where Self.takesAll || number % 17 == 8 {
      tried += 1
      guard let (plain, made) = try convert(facts, number) else {
        refused += 1
        continue
      }
      #expect(plain == made, "\(facts[0])")
      equal += plain == made ? 1 : 0
    }
    #expect((equal, refused) == (Self.takesAll ? (51, 1) : (tried, 0)))
  }

  @Test func `CD-35 new stores of models are clean, or refused by name`() throws {
    let models = Samples.paths(below: "models") {
      $0.hasSuffix(".xcdatamodel/contents") || $0.hasSuffix(".mom")
    }
    var (made, refused) = (0, 0)
    for (number, file) in models.enumerated() where Self.takesAll || number % 60 == 9 {
      let model = file.hasSuffix("/contents") ? String(file.dropLast(9)) : file
      let output = try tool.run(
        "store", "create", "\(number).sqlite", "--model", model, "--layout", "coreData")
      if output.code == 0 {
        made += 1
        try Checker.expectClean(tool.folder.file("\(number).sqlite"), model: file)
      } else {
        refused += 1
        #expect(output.err.hasPrefix("error: "), "\(model): \(output.err)")
      }
    }
    print("new stores of models: \(made) made, \(refused) refused")
    #expect(made > 0)
  }
}
