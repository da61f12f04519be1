import Foundation
import Oxbow
import Testing

@Suite struct RefusalTests {
  @Test func `a directory that does not exist is named`() throws {
    let tree = try Tree()
    let run = try ProgramRun("catalog", ["index", tree.path("nowhere"), "--store", tree.store])
    #expect(run.status == 1)
    #expect(
      run.errors
        == "catalog: the directory '\(tree.path("nowhere"))' cannot be indexed: no such file or directory\n"
    )
    #expect(!FileManager.default.fileExists(atPath: tree.store))
  }

  @Test func `a file is no directory`() throws {
    let tree = try Tree()
    try tree.write("file", size: 1)
    let run = try ProgramRun("catalog", ["index", tree.path("file"), "--store", tree.store])
    #expect(run.status == 1)
    #expect(
      run.errors == "catalog: '\(tree.path("file"))' cannot be indexed: it is not a directory\n")
  }

  @Test func `a report needs a store`() throws {
    let tree = try Tree()
    let run = try ProgramRun("catalog", ["report", "--store", tree.store])
    #expect(run.status == 1)
    #expect(
      run.errors == """
        catalog: there is no store '\(tree.store)'; make it with: catalog index DIRECTORY --store \
        '\(tree.store)'

        """)
    #expect(!FileManager.default.fileExists(atPath: tree.store))
  }

  @Test func `a file that is no database is refused and left as it is`() throws {
    let tree = try Tree()
    let text = String(repeating: "This is not a database. ", count: 100)
    try text.write(toFile: tree.store, atomically: true, encoding: .utf8)
    let run = try ProgramRun("catalog", ["index", tree.root, "--store", tree.store])
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("catalog: "))
    #expect(run.errors.contains(tree.store))
    #expect(try String(contentsOfFile: tree.store, encoding: .utf8) == text)
  }

  @Test func `a store of another program is refused and left as it is`() throws {
    let tree = try Tree()
    let note = EntityDescription("Note", attributes: [AttributeDescription("text", .string)])
    try PersistentContainer(.file(tree.store), model: ManagedObjectModel(entities: [note])).close()
    let run = try ProgramRun("catalog", ["index", tree.root, "--store", tree.store])
    #expect(run.status == 73)
    #expect(try StoreReader(path: tree.store).rows("SELECT name FROM _oxbow_entities") == ["Note"])
  }

  @Test func `a folder that does not exist holds no store`() throws {
    let tree = try Tree()
    let run = try ProgramRun(
      "catalog", ["index", tree.root, "--store", tree.folder + "/nowhere/catalog.sqlite"])
    #expect(run.status == 1)
    #expect(run.errors.contains("nowhere"))
  }

  @Test func `numbers out of range are usage errors`() throws {
    let tree = try Tree()
    for arguments in [
      ["index", tree.root, "--workers", "0"], ["report", "--limit", "0"],
      ["index", tree.root, "--wiring", "magic"], ["index"],
    ] {
      #expect(try ProgramRun("catalog", arguments, in: tree.folder).status == 64)
    }
  }

  @Test func `a store that another program is writing to is refused, and trying again is safe`()
    throws
  {
    let tree = try Tree()
    try tree.fill(folders: 2, files: 2)
    _ = try tree.index()
    try tree.write("another", size: 1)
    let writer = try OpenTransaction(path: tree.store)
    let run = try ProgramRun("catalog", ["index", tree.root, "--store", tree.store, "--quiet"])
    writer.end()
    #expect(run.status == 75, "\(run.errors)")
    #expect(run.errors.hasPrefix("catalog: "))
    #expect(run.errors.contains(tree.store))
    #expect(try tree.index().files == IndexResult.Rows(inserted: 1, unchanged: 4))
  }

  @Test func `a disk that is full loses nothing that was saved`() throws {
    let tree = try Tree()
    try tree.fill(folders: 60, files: 50)
    // The limit of the shell replaces the disk: no file may grow beyond 256 kB.
    let catalog = try RunningProgram.path(of: "catalog")
    let run = try ProgramRun(
      "/bin/bash",
      [
        "-c", "trap '' XFSZ; ulimit -f 256; exec \"$0\" \"$@\"", catalog, "index", tree.root,
        "--store", tree.store, "--quiet",
      ])
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.split(separator: "\n").first?.hasPrefix("catalog: ") == true)
    let store = StoreReader(path: tree.store)
    #expect(try store.contradictions() == [])
    _ = try tree.index()
    #expect(try store.paths() == tree.find())
  }
}
