import OxbowSQLite
import Testing

@Suite struct ResultCodeTests {
  @Test(arguments: [
    (5, "SQLITE_BUSY (5)"), (517, "SQLITE_BUSY_SNAPSHOT (517)"),
    (1555, "SQLITE_CONSTRAINT_PRIMARYKEY (1555)"), (1802, "SQLITE_IOERR_FSTAT (1802)"),
    (516, "SQLITE_ABORT_ROLLBACK (516)"), (8714, "SQLITE_IOERR_IN_PAGE (8714)"),
    (26, "SQLITE_NOTADB (26)"), (4363, "SQLITE_CORRUPT_17 (4363)"), (77, "SQLITE_77 (77)"),
  ])
  func `codes have the names of the header`(number: Int32, text: String) {
    #expect(ResultCode(number).description == text)
  }

  @Test func `a code matches itself and its primary code`() {
    let code = ResultCode(517)
    #expect(ResultCode.busy ~= code)
    #expect(ResultCode(517) ~= code)
    #expect(!(ResultCode(261) ~= code))
    #expect(!(ResultCode.locked ~= code))
  }

  @Test(arguments: [
    (3_006_999, false), (3_007_000, true), (3_040_001, true), (3_044_005, true),
    (3_044_006, false), (3_045_000, true), (3_050_006, true), (3_050_007, false),
    (3_051_002, true), (3_051_003, false), (3_053_000, false),
  ])
  func `the versions with the WAL-reset bug are known`(number: Int, hasBug: Bool) {
    #expect(LibraryVersion(number: number).hasWALResetBug == hasBug)
  }

  @Test func `a verdict names the version and what to do`() {
    #expect(
      LibraryVersion(number: 3_040_001).verdict
        == "SQLite 3.40.1 has the WAL-reset bug (3.7.0 to 3.51.2): Oxbow is safe, because one "
        + "connection writes and checkpoints; do not let other programs write or checkpoint the "
        + "store while Oxbow has it open, or update SQLite to 3.51.3, 3.50.7 or 3.44.6")
    #expect(
      LibraryVersion(number: 3_053_000).verdict
        == "SQLite 3.53.0: the write-ahead log is safe with any number of writers")
    #expect(LibraryVersion.current.number >= 3_037_000)
  }
}
