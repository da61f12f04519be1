#if os(Linux)
  import Foundation
  import Testing

  /// The program as a user has it: in a terminal, on a store that the catalog made.
  struct SceneTests {
    let folder: IndexedFolder

    init() async throws { folder = try await IndexedFolder() }

    private func session(_ width: Int = 120, _ height: Int = 10) throws -> TerminalSession {
      try TerminalSession("scenes", in: folder.path, width: width, height: height)
    }

    /// The scene, once its list is there.
    private func started(_ width: Int = 120, _ height: Int = 10) async throws -> TerminalSession {
      let session = try session(width, height)
      try await session.waits(for: "the list") { $0.text.contains("1 of 34") }
      return session
    }

    /// The text of a screen without what is another one in each run.
    private func steady(_ screen: TerminalScreen) -> String {
      screen.text.replacing(folder.path, with: "PATH")
    }

    @Test func `SC-16 SC-37 the screen is what the property lists say`() async throws {
      let session = try await started()
      let expected = """
        scenes on catalog.sqlite
        Files by name, 1 of 34                                      │ name    alpha.txt
           alpha.txt                                                │ folder  PATH/files
           beta.md                                                  │ size    10 bytes
           file 10.txt                                              │ changed 2001-09-09T01:46:40Z
           file 11.txt                                              │ kind    txt: 33 files, 753 bytes
           file 12.txt                                              │
           file 13.txt                                              │

        [ Sort ]  [ Star ]  [ Help ]  [ Quit ]
        """
      #expect(steady(session.screen) == expected)
      #expect(session.screen.reversed == ["scenes on catalog.sqlite", "alpha.txt", "[ Sort ]"])
      #expect(session.screen.unknown == [])
    }

    @Test func `SC-22 keys move through the list, and the details follow`() async throws {
      let session = try await started()
      session.type("\u{1B}[B\u{1B}[B")
      try await session.waits(for: "two files down") { $0.text.contains("name    file 10.txt") }
      session.type("\u{1B}[6~")
      let page = try await session.waits(for: "the next page") { $0.text.contains("9 of 34") }
      #expect(page.reversed.contains("file 16.txt"))
      #expect(page.text.contains("size    16 bytes"))
      session.type("\u{1B}[F")
      let last = try await session.waits(for: "the last file") { $0.text.contains("34 of 34") }
      #expect(last.lines[7].hasPrefix("   漢字.txt  "))
      #expect(last.text.contains("folder  \(folder.path)/files/sub"))
      session.type("\u{1B}[5~\u{1B}[H")
      try await session.waits(for: "the first file") { $0.text.contains("name    alpha.txt") }
    }

    @Test func `SC-18 a button's notification sorts the list`() async throws {
      let session = try await started()
      session.type("\r")
      let bySize = try await session.waits(for: "sizes") { $0.text.contains("by size, 1 of 34") }
      #expect(bySize.lines[2].hasPrefix("   beta.md"))
      #expect(bySize.lines[3].hasPrefix("   file 39.txt"))
      session.type("s")
      try await session.waits(for: "dates") { $0.text.contains("Files by date, 1 of 34") }
    }

    @Test func `SC-25 SC-29 a star is saved, and its message goes by itself`() async throws {
      let session = try await started()
      session.type("\u{1B}[B\t")
      try await session.waits(for: "the focus") { $0.reversed.last == "[ Star ]" }
      session.type("\r")
      let saved = try await session.waits(for: "the message") { $0.lines[8] == "Saved." }
      #expect(saved.lines[3].hasPrefix(" * beta.md"))
      #expect(saved.text.contains("labels  starred"))
      try await session.waits(for: "no message") { $0.lines[8].isEmpty }
      let labels = try await Programs.run("catalog", ["label", "list"], in: folder.path)
      #expect(labels.output == "starred: 1 file\n")
      session.type(" ")
      try await session.waits(for: "no star") { $0.lines[3].hasPrefix("   beta.md") }
      let none = try await Programs.run("catalog", ["label", "list"], in: folder.path)
      #expect(!none.output.contains("starred"))
    }

    @Test func `SC-27 help is an alert that takes the next key`() async throws {
      let session = try await started(60, 14)
      session.type("h")
      let help = try await session.waits(for: "the alert") { $0.text.contains("[ Close ]") }
      #expect(help.lines.contains { $0.contains("s: sort   space: star   q: quit") })
      session.type("q")
      let after = try await session.waits(for: "no alert") { !$0.text.contains("[ Close ]") }
      #expect(after.text.contains("Files by name, 1 of 34"))
      session.type("q")
      #expect(try await session.exitCode() == 0)
    }

    @Test func `SC-37 everything has its place in a terminal of another size`() async throws {
      let session = try await started()
      session.type("\u{1B}[F")
      try await session.waits(for: "the last file") { $0.text.contains("34 of 34") }
      session.resize(60, 20)
      let large = try await session.waits(for: "a larger one") {
        $0.lines[19].hasPrefix("[ Sort ]")
      }
      #expect(large.lines[1].hasPrefix("Files by name, 34 of 34       │ name    漢字.txt"))
      #expect(large.lines[17].hasPrefix("   漢字.txt"))
      // Smaller than the scene: what has no room is cut off.
      session.resize(20, 4)
      let small = try await session.waits(for: "a smaller one") { $0.lines[1].hasPrefix("Files") }
      #expect(small.lines[1] == "Files by name, 34 of")
      session.resize(60, 8)
      let again = try await session.waits(for: "the old one") { $0.lines[7].hasPrefix("[ Sort ]") }
      #expect(again.lines[5].hasPrefix("   漢字.txt"))
      #expect(again.unknown == [])
    }

    @Test func `an action that fails is reported, and the scene goes on`() async throws {
      let session = try await started()
      try FileManager.default.removeItem(atPath: folder.path + "/files/alpha.txt")
      let run = try await Programs.run("catalog", ["index", "files", "--quiet"], in: folder.path)
      #expect(run.code == 0)
      session.type(" ")
      let alert = try await session.waits(for: "the error") { $0.text.contains("Press any key.") }
      #expect(alert.text.contains("File/"))
      session.type("q")
      try await session.waits(for: "no alert") { !$0.text.contains("Press any key.") }
      session.resize(100, 10)
      try await session.waits(for: "the files that there are") { $0.text.contains("1 of 33") }
    }

    // MARK: - Ends

    @Test(arguments: [("q", 0), ("\u{3}", 130)])
    func `a program that ends gives the terminal back`(keys: String, code: Int32) async throws {
      let session = try await started()
      #expect(!session.isRestored)
      session.type(keys)
      #expect(try await session.exitCode() == code)
      #expect(session.isRestored)
      #expect(session.screen.printed == "")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a program that a signal ends gives the terminal back`(signal: Int32) async throws {
      let session = try await started()
      session.send(signal)
      #expect(try await session.exitCode() == 128 + signal)
      #expect(session.isRestored)
    }

    @Test func `a program ends with its terminal`() async throws {
      let session = try await started()
      session.hangUp()
      #expect(try await session.exitCode() > 0)
    }

    @Test func `Ctrl-C ends the program while an alert is shown`() async throws {
      let session = try await started()
      session.type("h")
      try await session.waits(for: "the alert") { $0.text.contains("[ Close ]") }
      session.type("\u{3}")
      #expect(try await session.exitCode() == 130)
    }
  }
#endif
