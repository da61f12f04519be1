import Foundation
import OxbowTestSupport
import Testing

/// The commands that do something to a store's file as a whole (PS-14).
@Suite struct StoreCommandTests {
  let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write(Documents.first, to: "1.xcdatamodel/contents")
    try tool.folder.write(Documents.second, to: "2.xcdatamodel/contents")
    let made = try tool.run(
      "migrate", "apply", "--store", "s.sqlite", "--model", "1.xcdatamodel", "--backup", "none")
    #expect(made.code == 0, "\(made.err)")
  }

  private func model(of store: String) throws -> String {
    let result = try #require(try tool.json("store", "info", store)["result"] as? [String: Any])
    return try #require(result["model"] as? String)
  }

  @Test func `a URI is refused where a file is meant, and shows no password`() throws {
    let server = "postgres://app:geheim@localhost/shop"
    for command in [
      ["store", "backup", server, "copy.sqlite"], ["store", "backup", "s.sqlite", server],
      ["store", "create", server, "--model", "1.xcdatamodel"], ["store", "doctor", server],
      ["store", "history", "on", server], ["model", "export", server, "--output", "A.xcdatamodel"],
      ["migrate", "new", "x", "--model=\(server)", "--migrations", "M"],
    ] {
      let refused = try tool.run(command)
      #expect(refused.code == 64, "\(command)")
      #expect(refused.err.contains("'postgres://…' is on a server, and '"), "\(refused.err)")
      #expect(!refused.err.contains("geheim"))
    }
    for author in [["--author", "https://ci"], ["--author=https://ci"]] {
      let undone = try tool.run(["store", "undo", "none.sqlite", "3"] + author)
      #expect(undone.code == 69, "\(undone.err)")
    }
    for (command, scheme) in [
      (["migrate", "status", "--store", "postgress://app:geheim@localhost/shop"], "postgress"),
      (["store", "copy", "s.sqlite", "Postgres://app:geheim@localhost/shop"], "Postgres"),
      (["store", "info", "file:///geheim/s.sqlite"], "file"),
    ] {
      let refused = try tool.run(command)
      #expect(refused.code == 64, "\(command)")
      #expect(
        refused.err.contains("'\(scheme)://…' is a URI; give the path of a file, or a store on a "),
        "\(refused.err)")
      #expect(!refused.err.contains("geheim"))
    }
  }

  @Test func `a store in a folder that does not exist, and a store in place of a model, are named`()
    throws
  {
    let homeless = try tool.run(
      "migrate", "apply", "--store", "none/s.sqlite", "--model", "1.xcdatamodel")
    #expect(homeless.code == 69)
    #expect(
      homeless.err.contains("'none/s.sqlite' cannot be opened: its folder 'none' does not exist"),
      "\(homeless.err)")
    let store = try tool.run("model", "generate", "s.sqlite")
    #expect(
      store.err.contains(
        "'s.sqlite' is a store, and a model document was asked for; 'oxbowctl model export' writes"),
      "\(store.err)")
    let file = try tool.run("migrate", "status", "--store", "s.sqlite", "--migrations", "s.sqlite")
    #expect(file.err.contains("the migrations folder 's.sqlite' is not a folder"), "\(file.err)")
  }

  @Test func `a backup taken before a migration brings the store back`() throws {
    let before = try model(of: "s.sqlite")
    let arguments = [
      "migrate", "apply", "--store", "s.sqlite", "--model", "2.xcdatamodel", "--allow-loss",
      "--backup", "copy.sqlite",
    ]
    let applied = try tool.run(arguments)
    #expect(applied.code == 0, "\(applied.err)")
    #expect(applied.err.hasSuffix("\ncopied 's.sqlite' to 'copy.sqlite'\n"))
    #expect(try model(of: "s.sqlite") != before)
    // Nothing is pending, so nothing is copied.
    #expect(try tool.run(arguments).code == 0)

    let refused = try tool.run("store", "restore", "copy.sqlite", "s.sqlite")
    #expect(refused.code == 69)
    #expect(refused.err.contains("allow replacing it ('replacing: true', or --replace)"))
    let taken = try tool.run("store", "backup", "s.sqlite", "copy.sqlite")
    #expect(taken.err.contains("allow overwriting it ('overwriting: true', or --overwrite)"))
    let restored = try tool.run("store", "restore", "copy.sqlite", "s.sqlite", "--replace")
    #expect(restored.code == 0)
    #expect(restored.out.hasPrefix("restored 's.sqlite' from 'copy.sqlite'\nkept what was there"))
    #expect(restored.out.hasSuffix("/s.sqlite.replaced'\n"))
    #expect(try model(of: "s.sqlite") == before)
  }

  @Test func `backup, check and compaction answer people and programs`() throws {
    let copied = try tool.run("store", "backup", "s.sqlite", "copy.sqlite")
    #expect(copied.out == "copied 's.sqlite' to 'copy.sqlite'\n")
    #expect(try tool.run("store", "backup", "s.sqlite", "copy.sqlite").code == 69)
    #expect(try tool.run("store", "backup", "s.sqlite", "copy.sqlite", "--overwrite").code == 0)
    #expect(try tool.run("store", "check", "copy.sqlite").out == "'copy.sqlite' is sound\n")
    let result = try #require(
      try tool.json("store", "check", "copy.sqlite")["result"] as? [String: Any])
    #expect(result["findings"] as? [String] == [])
    let compacted = try tool.run("store", "compact", "copy.sqlite")
    #expect(compacted.code == 0)
    #expect(compacted.out.hasPrefix("'copy.sqlite' had "))
  }

  @Test(.enabled(if: Shell.hasSQLite))
  func `large values in files are counted where there are any (PG-17)`() throws {
    #expect(try !tool.run("store", "info", "s.sqlite").out.contains("large values"))
    try Shell.sqlite(
      tool.folder.file("s.sqlite"),
      """
      CREATE TABLE _oxbow_files (name TEXT PRIMARY KEY NOT NULL, bytes INTEGER NOT NULL,
        discarded INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      INSERT INTO _oxbow_files VALUES ('a', 300000, 0), ('b', 200000, 1);
      """)
    let info = try tool.run("store", "info", "s.sqlite").out
    #expect(info.contains("\nlarge values  2 files, 500000 bytes\n"))
    let result = try #require(
      try tool.json("store", "info", "s.sqlite")["result"] as? [String: Any])
    #expect(result["files"] as? [String: Int] == ["count": 2, "bytes": 500_000])
  }

  @Test func `damage is a finding with exit code 2`() throws {
    _ = try tool.run("store", "backup", "s.sqlite", "copy.sqlite")
    let url = URL(filePath: tool.folder.path + "/copy.sqlite")
    var bytes = try Data(contentsOf: url)
    bytes.replaceSubrange(8192..<bytes.count, with: Data(repeating: 0, count: bytes.count - 8192))
    try bytes.write(to: url)
    let checked = try tool.run("store", "check", "copy.sqlite")
    #expect(checked.code == 2)
    #expect(!checked.out.isEmpty)
    #expect(checked.err.contains("restore a backup"))
    let doctor = try tool.run("store", "doctor", "copy.sqlite")
    #expect(doctor.code == 2, "\(doctor.err)")
    #expect(
      doctor.out.contains(
        "\n  stop writing, keep a copy of all its files, and restore a backup\n"))
  }

  #if os(Linux)
    @Test func `names in JSON are no commands for a terminal`() throws {
      let name = "c\u{9B}31m.sqlite"
      let shown = try tool.inTerminal(["store", "backup", "s.sqlite", name, "--json"])
      #expect(shown.code == 0)
      #expect(shown.text.contains("c31m.sqlite"), "\(shown.text)")
      #expect(!shown.text.unicodeScalars.contains("\u{9B}"))
      // A program gets them as they are.
      try FileManager.default.removeItem(atPath: tool.folder.file(name))
      #expect(try tool.run("store", "backup", "s.sqlite", name, "--json").out.contains(name))
    }
  #endif
}
