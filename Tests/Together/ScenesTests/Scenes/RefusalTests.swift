import Foundation
import Testing

/// What keeps the scenes from being shown is said in one message, with an exit code.
struct RefusalTests {
  let folder: IndexedFolder

  init() async throws { folder = try await IndexedFolder() }

  @Test func `without a terminal the program says what to do instead`() async throws {
    let run = try await Programs.run("scenes", [], in: folder.path)
    #expect(run.code == 64)
    #expect(run.output == "")
    #expect(
      run.errors == """
        scenes: standard input and output are not a terminal; start it in one, or have the files listed \
        with: catalog report --store 'catalog.sqlite'

        """)
  }

  @Test func `a missing store is named, with how to make one`() async throws {
    let run = try await Programs.run("scenes", ["--store", "none.sqlite"], in: folder.path)
    #expect(run.code == 1)
    #expect(
      run.errors == """
        scenes: there is no store 'none.sqlite'; make it with: catalog index DIRECTORY --store \
        'none.sqlite'

        """)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/none.sqlite"))
  }

  #if os(Linux)
    @Test func `a file that is not a store is refused before the terminal is taken over`()
      async throws
    {
      try Data("no store".utf8).write(to: URL(fileURLWithPath: folder.path + "/text.sqlite"))
      let session = try TerminalSession(
        "scenes", ["--store", "text.sqlite"], in: folder.path, width: 200, height: 20)
      #expect(try await session.exitCode() == 1)
      #expect(session.screen.printed.hasPrefix("scenes: "))
      #expect(session.screen.printed.contains("text.sqlite"))
      #expect(session.isRestored)
    }
  #endif
}
