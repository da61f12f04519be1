import OxbowModel
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PF-08: conditions of real programs.
@Suite struct PredicateSampleTests {
  /// Arguments by the kinds of the placeholders.
  private func arguments(for text: String) throws -> [(any FetchArgument)?] {
    var arguments: [(any FetchArgument)?] = []
    var rest = text[...]
    while let percent = rest.firstIndex(of: "%") {
      let before = rest[..<percent].uppercased()
      let spec = rest[rest.index(after: percent)...].drop { "hlqzjt".contains($0) }
      guard let kind = spec.first else { break }
      switch kind {
      case "K": arguments.append("property")
      case "@"
      where before.hasSuffix("IN ") || before.hasSuffix("IN (") || before.hasSuffix("IN[N] "):
        arguments.append(["x", "y"])
      case "@" where before.hasSuffix("MIN("): arguments.append([1, 2])
      case "@": arguments.append("x")
      case "f": arguments.append(1.5)
      case "s": arguments.append("x")
      default: arguments.append(1)
      }
      rest = spec.dropFirst()
    }
    return arguments
  }

  @Test func `PF-08 at least 97 percent of the texts of real programs are read`() throws {
    guard let folder = Samples.folder else { return print(Samples.absence) }
    let file = try String(contentsOf: URL(filePath: "\(folder)/predicates.tsv"), encoding: .utf8)
    let texts = file.split(separator: "\n").dropFirst().map {
      String($0.prefix { $0 != "\t" })
    }
    #expect(texts.count > 400)
    var refused = 0
    for text in texts {
      do {
        let predicate = try FetchPredicate(format: text, arguments: try arguments(for: text))
        #expect(try FetchPredicate(format: predicate.description) == predicate, "\(text)")
      } catch let error as PersistenceError {
        refused += 1
        print("refused: \(error)")
        #expect(error.message.contains(" at column "), "\(text)")
        #expect(error.details.contains { $0.label == "text" })
      }
    }
    print("\(texts.count - refused) of \(texts.count) texts of predicates are read")
    #expect(refused * 100 <= texts.count * 3)
  }
}
