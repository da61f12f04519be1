import Foundation
import Testing

@Suite struct OddFilesTests {
  @Test func `symbolic links are not followed`() throws {
    let tree = try Tree()
    try tree.write("real/file", size: 1)
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: tree.path("to a file"), withDestinationPath: tree.path("real/file"))
    try files.createSymbolicLink(
      atPath: tree.path("real/to the top"), withDestinationPath: tree.root)
    try files.createSymbolicLink(atPath: tree.path("to nowhere"), withDestinationPath: "/nowhere")
    mkfifo(tree.path("pipe"), 0o600)
    let result = try tree.index()
    #expect(result.symbolicLinks == 3)
    #expect(result.otherEntries == 1)
    #expect(try StoreReader(path: tree.store).paths() == [tree.path("real/file")])
  }

  @Test func `a directory that is named by a symbolic link is indexed where it is`() throws {
    let tree = try Tree()
    try tree.write("file", size: 1)
    let link = tree.folder + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: tree.root)
    let run = try ProgramRun("catalog", ["index", link, "--store", tree.store, "--quiet"])
    #expect(run.status == 0)
    #expect(try StoreReader(path: tree.store).paths() == [tree.path("file")])
  }

  @Test func `names that are no text survive`() throws {
    let tree = try Tree()
    try FileManager.default.createDirectory(
      atPath: tree.root, withIntermediateDirectories: true)
    let folder = Array(tree.root.utf8) + [0x2F, 0x66, 0xFF, 0x67]
    mkdir(folder.cString, 0o700)
    let names: [[UInt8]] = [[0xC3], [0xE9, 0x2E, 0x74, 0x78, 0x74], [0x61, 0x0A, 0x62]]
    for name in names { close(creat((folder + [0x2F] + name).cString, 0o600)) }
    _ = try tree.index()
    let store = StoreReader(path: tree.store)
    #expect(
      try store.rows("SELECT hex(rawName), replace(name, char(10), '|') FROM File ORDER BY 1") == [
        "610A62\ta|b", "C3\t\\xC3", "E92E747874\t\\xE9.txt",
      ])
    #expect(
      try store.rows("SELECT hex(rawName), name FROM Folder WHERE parent IS NOT NULL") == [
        "66FF67\tf\\xFFg"
      ])
    let again = try tree.index()
    #expect(again.saves == 0)
    #expect(again.files == IndexResult.Rows(unchanged: 3))
  }

  @Test func `what cannot be reached is counted, named, and keeps its rows`() throws {
    let tree = try Tree()
    try tree.write("near", size: 1)
    // Deeper than a path may be long: no right of a superuser helps.
    let name = String(repeating: "d", count: 250)
    try tree.makeDeep(name, count: 20)
    let result = try tree.index()
    #expect(result.unreadable.count == 1)
    #expect(result.unreadable.first?.hasSuffix("': the path is too long") == true)
    #expect(result.files == IndexResult.Rows(inserted: 1))
    let run = try ProgramRun("catalog", ["index", tree.root, "--store", tree.store])
    #expect(run.output.contains("unreadable       1\n  '"))
  }

  @Test(.enabled(if: geteuid() != 0, "a superuser may read everything"))
  func `what may not be read is counted, named, and keeps its rows`() throws {
    let tree = try Tree()
    try tree.fill(folders: 2, files: 2)
    _ = try tree.index()
    chmod(tree.path("folder 0"), 0)
    chmod(tree.path("folder 1/file 0.txt"), 0)
    defer { chmod(tree.path("folder 0"), 0o700) }
    let result = try tree.index()
    #expect(
      result.unreadable == [
        "'\(tree.path("folder 0"))': permission denied",
        "'\(tree.path("folder 1/file 0.txt"))': permission denied",
      ])
    #expect(result.saves == 0)
    #expect(try StoreReader(path: tree.store).count("File") == 4)
  }
}

extension [UInt8] {
  fileprivate var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}

extension Tree {
  /// Makes `count` folders, one in another.
  fileprivate func makeDeep(_ name: String, count: Int) throws {
    var folder = open(root, O_RDONLY | O_DIRECTORY)
    for _ in 0..<count {
      mkdirat(folder, name, 0o700)
      let next = openat(folder, name, O_RDONLY | O_DIRECTORY)
      close(folder)
      folder = next
    }
    close(folder)
  }
}
