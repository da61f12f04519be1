import Foundation

/// A program of this package, run to its end.
struct ProgramRun {
  let status: Int32
  let output: String
  let errors: String

  /// Runs a program that was built beside the tests.
  init(_ program: String, _ arguments: [String], in folder: String? = nil) throws {
    let running = try RunningProgram(program, arguments, in: folder)
    self = try running.wait()
  }

  fileprivate init(status: Int32, output: String, errors: String) {
    self.status = status
    self.output = output
    self.errors = errors
  }
}

/// A program that was started.
final class RunningProgram {
  let process = Process()
  private let outputs: [String]

  init(_ program: String, _ arguments: [String], in folder: String? = nil) throws {
    process.executableURL = try Self.url(of: program)
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    // Files and not pipes: a pipe that is not emptied stops the program.
    let base = FileManager.default.temporaryDirectory.path + "/oxbow-\(UUID().uuidString)"
    outputs = [base + ".out", base + ".err"]
    for path in outputs { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    process.standardOutput = FileHandle(forWritingAtPath: outputs[0])
    process.standardError = FileHandle(forWritingAtPath: outputs[1])
    try process.run()
  }

  deinit {
    for path in outputs { try? FileManager.default.removeItem(atPath: path) }
  }

  func wait() throws -> ProgramRun {
    process.waitUntilExit()
    return ProgramRun(
      status: process.terminationStatus,
      output: try String(contentsOfFile: outputs[0], encoding: .utf8),
      errors: try String(contentsOfFile: outputs[1], encoding: .utf8))
  }

  /// The path of a program that was built beside the tests.
  static func path(of program: String) throws -> String { try url(of: program).path }

  /// A program of the package by its name, or one of the system by its path.
  private static func url(of program: String) throws -> URL {
    if program.hasPrefix("/") { return URL(fileURLWithPath: program) }
    let url = buildFolder.appendingPathComponent(program)
    guard FileManager.default.isExecutableFile(atPath: url.path) else {
      throw MissingProgram(path: url.path)
    }
    return url
  }

  /// The folder of the programs: that of the tests, or one above it where tests are a bundle.
  private static let buildFolder: URL = {
    var folder = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
      .resolvingSymlinksInPath().deletingLastPathComponent()
    while folder.path != "/" {
      let program = folder.appendingPathComponent("catalog").path
      if FileManager.default.isExecutableFile(atPath: program) { return folder }
      folder.deleteLastPathComponent()
    }
    return folder
  }()
}

struct MissingProgram: Error, CustomStringConvertible {
  let path: String
  var description: String { "there is no program '\(path)'; build all products first" }
}
