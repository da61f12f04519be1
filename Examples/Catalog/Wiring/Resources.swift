import Foundation

/// The files that come with the program.
enum Resources {
  /// The path of a file that comes with the program.
  ///
  /// SwiftPM puts the files into a folder beside the program. The program may be started through a
  /// symbolic link, from any directory.
  static func path(_ name: String) throws -> String {
    let path = folder.appendingPathComponent(name).path
    guard FileManager.default.fileExists(atPath: path) else {
      throw CatalogError(
        "the file '\(path)', which comes with the program, is missing; "
          + "copy the folder '\(bundleName)' beside the program, or build it again")
    }
    return path
  }

  private static let bundleName = "oxbow_catalog.resources"

  private static var folder: URL {
    program.deletingLastPathComponent().appendingPathComponent(bundleName)
      .appendingPathComponent("Resources")
  }

  /// The program's own path.
  static var program: URL {
    (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
      .resolvingSymlinksInPath()
  }
}
