import Foundation
import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

@Suite struct MigrationSequenceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func failure() -> String {
    do {
      _ = try MigrationSequence(folder: folder.path)
      return "no error"
    } catch {
      return error.description.replacing(folder.path, with: "DIR")
    }
  }

  @Test func `an empty folder is a sequence without steps`() throws {
    let sequence = try MigrationSequence(folder: folder.path)
    #expect(sequence.files.isEmpty)
    #expect(sequence.lastModel == nil)
    #expect(sequence.nextID == "0001")
  }

  @Test func `steps are written and read again`() throws {
    let first = try MigrationSequence(folder: folder.path)
      .addModelStep(named: "initial", to: Models.first)
    #expect(first?.path.hasSuffix("/0001_initial.xml") == true)
    let second = try MigrationSequence(folder: folder.path)
      .addModelStep(named: "labels", to: Models.second)
    #expect(second?.difference.changes.count == 4)
    #expect(
      try MigrationSequence(folder: folder.path).addModelStep(named: "more", to: Models.second)
        == nil)
    let sequence = try MigrationSequence(folder: folder.path)
    #expect(sequence.files.map(\.fileName) == ["0001_initial.xml", "0002_labels.xml"])
    #expect(sequence.files.map(\.kind) == [.model, .model])
    #expect(sequence.files[0].modelBefore == "")
    #expect(sequence.files[1].modelBefore == Models.first.versionHash)
    #expect(sequence.lastModel == Models.second.versionHash)
    #expect(sequence.models[Models.first.versionHash] == Models.first)
    #expect(try folder.text(of: "0002_labels.xml").contains("rename attribute 'File.byteCount'"))
  }

  @Test func `a folder that does not exist is named`() {
    #expect(throws: PersistenceError.self) { try MigrationSequence(folder: folder.file("none")) }
    do {
      _ = try MigrationSequence(folder: folder.file("none"))
    } catch {
      #expect(error.code == .migrationFile)
      #expect(error.message.hasSuffix("none' does not exist"))
    }
  }

  @Test
  func `a file whose name is not UTF-8 is not a step, and one that looks like a step is named`()
    throws
  {
    try folder.write("-- oxbow: model unchanged\nSELECT 1;\n", to: "0001_first.sql")
    func make(_ name: [UInt8]) throws {
      let path = (Array(folder.path.utf8) + [0x2F] + name + [0]).map { CChar(bitPattern: $0) }
      let file = try #require(fopen(path, "w"))
      fclose(file)
    }
    // "caf\xE9.txt" and "\xC3"
    try make([0x63, 0x61, 0x66, 0xE9, 0x2E, 0x74, 0x78, 0x74])
    try make([0xC3])
    #expect(try MigrationSequence(folder: folder.path).files.map(\.id) == ["0001"])
    // "0002_caf\xE9.sql"
    try make(Array("0002_caf".utf8) + [0xE9] + Array(".sql".utf8))
    #expect(
      failure()
        == "the name of '0002_caf\u{FFFD}.sql' in 'DIR' is not that of a migration; write four "
        + "digits, \"_\" and a name of letters, digits, \"-\" and \"_\": 0001_initial.sql")
  }

  @Test func `names are checked`() throws {
    try folder.write("", to: "1_short.sql")
    #expect(
      failure()
        == "the name of '1_short.sql' in 'DIR' is not that of a migration; write four digits, "
        + "\"_\" and a name of letters, digits, \"-\" and \"_\": 0001_initial.sql")
    try folder.write("", to: "README.md")
    try folder.write("", to: "0002-x.xml")
    #expect(failure().hasPrefix("the migrations in 'DIR' have 2 problems\n- "))
    let empty = try TemporaryFolder()
    let sequence = try MigrationSequence(folder: empty.path)
    let error = #expect(throws: PersistenceError.self) {
      try sequence.addModelStep(named: "../x", to: Models.first)
    }
    #expect(error?.message.hasPrefix("'../x' is not a name for a migration") == true)
  }

  @Test func `two files of one number are refused`() throws {
    try folder.write("SELECT 1;", to: "0001_a.sql")
    try folder.write("SELECT 1;", to: "0001_b.sql")
    #expect(
      failure()
        == "'0001_a.sql' and '0001_b.sql' in 'DIR' have the same number; renumber the one that was "
        + "not applied anywhere yet")
  }

  @Test func `a step must start where the one before ends`() throws {
    _ = try MigrationSequence(folder: folder.path).addModelStep(named: "a", to: Models.first)
    _ = try MigrationSequence(folder: folder.path).addModelStep(named: "b", to: Models.second)
    let text = try folder.text(of: "0002_b.xml")
    let hash = String(repeating: "0", count: 64)
    try folder.write(
      text.replacing(Models.first.versionHash, with: hash), to: "0002_b.xml")
    #expect(
      failure()
        == "'0002_b.xml' in 'DIR' starts from the model 000000000000…, but the steps before it "
        + "leave \(Models.first.versionHash.prefix(12))… behind; write the step again "
        + "with 'oxbowctl migrate new'")
  }

  @Test func `a step that misstates its model is refused`() throws {
    _ = try MigrationSequence(folder: folder.path).addModelStep(named: "a", to: Models.first)
    let text = try folder.text(of: "0001_a.xml")
    try folder.write(
      text.replacing("Integer 64", with: "Integer 32"), to: "0001_a.xml")
    let message = failure()
    #expect(message.hasPrefix("DIR/0001_a.xml:2:21: the step says that it leaves the model "))
    #expect(message.contains("; steps are not edited: restore the text, "))
  }

  @Test(arguments: [
    ("<migration from=\"-\"/>", ":1:1: element \"migration\" has no \"to\""),
    (
      "<migration from=\"x\" to=\"y\"/>",
      ":1:12: \"x\" of \"from\" is not a model hash (64 hexadecimal digits)"
    ),
    ("<model/>", ":1:1: element \"model\" is not a model step; its root is \"migration\""),
    ("<migration", ":1:11: "), ("<!DOCTYPE a><a/>", ":1:1: "),
  ])
  func `bad model steps are refused with their place`(text: String, message: String) throws {
    try folder.write(text, to: "0001_a.xml")
    #expect(failure().hasPrefix("DIR/0001_a.xml\(message)"), "\(failure())")
  }

  @Test(arguments: [
    (
      "-- oxbow: modell unchanged\n",
      ":1:1: \"modell\" is not a word of a script's header; did you mean \"model\"?"
    ),
    ("\n-- oxbow: model same", ":2:1: \"model\" wants one word: "),
    ("-- oxbow: model unchanged\n-- oxbow: model unchanged", ":2:1: there is a second header"),
    ("-- up\n-- up", ":2:1: the section \"up\" begins twice"),
    ("SELECT 1;\n-- up\n", ":1:1: a statement comes before the section \"up\""),
  ])
  func `bad headers of scripts are refused with their place`(text: String, message: String) throws {
    try folder.write(text, to: "0001_a.sql")
    #expect(failure().hasPrefix("DIR/0001_a.sql\(message)"), "\(failure())")
  }

  @Test func `a script without a way up is refused`() throws {
    try folder.write("-- down\nSELECT 1;", to: "0001_a.sql")
    #expect(failure() == "the script 'DIR/0001_a.sql' has a section \"down\" and none \"up\"")
  }

  @Test func `code steps are recognised`() throws {
    try folder.write(
      "<code name=\"split\" version=\"2\" model=\"unchanged\" run=\"swift run x\"/>",
      to: "0001_split.code.xml")
    let sequence = try MigrationSequence(folder: folder.path)
    #expect(sequence.files.map(\.kind) == [.code])
    try folder.write("<code name=\"split\" version=\"2\" run=\"x\"/>", to: "0001_split.code.xml")
    #expect(failure() == "DIR/0001_split.code.xml:1:1: element \"code\" has no \"model\"")
  }

  @Test func `a sum file is verified when it is there`() throws {
    try folder.write("SELECT 1;\n", to: "0001_a.sql")
    _ = try MigrationSequence.writeSum(folder: folder.path)
    _ = try MigrationSequence(folder: folder.path)
    try folder.write("SELECT 1; \r\n", to: "0001_a.sql")
    _ = try MigrationSequence(folder: folder.path)
    try folder.write("SELECT 2;\n", to: "0001_a.sql")
    #expect(failure().hasPrefix("'0001_a.sql' in 'DIR' is not the text that 'oxbow.sum' has"))
    _ = try MigrationSequence.writeSum(folder: folder.path)
    try folder.write("SELECT 2;\n", to: "0002_b.sql")
    #expect(failure().hasPrefix("'0002_b.sql' is missing in 'DIR/oxbow.sum'; when the change"))
    _ = try MigrationSequence.writeSum(folder: folder.path)
    // A step that is written keeps the sum file in order.
    let model = try TemporaryFolder()
    try model.write("", to: "oxbow.sum")
    _ = try MigrationSequence(folder: model.path).addModelStep(named: "a", to: Models.first)
    _ = try MigrationSequence(folder: model.path)
    #expect(try model.text(of: "oxbow.sum").hasSuffix("  0001_a.xml\n"))
  }
}
