import Foundation

/// The programs that were built beside the tests.
enum Programs {
  static func path(of program: String) throws -> String {
    let url = folder.appendingPathComponent(program)
    guard FileManager.default.isExecutableFile(atPath: url.path) else {
      throw SessionError("there is no program '\(url.path)'; build all products first")
    }
    return url.path
  }

  /// Runs a program to its end, without a terminal.
  static func run(
    _ program: String, _ arguments: [String], in folder: String
  ) async throws -> (code: Int32, output: String, errors: String) {
    try await onThread {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try path(of: program))
      process.arguments = arguments
      process.currentDirectoryURL = URL(fileURLWithPath: folder)
      process.standardInput = FileHandle.nullDevice
      let pipes = (Pipe(), Pipe())
      (process.standardOutput, process.standardError) = (pipes.0, pipes.1)
      try process.run()
      // Neither writes more than a pipe holds.
      let output = pipes.0.fileHandleForReading.readDataToEndOfFile()
      let errors = pipes.1.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (
        process.terminationStatus, String(decoding: output, as: UTF8.self),
        String(decoding: errors, as: UTF8.self)
      )
    }
  }

  /// That of the tests, or one above it where tests are a bundle.
  private static let folder: URL = {
    var folder = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
      .resolvingSymlinksInPath().deletingLastPathComponent()
    while folder.path != "/" {
      let program = folder.appendingPathComponent("scenes").path
      if FileManager.default.isExecutableFile(atPath: program) { return folder }
      folder.deleteLastPathComponent()
    }
    return folder
  }()
}

/// Runs what blocks on a thread of its own.
func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result(catching: body)) }.start()
  }
}

struct SessionError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A folder with files that the catalog has indexed; removed at the end.
final class IndexedFolder: Sendable {
  /// Short, so that it is seen whole in the details.
  let path: String

  init() async throws {
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    path = "\(base)/s-\(UUID().uuidString.prefix(8))"
    let files = [
      ("alpha.txt", 10), ("beta.md", 2000), ("sub/gamma.txt", 1), ("sub/漢字.txt", 7),
    ]
    for (name, size) in files { try write(name, size) }
    for number in 10..<40 { try write("file \(number).txt", number) }
    let run = try await Programs.run("catalog", ["index", "files", "--quiet"], in: path)
    guard run.code == 0 else { throw SessionError(run.errors) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private func write(_ name: String, _ size: Int) throws {
    let url = URL(fileURLWithPath: "\(path)/files/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(repeating: 0x2E, count: size).write(to: url)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: url.path)
  }
}
