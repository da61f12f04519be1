#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Texts that are kept in a folder `Golden` beside the tests, so that a change of them is seen.
///
/// `OXBOW_WRITE_GOLDEN=1 swift test --filter Golden` writes them anew.
public struct KeptText {
  /// Where the text is.
  public let path: String

  /// The text that is kept, or `nil` for none.
  public let kept: String?

  /// Whether the text is the one that is kept.
  public let isKept: Bool

  /// Reads a kept text, or replaces it by what it would be now.
  public init(_ name: String, now text: String, beside file: String = #filePath) throws {
    path = URL(filePath: file).deletingLastPathComponent().appending(path: "Golden/\(name)").path
    if ProcessInfo.processInfo.environment["OXBOW_WRITE_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: URL(filePath: path))
    }
    kept = try? String(contentsOfFile: path, encoding: .utf8)
    isKept = kept == text
  }
}
