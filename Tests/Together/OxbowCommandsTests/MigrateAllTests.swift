import Foundation
import OxbowTestSupport
import Testing

/// `migrate apply --all` and `migrate status --all`: a folder with a store for each tenant.
@Suite struct MigrateAllTests {
  let tool: Tool
  let lab: MigrateCommandTests

  init() throws {
    lab = try MigrateCommandTests()
    tool = lab.tool
    try lab.step("initial", "1.xcdatamodel")
    try FileManager.default.createDirectory(
      atPath: tool.folder.file("T"), withIntermediateDirectories: true)
    for tenant in ["acme", "beta", "zeta"] {
      let made = try tool.run(
        "migrate", "apply", "--store", "T/\(tenant).sqlite", "--migrations", "M")
      #expect(made.code == 0, "\(made.err)")
    }
    try lab.step("labels", "2.xcdatamodel")
  }

  private func all(_ verb: String, _ more: String...) throws -> Tool.Output {
    try tool.run(["migrate", verb, "--all", "T", "--migrations", "M"] + more)
  }

  @Test func `the stores of all tenants are migrated, with a report for each`() throws {
    let before = try all("status", "--exit-code")
    #expect(before.code == 2)
    #expect(before.err == "")
    let line = "pending: 0002_labels.xml"
    #expect(
      before.out
        == "acme: \(line)\nbeta: \(line)\nzeta: \(line)\n3 stores, none failed\n")
    let apply = try all("apply")
    #expect(apply.code == 0)
    #expect(apply.out.hasPrefix("acme:\n  applied 0002 labels\n  model "))
    #expect(apply.out.hasSuffix("3 stores, none failed\n"))
    #expect(
      apply.err == ["acme", "beta", "zeta"].map { "\($0): [1/1] 0002_labels.xml\n" }.joined())
    let again = try all("apply")
    #expect(
      again.out
        == "acme: nothing to do\nbeta: nothing to do\nzeta: nothing to do\n3 stores, none failed\n")
    let after = try all("status", "--exit-code")
    #expect(after.code == 0)
    #expect(after.out.hasPrefix("acme: nothing pending\n"))
  }

  @Test func `a store that fails keeps no other from its turn, and decides the exit code`() throws {
    try tool.folder.write("This is not a database.", to: "T/beta.sqlite")
    try tool.folder.write("", to: "T/Not a tenant.sqlite")
    try tool.folder.write("", to: "T/readme.txt")
    let apply = try all("apply")
    #expect(apply.code == 69)
    #expect(apply.out.contains("beta:\n  error: "))
    #expect(apply.out.contains("acme:\n  applied 0002 labels\n"))
    #expect(apply.out.contains("zeta:\n  applied 0002 labels\n"))
    #expect(apply.out.hasSuffix("3 stores, 1 failed\n"))
    #expect(
      apply.err.contains("passed over 'Not a tenant.sqlite', which is not named after a tenant\n"))
    #expect(
      apply.err.hasSuffix(
        "next: put right what is said above, and run it again: what is done stays done\n"))
    let status = try tool.json("migrate", "status", "--all", "T", "--migrations", "M")
    let result = try #require(status["result"] as? [String: Any])
    #expect(result["failed"] as? Int == 1)
    #expect(result["notBegun"] as? Int == 0)
    #expect(result["folder"] as? String == "T")
    let stores = try #require(result["stores"] as? [[String: Any]])
    #expect(stores.compactMap { $0["tenant"] as? String } == ["acme", "beta", "zeta"])
    #expect((stores[0]["result"] as? [String: Any])?["store"] as? String == "T/acme.sqlite")
    #expect((stores[1]["error"] as? [String: Any])?["code"] as? String == "notAStore")
    #expect(stores[1]["result"] == nil)
  }

  @Test func `failures of several kinds have the exit code 1`() throws {
    try tool.folder.write("This is not a database.", to: "T/beta.sqlite")
    let drifted = try tool.run(
      "migrate", "apply", "--store", "T/zeta.sqlite", "--migrations", "M", "--up-to", "2")
    #expect(drifted.code == 0)
    try tool.folder.write("-- up\nSELECT 1 FROM nowhere;\n", to: "M/0003_wrong.sql")
    let apply = try all("apply")
    #expect(apply.code == 1)
    #expect(apply.out.hasSuffix("3 stores, 3 failed\n"))
  }

  @Test func `a folder without stores, and options that do not fit, are refused`() throws {
    try tool.folder.write("", to: "E/readme.txt")
    let empty = try tool.run("migrate", "apply", "--all", "E", "--migrations", "M")
    #expect(empty.code == 69)
    #expect(empty.err.contains("the folder 'E' has no store of a tenant (NAME.sqlite)"))
    let none = try tool.run("migrate", "status", "--all", "none", "--migrations", "M")
    #expect(none.code == 69)
    for more in [["--store", "T/acme.sqlite"], ["--backup", "b"], ["--plan", "p"]] {
      let refused = try tool.run(
        ["migrate", "apply", "--all", "T", "--migrations", "M"] + more)
      #expect(refused.code == 64)
    }
    #expect(try tool.run("migrate", "status", "--migrations", "M").code == 64)
    #expect(try tool.run("migrate", "plan", "--migrations", "M").code == 64)
    #expect(try tool.run("migrate", "drift", "--migrations", "M").code == 64)
    #expect(try tool.run("migrate", "undo", "--migrations", "M").code == 64)
    #expect(try tool.run("migrate", "verify", "--migrations", "M").code == 64)
    #expect(try tool.run("migrate", "repair", "--migrations", "M").code == 64)
    #expect(try tool.run("migrate", "baseline", "--migrations", "M").code == 64)
  }

  @Test func `with --dry-run each store has its plan, and nothing is written`() throws {
    let dry = try all("apply", "--dry-run")
    #expect(dry.code == 0)
    #expect(dry.out.contains("acme:\n"))
    #expect(dry.out.contains("0002 labels"))
    #expect(try all("status", "--exit-code").code == 2)
  }
}
