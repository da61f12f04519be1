import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

@Suite struct DerivedFillTests {
  let lab: Lab

  init() throws {
    lab = try Lab()
    try lab.fill(Models.first, Models.rows)
  }

  private static func derived(_ text: String = "files.@count") -> ManagedObjectModel {
    Models.first.changing("Folder") {
      $0.attributes += [
        AttributeDescription("count", .integer32, derivation: text),
        AttributeDescription("bytes", .integer64, derivation: "files.size.@sum"),
        AttributeDescription("key", .string, derivation: "uppercase:(path)"),
        AttributeDescription("saved", .date, derivation: "now()"),
      ]
    }.changing("File") {
      $0.attributes.append(AttributeDescription("place", .string, derivation: "folder.path"))
    }
  }

  @Test func `a derived attribute that is added has its value in every row (PM-01, PG-15)`() throws
  {
    let plan = try Migrator(lab.backend(), target: Self.derived()).plan()
    let fills = plan.steps.flatMap(\.operations).filter { $0.kind == .fill }
    #expect(fills.map(\.table) == ["File", "Folder", "Folder", "Folder", "Folder"])
    _ = try lab.infer(Self.derived())
    #expect(try lab.differences(from: Self.derived()) == [])
    #expect(
      try lab.rows("SELECT count, bytes, key, saved > 8e8 FROM Folder ORDER BY _id")
        == ["2|30|'/A'|1", "1|30|'/B'|1"])
    #expect(try lab.rows("SELECT place FROM File ORDER BY _id") == ["'/a'", "'/a'", "'/b'"])
  }

  @Test func `a derivation that changes is computed anew (PM-01)`() throws {
    _ = try lab.infer(Self.derived())
    let changed = Self.derived("files.size.@sum")
    let difference = ModelDifference(from: Self.derived(), to: changed)
    #expect(difference.changes.map(\.aspect) == ["derivation"])
    _ = try lab.infer(changed)
    #expect(try lab.rows("SELECT count FROM Folder ORDER BY _id") == ["30", "30"])
  }

  @Test func `a script leaves derived attributes computed (PM-01)`() throws {
    let lab = try Lab()
    try lab.add(Self.derived())
    try lab.add(sql: "UPDATE File SET size = size + 1;")
    _ = try lab.migrator().apply(upTo: 1)
    try lab.run(Models.rows)
    _ = try lab.migrator().apply()
    #expect(try lab.rows("SELECT bytes, count FROM Folder ORDER BY _id") == ["32|2", "31|1"])
  }

  @Test func `a derived value that no row could have refuses the migration (PM-01)`() throws {
    let model = Models.first.changing("File") {
      $0.attributes.append(AttributeDescription("form", .string, derivation: "lowercase:(kind)"))
    }
    #expect(
      lab.message { _ = try lab.infer(model) }
        == "'form' of 'File' is derived, and 1 objects would have no value or one that is out of its "
        + "range; make it optional or of a larger type")
    #expect(try lab.rows("SELECT name FROM File WHERE _id = 1") == ["'one'"])
  }
}
