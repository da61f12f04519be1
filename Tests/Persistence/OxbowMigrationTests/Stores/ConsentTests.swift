import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

// Nothing is lost without being counted, and nothing that is counted without consent.
@Suite struct ConsentTests {
  let lab: Lab

  init() throws { lab = try Lab() }

  /// The first version without 'File.kind'.
  let without = Models.first.changing("File") { $0.attributes.removeLast() }

  func prepare(allowsLoss: Bool = false) throws -> MigrationSequence.NewFile? {
    try lab.add(Models.first)
    _ = try lab.migrator().apply()
    try lab.run(Models.rows)
    return try MigrationSequence(folder: lab.migrations).addModelStep(
      named: "less", to: without, allowsLoss: allowsLoss)
  }

  @Test func `a step of a folder that removes data is refused with the number of values`() throws {
    #expect(try prepare()?.losses == ["values of 'File.kind'"])
    #expect(
      lab.message { _ = try lab.migrator().apply() }
        == "'0002_less.xml' would remove data: values of 'File.kind': 2. Copy what is needed with a "
        + "script before this step, allow the loss with --allow-loss (in a program: allowsLoss), or "
        + "for all stores with loss=\"allowed\" in the file's element \"migration\"")
    #expect(try lab.differences(from: Models.first) == [])
    #expect(try lab.migrator().plan().steps.map(\.allowsLoss) == [false])
    #expect(try lab.migrator().apply(allowsLoss: true).count == 1)
  }

  @Test func `a step that removes what no row has needs no consent`() throws {
    _ = try prepare()
    try lab.run("UPDATE \"File\" SET \"kind\" = NULL")
    #expect(try lab.migrator().apply().count == 1)
  }

  @Test func `consent that the file records is enough`() throws {
    let file = try #require(try prepare(allowsLoss: true))
    let text = try lab.folder.text(of: "Migrations/0002_less.xml")
    #expect(text.contains(" loss=\"allowed\">"))
    #expect(file.path.hasSuffix("0002_less.xml"))
    #expect(try lab.migrator().plan().steps.map(\.allowsLoss) == [true])
    #expect(try lab.migrator().apply().count == 1)
  }

  @Test func `consent is for what the file removes, and not for what a store has beside`() throws {
    _ = try prepare(allowsLoss: true)
    _ = try lab.infer(
      Models.first.adding(
        EntityDescription("Note", attributes: [AttributeDescription("text", .string)])))
    try lab.run("INSERT INTO \"Note\" (\"_id\", \"_version\", \"text\") VALUES (1, 1, 'mine')")
    #expect(try lab.migrator().plan().steps.map(\.allowsLoss) == [false])
    let message = lab.message { _ = try lab.migrator().apply() }
    #expect(
      message.contains("values of 'File.kind': 2; objects of 'Note': 1. What the file allows"))
    #expect(try lab.rows("SELECT count(*) FROM Note") == ["1"])
    #expect(try lab.migrator().apply(allowsLoss: true).count == 1)
  }

  @Test func `an attribute that a step does not have is named`() throws {
    _ = try prepare(allowsLoss: true)
    let text = try lab.folder.text(of: "Migrations/0002_less.xml")
    try lab.folder.write(
      text.replacing("loss=\"allowed\"", with: "lost=\"allowed\""), to: "Migrations/0002_less.xml")
    #expect(
      lab.message { _ = try lab.migrator().apply() }.contains(
        "element \"migration\" has no attribute \"lost\"; did you mean \"loss\"?"))
    try lab.folder.write(
      "<code name=\"a\" version=\"1\" run=\"a\" model=\"unchanged\" allows=\"OX301\"/>",
      to: "Migrations/0002_less.code.xml")
    #expect(
      lab.message { _ = try lab.migrator().apply() }.contains(
        "element \"code\" has no attribute \"allows\"; it has "))
  }

  @Test func `consent that is spelled otherwise is none`() throws {
    _ = try prepare(allowsLoss: true)
    let text = try lab.folder.text(of: "Migrations/0002_less.xml")
    try lab.folder.write(
      text.replacing("loss=\"allowed\"", with: "loss=\"yes\""), to: "Migrations/0002_less.xml")
    #expect(
      lab.message { _ = try lab.migrator().apply() }.contains(
        "\"yes\" of \"loss\" is not \"allowed\"; take the attribute out where nothing may be lost"))
  }

  @Test func `values that are replaced by computed ones are counted, computed ones are not`() throws
  {
    func model(_ derivation: String?) -> ManagedObjectModel {
      Models.first.changing("File") {
        $0.attributes[2].derivation = derivation
        $0.attributes[2].name = "kind"
      }
    }
    try lab.fill(Models.first, Models.rows)
    let derived = model("lowercase:(name)")
    #expect(
      lab.message { _ = try lab.infer(derived) }.contains(
        "would remove data: values of 'File.kind': 2. "))
    _ = try lab.infer(derived, allowsLoss: true)
    #expect(try lab.infer(without).count == 1)
  }

  @Test func `tables that are not the model's are named before what would go is counted`() throws {
    _ = try prepare()
    try lab.run("ALTER TABLE \"File\" DROP COLUMN \"kind\"")
    #expect(
      lab.message { _ = try lab.migrator().apply() } == """
        the store's tables are not those of its model, so 0002_less.xml cannot start
          difference: table 'File': the column 'kind' is missing
        """)
  }
}
