import Foundation
import OxbowTestSupport
import Testing

/// Runs the built `oxbowctl`.
struct Tool {
  /// What a run of the tool gave.
  struct Output {
    let code: Int32
    let out: String
    let err: String
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The tool beside the test bundle.
  static let path: String? = {
    let bundles = CommandLine.arguments.filter { $0.contains(".xctest") }
    let places =
      bundles.map { URL(filePath: $0).deletingLastPathComponent().path }
      + [Bundle.main.bundlePath, FileManager.default.currentDirectoryPath + "/.build/debug"]
    for place in places {
      // The bundle of a test is a folder on some systems and a program on others.
      for folder in [place, URL(filePath: place).deletingLastPathComponent().path] {
        let path = "\(folder)/oxbowctl"
        if FileManager.default.isExecutableFile(atPath: path) { return path }
      }
    }
    return nil
  }()

  func process(_ arguments: [String]) throws -> (Process, out: Pipe, err: Pipe) {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.path, "oxbowctl was not built"))
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    let (out, err) = (Pipe(), Pipe())
    process.standardOutput = out
    process.standardError = err
    return (process, out, err)
  }

  func run(_ arguments: String...) throws -> Output { try run(arguments) }

  func run(_ arguments: [String]) throws -> Output {
    let (process, out, err) = try process(arguments)
    try process.run()
    // The results of these tests fit into a pipe, so the order of reading does not matter.
    let outData = out.fileHandleForReading.readDataToEndOfFile()
    let errData = err.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Output(
      code: process.terminationStatus, out: String(decoding: outData, as: UTF8.self),
      err: String(decoding: errData, as: UTF8.self))
  }

  /// Runs a command with `--json` and returns what it wrote.
  func json(_ arguments: String...) throws -> [String: Any] {
    let output = try run(arguments + ["--json"])
    let value = try JSONSerialization.jsonObject(with: Data(output.out.utf8))
    return try #require(value as? [String: Any])
  }
}

/// Model documents as Xcode writes them.
enum Documents {
  static let first = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="File">
        <attribute name="name" attributeType="String"/>
        <attribute name="size" attributeType="Integer 64" defaultValueString="0"/>
      </entity>
    </model>
    """

  /// An attribute renamed, one added, one made required: the table has to be written anew.
  static let second = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="File">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="byteCount" elementID="size" attributeType="Integer 64" \
        defaultValueString="0"/>
        <attribute name="rank" attributeType="Integer 16" defaultValueString="7"/>
      </entity>
      <entity name="Label">
        <attribute name="title" attributeType="String"/>
      </entity>
    </model>
    """
}
