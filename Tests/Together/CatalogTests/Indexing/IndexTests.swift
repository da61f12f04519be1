import Foundation
import Testing

@Suite struct IndexTests {
  @Test(arguments: ["xml", "code"])
  func `there is a row for each regular file and each folder`(wiring: String) throws {
    let tree = try Tree()
    try tree.fill(folders: 30, files: 20)
    try tree.write("at the top.txt", size: 5)
    try tree.write("deep/deeper/deepest/file", size: 7)
    let result = try tree.index("--wiring", wiring, "--workers", "8")
    let store = StoreReader(path: tree.store)
    #expect(try store.paths() == tree.find())
    #expect(try store.rows("SELECT path FROM Folder").sorted() == tree.find(type: "d"))
    #expect(try store.contradictions() == [])
    #expect(result.files == IndexResult.Rows(inserted: 602))
    #expect(result.folders == IndexResult.Rows(inserted: 34))
    #expect(result.bytes == 30 * 190 + 12)
    #expect(result.unreadable == [])
  }

  @Test func `each worker thread that has work has a context of its own`() throws {
    let tree = try Tree()
    try tree.fill(folders: 400, files: 2)
    let result = try tree.index("--workers", "4")
    #expect(result.workers == 4)
    #expect(result.workerContexts == 4)
    #expect(result.saves > 4)
    let alone = try Tree()
    try alone.fill(folders: 3, files: 2)
    #expect(try alone.index("--workers", "1").workerContexts == 1)
  }

  @Test func `both wirings keep the same rows`() throws {
    let tree = try Tree()
    try tree.fill(folders: 12, files: 9)
    _ = try tree.index("--wiring", "xml")
    let rows = try StoreReader(path: tree.store).contents()
    #expect(rows.count == 108)
    try FileManager.default.removeItem(atPath: tree.store)
    _ = try tree.index("--wiring", "code")
    #expect(try StoreReader(path: tree.store).contents() == rows)
    #expect(try tree.index("--wiring", "xml").saves == 0)
  }

  @Test func `a second run over an unchanged tree writes nothing`() throws {
    let tree = try Tree()
    try tree.fill(folders: 10, files: 10)
    _ = try tree.index()
    let store = StoreReader(path: tree.store)
    let saves = "SELECT value FROM _oxbow_metadata WHERE name = 'saves'"
    let before = try store.rows(saves)
    let result = try tree.index()
    #expect(result.files == IndexResult.Rows(unchanged: 100))
    #expect(result.folders == IndexResult.Rows(unchanged: 11))
    #expect(result.saves == 0)
    #expect(try store.rows(saves) == before)
  }

  @Test func `three touched files are three updated rows`() throws {
    let tree = try Tree()
    try tree.fill(folders: 10, files: 10)
    _ = try tree.index()
    let store = StoreReader(path: tree.store)
    let before = try store.versions()
    let folders = try store.rows("SELECT path, _version FROM Folder ORDER BY 1")
    let kinds = try store.rows("SELECT name, _version FROM Kind ORDER BY 1")
    for name in ["folder 1/file 1.md", "folder 1/file 2.md", "folder 7/file 9.txt"] {
      try tree.touch(name, seconds: 1_000_000_000.25)
    }
    let result = try tree.index()
    #expect(result.files == IndexResult.Rows(updated: 3, unchanged: 97))
    let after = try store.versions()
    #expect(
      zip(before, after).filter { $0 != $1 }.map(\.1) == [
        tree.path("folder 1/file 1.md") + "\t2", tree.path("folder 1/file 2.md") + "\t2",
        tree.path("folder 7/file 9.txt") + "\t2",
      ])
    #expect(try store.rows("SELECT path, _version FROM Folder ORDER BY 1") == folders)
    #expect(try store.rows("SELECT name, _version FROM Kind ORDER BY 1") == kinds)
  }

  @Test func `files and folders that vanish lose their rows, and all totals follow`() throws {
    let tree = try Tree()
    try tree.fill(folders: 5, files: 6)
    try tree.write("folder 2/below/far below/file.bin", size: 1000)
    _ = try tree.index()
    try tree.remove("folder 2")
    try tree.remove("folder 3/file 0.txt")
    try tree.write("folder 4/file 1.md", size: 5000)
    try tree.replaceByFile("folder 0")
    let result = try tree.index()
    let store = StoreReader(path: tree.store)
    #expect(try store.paths() == tree.find())
    #expect(try store.rows("SELECT path FROM Folder").sorted() == tree.find(type: "d"))
    #expect(try store.contradictions() == [])
    #expect(result.files.deleted == 7 + 1 + 6)
    #expect(result.folders.deleted == 4)
    #expect(result.files.updated == 1)
  }

  @Test func `the store's own files are not part of its catalog`() throws {
    let tree = try Tree()
    try tree.write("file", size: 1)
    let inside = tree.path("catalog.sqlite")
    let arguments = ["index", tree.root, "--store", inside, "--json", "--quiet"]
    _ = try IndexResult(ProgramRun("catalog", arguments))
    let again = try IndexResult(ProgramRun("catalog", arguments))
    #expect(again.saves == 0)
    #expect(try StoreReader(path: inside).paths() == [tree.path("file")])
  }

  @Test func `a directory that is in another one of the store is refused`() throws {
    let tree = try Tree()
    try tree.fill(folders: 1, files: 1)
    _ = try tree.index()
    let run = try ProgramRun(
      "catalog", ["index", tree.path("folder 0"), "--store", tree.store, "--quiet"])
    #expect(run.status == 1)
    #expect(
      run.errors == """
        catalog: '\(tree.path("folder 0"))' is in the directory '\(tree.root)', which this store \
        has already; index '\(tree.root)' again, or choose another store with --store

        """)
    let above = try ProgramRun("catalog", ["index", tree.folder, "--store", tree.store, "--quiet"])
    #expect(above.status == 1)
    #expect(above.errors.contains("contains the directory '\(tree.root)'"))
  }

  @Test func `progress is lines where standard error is not a terminal, and none when quiet`()
    throws
  {
    let tree = try Tree()
    try tree.fill(folders: 2, files: 2)
    let run = try ProgramRun("catalog", ["index", tree.root, "--store", tree.store])
    #expect(run.status == 0)
    #expect(!run.errors.contains("\u{1B}"))
    #expect(
      run.output.contains("files            4 (4 inserted, 0 updated, 0 unchanged), 0 deleted"))
  }
}

extension Tree {
  /// Replaces a folder by a file of the same name.
  fileprivate func replaceByFile(_ name: String) throws {
    try remove(name)
    try write(name, size: 3)
  }
}
