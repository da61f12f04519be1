#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The collection of documents and stores that other programs wrote, kept beside the repository.
public enum Samples {
  /// The folder of the samples: the variable `OXBOW_SAMPLES`, or `shared/samples` beside a folder
  /// around the package; `nil` when neither exists.
  public static let folder: String? = {
    if let folder = ProcessInfo.processInfo.environment["OXBOW_SAMPLES"] { return folder }
    var parts = #filePath.split(separator: "/")
    while parts.popLast() != nil {
      let folder = "/" + parts.joined(separator: "/") + "/shared/samples"
      if FileManager.default.fileExists(atPath: folder) { return folder }
    }
    return nil
  }()

  /// The paths below `part` of the samples for which `isWanted` holds, sorted.
  public static func paths(below part: String, where isWanted: (String) -> Bool) -> [String] {
    guard let folder else { return [] }
    let root = "\(folder)/\(part)"
    let names = try? FileManager.default.subpathsOfDirectory(atPath: root)
    return (names ?? []).filter(isWanted).sorted().map { "\(root)/\($0)" }
  }

  /// What a test says that cannot run without the samples.
  public static let absence = """
    SKIPPED: no samples. Put them into shared/samples beside the repository, or name their folder in \
    OXBOW_SAMPLES.
    """
}
