import Foundation
import OxbowTestSupport
import Testing

// The guide to migrations: what its blocks say is done, one after the other, in one empty folder.
//
// - `console`: lines that begin with "$ " are run with bash, the lines behind them are what the
//   command writes, errors included;
// - `xml` and `sql` behind a line "`PATH`:" are written as that file;
// - `swift` is a file of the example.
//
// `OXBOW_WRITE_GOLDEN=1 swift test --filter MigrationsGuideTests` writes what commands say into the
// guide.
@Suite struct MigrationsGuideTests {
  private static let guide = PackageFolder.path("docs/guide/migrations.md")

  private static func lines() throws -> [String] {
    try String(contentsOfFile: guide, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The lines of each block, with the language and the line before it that is not empty.
  private static func blocks() throws -> [(language: String, before: String, lines: [String])] {
    var blocks: [(language: String, before: String, lines: [String])] = []
    var (before, isOpen) = ("", false)
    for line in try lines() {
      if line.hasPrefix("```") {
        if !isOpen { blocks.append((String(line.dropFirst(3)), before, [])) }
        isOpen.toggle()
      } else if isOpen {
        blocks[blocks.count - 1].lines.append(line)
      } else if !line.isEmpty {
        before = line
      }
    }
    return blocks
  }

  @Test func `the sources of the guide are those of the example`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: PackageFolder.path("Examples/Contacts")
    )
    .filter { $0.hasSuffix(".swift") }
    let sources = try files.map {
      try String(contentsOfFile: PackageFolder.path("Examples/Contacts/\($0)"), encoding: .utf8)
    }
    let shown = try Self.blocks().filter { $0.language == "swift" }
    #expect(Set(shown.map { $0.lines.joined(separator: "\n") + "\n" }) == Set(sources))
  }

  /// The programs of the system that the guide uses.
  private static let hasPrograms = ["/usr/bin/git", "/usr/bin/sqlite3"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: hasPrograms))
  func `every command of the guide says what the guide says`() throws {
    let folder =
      FileManager.default.temporaryDirectory.path + "/oxbow-guide-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var written: [String] = []
    for block in try Self.blocks() {
      switch block.language {
      case "xml", "sql":
        let name = try #require(block.before.split(separator: "`").first.map(String.init))
        let url = URL(fileURLWithPath: folder + "/" + name)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data((block.lines.joined(separator: "\n") + "\n").utf8).write(to: url)
      case "console":
        let found = try block.lines.filter { $0.hasPrefix("$ ") }.flatMap { line in
          [line] + (try Self.run(String(line.dropFirst(2)), in: folder))
        }
        if !Self.writes { #expect(found == block.lines.map(Self.steady)) }
        written += ["```console"] + found + ["```"]
      default: continue
      }
    }
    if Self.writes { try Self.write(written) }
  }

  /// The lines that a command writes, without what is another one each time.
  private static func run(_ command: String, in folder: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "{ \(command)\n} 2>&1"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let programs = URL(fileURLWithPath: try RunningProgram.path(of: "contacts"))
      .deletingLastPathComponent().path
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = programs + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["EXAMPLES"] = PackageFolder.path("Examples")
    environment["HOME"] = folder
    environment["GIT_CONFIG_NOSYSTEM"] = "1"
    for role in ["AUTHOR", "COMMITTER"] {
      environment["GIT_\(role)_NAME"] = "Ada"
      environment["GIT_\(role)_EMAIL"] = "ada@example.org"
    }
    process.environment = environment
    let out = Pipe()
    process.standardOutput = out
    process.standardError = out
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var lines = text.components(separatedBy: "\n")
    while lines.last == "" { lines.removeLast() }
    return lines.map(steady)
  }

  private static func steady(_ line: String) -> String {
    line.replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "2026-11-23T12:00:00Z")
      .replacing(#/by [^ ]+@[^ ,]+,/#, with: "by ada@desk,")
      .replacing(#/disk has [0-9.]+ [a-zA-Z]+ free/#, with: "disk has 92.1 GB free")
  }

  private static let writes = ProcessInfo.processInfo.environment["OXBOW_WRITE_GOLDEN"] == "1"

  /// Puts blocks into the guide in place of those that it has.
  private static func write(_ blocks: [String]) throws {
    var rest = blocks[...]
    var (result, isConsole): ([String], Bool) = ([], false)
    for line in try lines() {
      if line == "```console" {
        isConsole = true
        repeat { result.append(rest.removeFirst()) } while result.last != "```"
      } else if !isConsole {
        result.append(line)
      } else if line == "```" {
        isConsole = false
      }
    }
    try Data(result.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: guide))
  }
}
