import Foundation
import OxbowTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Texts of the tool that are kept, so that a change of them is seen.
enum Golden {
  /// Compares a text with the one that is kept.
  static func expect(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = steady(text)
    let golden = try KeptText(name, now: text)
    #expect(text == golden.kept, "\(golden.path)", sourceLocation: sourceLocation)
  }

  /// The text without what is another one each time.
  static func steady(_ text: String) -> String {
    text.replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME")
      .replacing(#/by [^ ]+@[^ ,]+,/#, with: "by USER@HOST,")
      .replacing(#/disk has [0-9.]+ [a-zA-Z]+ free/#, with: "disk has SPACE free")
      .replacing(#/"freeBytes" : \d+/#, with: "\"freeBytes\" : SPACE")
      .replacing(#/"seconds" : [0-9.e-]+/#, with: "\"seconds\" : SECONDS")
      .replacing(#/"(host|user|engine)" : "[^"]*"/#) { "\"\($0.output.1)\" : \"NAME\"" }
      .replacing(
        #/[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}/#, with: "IDENTIFIER")
  }
}

#if os(Linux)
  extension Tool {
    /// Runs the tool in a pseudo-terminal; the text is what the terminal shows.
    func inTerminal(
      _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (code: Int32, text: String) {
      let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(master >= 0)
      defer { close(master) }
      // What `unlockpt` and `ptsname` do, which the system's module does not export.
      var (locked, number): (Int32, Int32) = (0, 0)
      let (lock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      try #require(ioctl(master, lock, &locked) == 0 && ioctl(master, getNumber, &number) == 0)
      let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      try #require(terminal >= 0)
      let (process, _, _) = try process(arguments)
      var variables = ProcessInfo.processInfo.environment
      (variables["TERM"], variables["NO_COLOR"]) = ("xterm", nil)
      process.environment = variables.merging(environment) { $1 }
      let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
      (process.standardInput, process.standardOutput, process.standardError) = (
        handle, handle, handle
      )
      try process.run()
      close(terminal)
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        // With the last program that has it open, reading a terminal fails.
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      process.waitUntilExit()
      let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
      return (process.terminationStatus, text)
    }
  }
#endif
