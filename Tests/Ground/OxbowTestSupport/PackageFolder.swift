#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder of the package that the tests are built from.
public enum PackageFolder {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  /// The path of a file of the package, which is named from the folder of `Package.swift`.
  public static func path(_ name: String) -> String { "\(root)/\(name)" }

  /// The text of a file of the package.
  public static func text(_ name: String) throws -> String {
    try String(contentsOf: URL(filePath: path(name)), encoding: .utf8)
  }
}
