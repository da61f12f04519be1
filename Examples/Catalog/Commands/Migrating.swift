import Foundation

/// The command that migrates a store of the catalog.
enum Migrating {
  /// The whole command, ready for a shell.
  static func command(_ verb: String = "apply", store: String) -> String {
    [
      tool, "migrate", verb, "--store", quoted(absolute(store)), "--migrations",
      quoted(migrations),
    ].joined(separator: " ")
  }

  /// The tool that was built beside this program, or how to build and run it.
  ///
  /// It is the catalog's own: it has the classes, which are the model to end at, and the step in
  /// Swift.
  private static var tool: String {
    let built = Resources.program.deletingLastPathComponent().appendingPathComponent("catalogctl")
      .path
    if FileManager.default.isExecutableFile(atPath: built) { return quoted(built) }
    return "swift run --package-path \(quoted(package)) catalogctl"
  }

  /// The folder of the migrations, by which a new store is made.
  static var migrations: String { package + "/Migrations" }

  /// The package that this source file belongs to: the migrations are not among the resources,
  /// because they belong to the project and not to the program.
  private static var package: String {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 1...4 { folder.deleteLastPathComponent() }
    return folder.path
  }

  private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain && !text.isEmpty
      ? text : "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
