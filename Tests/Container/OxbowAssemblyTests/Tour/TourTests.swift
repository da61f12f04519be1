import Foundation
import OxbowContainer
import OxbowDocuments
import Testing

/// A tour of wrong containers: each is refused with a text of five parts.
///
/// The texts are in `Texts`, one file for each. Run the tests with `OXBOW_REWRITE_TEXTS=1` to
/// write them anew, and read the difference.
@Suite struct TourTests {
  static let stops =
    WrongContainer.references + WrongContainer.classes + WrongContainer.sharing
    + WrongContainer.documents + WrongContainer.requests + WrongContainer.definitions
    + WrongContainer.dialects

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Texts")
  private static let isRewriting =
    ProcessInfo.processInfo.environment["OXBOW_REWRITE_TEXTS"] != nil

  private static func file(_ stop: WrongContainer) throws -> String {
    let number = try #require(stops.firstIndex { $0.name == stop.name }) + 1
    return (number < 10 ? "0" : "") + "\(number)-\(stop.name).txt"
  }

  @Test(arguments: stops)
  func `every wrong container is refused, and its text has five parts`(stop: WrongContainer) throws
  {
    let error = try #require(try stop.error(), "nothing was refused")
    #expect(!error.problems.isEmpty)
    for problem in error.problems {
      #expect(!problem.message.isEmpty)
      let lines = problem.description.split(separator: "\n").map(String.init)
      #expect(lines.first == problem.message)
      for part in ["at", "seen", "expected", "next"] {
        let line = lines.first { $0.hasPrefix("   \(part): ") }
        #expect((line?.count ?? 0) > part.count + 5, "\(part) is missing in\n\(problem)")
      }
      let place = try #require(problem.location, "no place in\n\(problem)")
      #expect(!place.file.isEmpty && place.line > 0)
    }
  }

  @Test(arguments: stops)
  func `every text is the one that was agreed on`(stop: WrongContainer) throws {
    let error = try #require(try stop.error(), "nothing was refused")
    let url = Self.folder.appending(path: try Self.file(stop))
    if Self.isRewriting { try Data("\(error)\n".utf8).write(to: url) }
    let golden = try String(contentsOf: url, encoding: .utf8)
    #expect("\(error)\n" == golden)
  }

  @Test func `there are at least thirty stops, and no text without one`() throws {
    #expect(Self.stops.count >= 30)
    #expect(Set(Self.stops.map(\.name)).count == Self.stops.count)
    let files = Set(try Self.stops.map(Self.file))
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) {
      guard !files.contains(name) else { continue }
      if Self.isRewriting {
        try FileManager.default.removeItem(at: Self.folder.appending(path: name))
      } else {
        Issue.record("\(name) belongs to no stop")
      }
    }
  }
}
