import Foundation
import Testing

@Suite struct ReportTests {
  /// A tree of which every number is known.
  private func tree() throws -> Tree {
    let tree = try Tree()
    try tree.write("music/first/song.mp3", size: 4_000_000)
    try tree.write("music/first/cover.png", size: 20_000)
    try tree.write("music/second/song.mp3", size: 4_000_000)
    try tree.write("music/second/cover.png", size: 20_001)
    try tree.write("copies/song.mp3", size: 4_000_000)
    try tree.write("notes/plan.txt", size: 999)
    try tree.write("notes/plan.TXT", size: 1000)
    try tree.write("notes/Makefile", size: 12)
    try tree.write("notes/.hidden", size: 1)
    try tree.write("notes/empty.txt", size: 0)
    _ = try tree.index()
    return tree
  }

  @Test(arguments: ["xml", "code"])
  func `a report names totals, large files, duplicates and the fullest folder`(wiring: String)
    throws
  {
    let tree = try tree()
    let run = try ProgramRun("catalog", ["report", "--store", tree.store, "--wiring", wiring])
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.replacingOccurrences(of: tree.root, with: "/TREE") == """
        indexed: /TREE
        10 files in 6 folders, 12.0 MB, 4 kinds

        kinds by size
            12.0 MB  mp3, 3 files
            40.0 kB  png, 2 files
             2.0 kB  txt, 3 files
           13 bytes  (none), 2 files

        largest files
             4.0 MB  /TREE/copies/song.mp3
             4.0 MB  /TREE/music/first/song.mp3
             4.0 MB  /TREE/music/second/song.mp3
            20.0 kB  /TREE/music/second/cover.png
            20.0 kB  /TREE/music/first/cover.png
             1.0 kB  /TREE/notes/plan.TXT
          999 bytes  /TREE/notes/plan.txt
           12 bytes  /TREE/notes/Makefile
             1 byte  /TREE/notes/.hidden
            0 bytes  /TREE/notes/empty.txt

        folder with most bytes
             4.0 MB  /TREE/music/second, 2 files of its own

        likely duplicates (same name and size, among the 10000 largest files)
             4.0 MB  song.mp3 in /TREE/copies, /TREE/music/first, /TREE/music/second

        """)
  }

  @Test func `a report in JSON keeps every number`() throws {
    let tree = try tree()
    let run = try ProgramRun(
      "catalog", ["report", "--store", tree.store, "--json", "--limit", "2"])
    #expect(
      run.output.replacingOccurrences(of: tree.root, with: "/TREE") == """
        {
          "fullestFolder" : {
            "bytes" : 4020001,
            "files" : 2,
            "path" : "/TREE/music/second"
          },
          "kinds" : [
            {
              "bytes" : 12000000,
              "files" : 3,
              "kind" : "mp3"
            },
            {
              "bytes" : 40001,
              "files" : 2,
              "kind" : "png"
            }
          ],
          "labels" : [

          ],
          "largestFiles" : [
            {
              "bytes" : 4000000,
              "path" : "/TREE/copies/song.mp3"
            },
            {
              "bytes" : 4000000,
              "path" : "/TREE/music/first/song.mp3"
            }
          ],
          "likelyDuplicates" : [
            {
              "bytes" : 4000000,
              "folders" : [
                "/TREE/copies",
                "/TREE/music/first",
                "/TREE/music/second"
              ],
              "name" : "song.mp3"
            }
          ],
          "totals" : {
            "bytes" : 12042013,
            "files" : 10,
            "folders" : 6,
            "kinds" : 4
          },
          "volumes" : [
            "/TREE"
          ]
        }

        """)
  }

  @Test func `labels are put on files by pattern, listed and taken off`() throws {
    let tree = try tree()
    func label(_ arguments: String...) throws -> String {
      let run = try ProgramRun("catalog", ["label"] + arguments + ["--store", tree.store])
      #expect(run.status == 0, "\(run.errors)")
      return run.output
    }
    #expect(try label("add", "covers", "*.PNG") == "covers: 2 files, 2 of them new\n")
    #expect(try label("add", "media", "*.png") == "media: 2 files, 2 of them new\n")
    #expect(try label("add", "media", "s*.mp3") == "media: 5 files, 3 of them new\n")
    #expect(try label("list") == "covers: 2 files\nmedia: 5 files\n")
    #expect(
      try label("list", "covers")
        == "\(tree.path("music/first/cover.png"))\n\(tree.path("music/second/cover.png"))\n")
    try tree.remove("music/second/cover.png")
    _ = try tree.index()
    #expect(try label("list") == "covers: 1 file\nmedia: 4 files\n")
    #expect(try label("remove", "media", "s*") == "media: taken off 3 files\n")
    #expect(try label("remove", "covers") == "covers: taken off 1 file\n")
    #expect(try label("list") == "media: 1 file\n")
    let unknown = try ProgramRun("catalog", ["label", "remove", "none", "--store", tree.store])
    #expect(unknown.status == 1)
    #expect(
      unknown.errors == "catalog: there is no label 'none'; `catalog label list` names all\n")
  }
}
