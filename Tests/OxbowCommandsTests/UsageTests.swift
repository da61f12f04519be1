import Foundation
import OxbowTestSupport
import Testing

// Arguments that no command takes, and what a run says of them.
@Suite struct UsageTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  /// Runs the tool through a shell: only there can an argument have any bytes.
  func shell(_ command: String) throws -> Tool.Output {
    let path = try #require(Tool.path, "oxbowctl was not built")
    let (process, out, err) = try tool.process([])
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command.replacing("oxbowctl", with: "'\(path)'")]
    try process.run()
    let outData = out.fileHandleForReading.readDataToEndOfFile()
    let errData = err.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Tool.Output(
      code: process.terminationStatus, out: String(decoding: outData, as: UTF8.self),
      err: String(decoding: errData, as: UTF8.self))
  }

  @Test(arguments: [
    "migrate apply --model M.xcdatamodel --store", "migrate status --store", "store info",
    "migrate status --migrations M --store=s.sqlite --model",
  ])
  func `W2: an argument that is not UTF-8 is refused, and no other file is touched`(
    words: String
  ) throws {
    try tool.folder.write(Documents.first, to: "M.xcdatamodel/contents")
    let before = try tool.folder.names()
    let output = try shell("oxbowctl \(words) \"$(printf 'caf\\351.sqlite')\"")
    #expect(output.code == 64)
    #expect(output.out == "")
    #expect(output.err.contains("'caf\\xE9.sqlite', is not UTF-8; rename the file"))
    #expect(try tool.folder.names() == before)
  }

  @Test(arguments: [
    (["migrate", "apply"], "migrate apply"), (["migrate", "aply"], "migrate"),
    (["model", "export", "x", "--output", "y"], "model export"), (["--wrong"], ""),
    (["migrate", "verify", "--store", "s"], "migrate verify"),
    (["migrate", "plan", "--store", "s.sqlite"], "migrate plan"),
  ])
  func `E3: a usage error with --json is one document on the standard output`(
    arguments: [String], command: String
  ) throws {
    let output = try tool.run(arguments + ["--json"])
    #expect(output.code == 64, "\(output.err)")
    let value = try JSONSerialization.jsonObject(with: Data(output.out.utf8)) as? [String: Any]
    #expect(value?["format"] as? Int == 1)
    #expect(value?["command"] as? String == command)
    let error = value?["error"] as? [String: Any]
    #expect(error?["code"] as? String == "usage")
    let message = try #require(error?["message"] as? String)
    #expect(!message.isEmpty)
    #expect(output.err.contains(message))
    #expect(try tool.run(arguments).out == "")
  }
}
