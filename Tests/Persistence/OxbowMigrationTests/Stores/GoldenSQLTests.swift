import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

/// SQLite gets the same texts from migrations as before, to a byte; what they are is in the folder
/// `Golden`.
@Suite struct GoldenSQLTests {
  private func expect(_ name: String, _ body: () throws -> Void) throws {
    let golden = try KeptText(
      name, now: RecordedStatements.lines(try RecordedStatements.of(body)))
    #expect(golden.isKept, "\(golden.path)")
  }

  @Test func `changes of tables run the statements that are kept`() throws {
    try expect("tables.sql") {
      try TableChangeTests().`an attribute goes, and the others stay`()
      try TableChangeTests().`a parent that is written anew does not empty its children`()
      try TableChangeTests().`an optional attribute becomes required by its default`()
      try TableChangeTests().`rows that cannot follow refuse the migration, with their number`()
      try TableChangeTests().`types change where nothing is lost`()
      try TableChangeTests().`numbers become wider and narrower`()
      try TableChangeTests().`entities change names, also with each other`()
      try TableChangeTests().`tables of links change names with each other, and back`()
      try TableChangeTests().`attributes change names with each other`()
      try TableChangeTests().`an entity goes with its rows and its links`()
      try TableChangeTests().`a to-one relationship becomes to-many with its links`()
      try TableChangeTests().`a hierarchy grows below an entity`()
      try TableChangeTests().`a sub-entity goes with its rows and the links to them (review M16)`()
      try TableChangeTests()
        .`the largest number does not become a floating-point one (review M28)`()
      try TableChangeTests().`an entity is put above a root, and goes again (review M17)`()
      try SplitTests().`W6: entities whose parent is taken out keep rows, keys and links`()
      try SplitTests().`E7: objects of an entity that becomes abstract go with consent`()
      try DerivedFillTests()
        .`a derived attribute that is added has its value in every row (PM-01, PG-15)`()
      try DerivedFillTests()
        .`a derived value that no row could have refuses the migration (PM-01)`()
      try EntityNumberTests().`the number of an entity that went is not given to another one`()
    }
  }

  @Test func `moves of links run the statements that are kept`() throws {
    try expect("links.sql") {
      try LinkShapeTests().`both columns of a one-to-one are filled (review M4)`()
      try LinkShapeTests().`a destination that is narrowed refuses links to others (review M5)`()
      try LinkShapeTests().`an order stays with its links (review M12)`()
      try LinkShapeTests().`a to-one relationship moves up from two children (review M2)`()
      try LinkShapeTests().`links to another entity are named and counted before they go`()
      try SplitTests().`E7: a relationship that becomes to-one keeps the first link with consent`(
        isOrdered: true)
      for seed in 0..<24 {
        try LinkPropertyTests().`links follow their pair (review M3, M4)`(seed: seed)
        try AttributePropertyTests()
          .`values follow the properties that an entity has (review M2, M22)`(seed: seed)
      }
    }
  }

  @Test
  func `steps, their history and the rows of steps in Swift run the statements that are kept`()
    throws
  {
    try expect("steps.sql") {
      try CodeStepTests().`rows are read and written by the names of the model`()
      try CodeStepTests().`a batched step that is cut off continues behind its last batch`()
      try CodeStepTests().`a step in Swift is taken back by its own undo`()
      try CodeStepTests().`objects of a hierarchy come with their own attributes`()
      try CodeStepLinkTests().`D5: an object is inserted with its links, also into a hierarchy`()
      try CodeStepLinkTests().`D5: every kind of link is made, moved and taken away at both ends`()
      try CodeStepLinkTests().`D5: links that cannot be are refused with a reason`()
      for index in CodeStepLinkTests.wrong.indices {
        try CodeStepLinkTests()
          .`D5: keys are compared behind every step, with the rows that are wrong`(
            index: index, isScript: true)
      }
      try CodeStepBatchTests().`D2: what a step adds to the next object is not overwritten`(
        way: .small)
      try ScriptTests().`a script changes rows`()
      try ScriptTests().`a script can leave another model behind when it says so`()
      try WrittenTests().`what the model does not allow rolls the script back (review M33)`()
      try UndoTests().`a model step is taken back and applied again`()
      try UndoTests().`S: all steps behind a number are taken back, the last one first`()
      try SquashTests().`a store that has had all steps goes on, and a new one is made at once`()
      try RepairTests().`steps count as done in a store that has their model`()
      try ExternalMigrationTests().`PG-17 a rebuilt and renamed table keeps its files`()
    }
  }

  @Test func `the database of another tool is converted by the statements that are kept`() throws {
    try expect("conversion.sql") {
      try ConversionTests()
        .`tables, values, links and keys of another tool become those of a model`(
          journalMode: "delete")
      try ConversionTests().`a key that was handed out once is not handed out again`()
      try ConversionTests().`what has no place is counted, and refused without consent`()
      try ConversionTests().`odd names and types become a model that takes the tables over`()
      try ConversionTests().`rows with a text as key get numbers, and references follow`()
      try ConversionTests().`a relationship that is its own inverse leads back`()
      try ConversionTests().`links within one table want to know their direction`()
      try ConversionTests().`a table becomes the objects of one entity of a hierarchy`()
    }
  }
}
