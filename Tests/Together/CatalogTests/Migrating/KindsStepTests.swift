import Foundation
import Testing

// The step in Swift of the catalog's line, 0004_kinds-of-raw-names, and the count behind it.
@Suite struct KindsStepTests {
  /// Names whose kinds version 1 found by another rule, and some that it found right.
  private static let names: [[UInt8]] = [
    Array("plan.TXT".utf8), Array("plan.txt".utf8), Array("Makefile".utf8), Array(".hidden".utf8),
    Array("v1.2 final".utf8), Array("end.".utf8), Array("é.ÄÖ".utf8), Array("a.tar.GZ".utf8),
    [0xFF, 0x2E, 0x74, 0x78, 0x74], [0x61, 0x2E, 0xC3],
  ]

  private func tree() throws -> VersionOneTree {
    try VersionOneTree { tree in
      try tree.write("sub/size.MD", size: 7)
      for (size, name) in Self.names.enumerated() {
        let path = (Array(tree.root.utf8) + [0x2F] + name).map { CChar(bitPattern: $0) } + [0]
        let file = creat(path, 0o600)
        try #require(ftruncate(file, off_t(size)) == 0)
        close(file)
      }
    }
  }

  /// The history of a store, an event in a row.
  private static let history = "SELECT id || ' ' || event FROM _oxbow_history ORDER BY id"

  @Test func `the step gives every file the kind that indexing would, and the next counts them`()
    throws
  {
    let old = try tree()
    let before = try old.store.rows("SELECT DISTINCT kind FROM File ORDER BY 1")
    #expect(before == ["", "2 final", "GZ", "MD", "TXT", "\\xC3", "hidden", "txt", "ÄÖ"])
    let applied = try old.apply()
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(applied.output == VersionOneTree.applied(2...5))

    let fresh = old.tree.folder + "/fresh.sqlite"
    let index = try ProgramRun("catalog", ["index", old.tree.root, "--store", fresh, "--quiet"])
    #expect(index.status == 0, "\(index.errors)")
    #expect(try old.store.contents() == StoreReader(path: fresh).contents())
    #expect(try old.store.contradictions() == [])
    #expect(
      try old.store.rows(
        "SELECT name, fileCount, byteCount FROM Kind WHERE fileCount > 0 ORDER BY 1")
        == StoreReader(path: fresh).rows("SELECT name, fileCount, byteCount FROM Kind ORDER BY 1"))
    let label = try ProgramRun("catalog", ["label", "remove", "seen", "--store", old.path])
    #expect(label.output == "seen: taken off 1 file\n")
    #expect(try report(old.path) == report(fresh))
    #expect(try old.tree.index().saves == 0)
    #expect(try old.store.rows(Self.history) == KindsStepTests.whole)
  }

  private static let whole = [
    "0001 baselined", "0002 applied", "0003 applied", "0004 applied", "0005 applied",
  ]

  /// What `catalog report` says of a store.
  private func report(_ store: String) throws -> String {
    let run = try ProgramRun("catalog", ["report", "--store", store])
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test func `a row whose kind is right is not written`() throws {
    let old = try tree()
    #expect(try old.apply().status == 0)
    #expect(
      try old.store.rows("SELECT hex(rawName) FROM File WHERE _version = 1 ORDER BY name")
        == ["Makefile", "end.", "plan.txt"].map {
          $0.utf8.map { String(format: "%02X", $0) }.joined()
        })
    // A store of the version of today is at the end of the line.
    let new = try Tree()
    try new.fill(folders: 2, files: 3)
    _ = try new.index()
    let store = StoreReader(path: new.store)
    let versions = try store.versions()
    let kinds = try store.rows("SELECT * FROM Kind ORDER BY _id")
    let applied = try ProgramRun(
      "catalogctl",
      ["migrate", "apply", "--store", new.store, "--migrations", VersionOneTree.migrations])
    #expect(applied.output == "nothing to do\n", "\(applied.errors)")
    #expect(try store.versions() == versions)
    #expect(try store.rows("SELECT * FROM Kind ORDER BY _id") == kinds)
  }

  @Test func `oxbowctl names the program that has the step, and goes half-way`() throws {
    let old = try tree()
    let before = try Data(contentsOf: URL(fileURLWithPath: old.path))
    let command = "run: swift run catalogctl migrate apply --store STORE --migrations Migrations"
    let plan = try old.migrate("plan", by: "oxbowctl")
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.output.contains("  this program does not have the step; \(command)\n"))
    let refused = try old.migrate("apply", by: "oxbowctl")
    #expect(refused.status == 73)
    #expect(refused.output == "")
    #expect(
      refused.errors
        == "error: '0004_kinds-of-raw-names.code.xml' is a step in Swift ('kinds-of-raw-names' "
        + "version 1), and this program does not have it; \(command)\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: old.path)) == before)

    let half = try old.migrate("apply", "--up-to", "3", by: "oxbowctl")
    #expect(half.output == VersionOneTree.applied(2...3), "\(half.errors)")
    let status = try old.migrate("status", "--exit-code", by: "oxbowctl")
    #expect(status.status == 2)
    #expect(
      status.output.contains(
        "pending   0004_kinds-of-raw-names.code.xml\n          0005_count-kinds.sql\n"))
    #expect(try old.migrate("apply", by: "oxbowctl").status == 73)
    let rest = try old.apply()
    #expect(rest.output == VersionOneTree.applied(4...5), "\(rest.errors)")
    #expect(try old.store.contradictions() == [])
    #expect(try old.store.rows(Self.history) == Self.whole)
  }

  @Test func `status and plan show the step, and that nothing takes it back`() throws {
    let old = try tree()
    let status = try old.migrate("status", "--exit-code")
    #expect(status.status == 2)
    #expect(
      status.output.contains(
        "pending   0002_totals.xml\n          0003_count-bytes.sql\n"
          + "          0004_kinds-of-raw-names.code.xml\n          0005_count-kinds.sql\n"))
    let plan = try old.migrate("plan")
    let steps = plan.output.components(separatedBy: "\n\n")
    #expect(
      steps.contains(
        """
        step 0004 kinds-of-raw-names (code): model 07b0f04c148d → 07b0f04c148d
          in Swift, what it removes is not known
          undo: none
        """), "\(plan.output)")
    #expect(steps.last?.contains("count-kinds (sql)") == true)
    #expect(steps.last?.contains("\n  undo: none\n") == true)

    #expect(try old.apply("--up-to", "4").status == 0)
    let undo = try old.migrate("undo")
    #expect(undo.status == 73)
    #expect(
      undo.errors.hasPrefix(
        Self.noUndo("0004 'kinds-of-raw-names'", "the step in Swift has no undo")))
    #expect(try old.apply().output == VersionOneTree.applied(5...5))
    let last = try old.migrate("undo")
    #expect(last.status == 73)
    #expect(
      last.errors.hasPrefix(Self.noUndo("0005 'count-kinds'", "its script has no section \"down\""))
    )
    #expect(try old.migrate("status", "--exit-code").status == 0)
    #expect(try old.migrate("drift").status == 0)
  }

  private static func noUndo(_ step: String, _ reason: String) -> String {
    "error: the step \(step) cannot be taken back: \(reason); restore a backup, or"
  }
}
