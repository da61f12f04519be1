import Foundation
import OxbowModel
import OxbowTestSupport
import Testing

// Every two consecutive versions of the models that other programs have: what becomes of the step
// between them, and of the values and links of a store. `OXBOW_REWRITE_TEXTS=1` writes the table.
@Suite struct SampleHistoryTests {
  private static let table = PackageFolder.path("docs/migrations-of-real-models.md")

  @Test(.enabled(if: Samples.folder != nil, Comment(rawValue: Samples.absence)))
  func `real histories are migrated as the table in the documentation says`() throws {
    let pairs = HistoryPair.all()
    #expect(pairs.count > 70)
    var lines: [String] = []
    var verdicts: [String: Int] = [:]
    var retyped = 0
    for pair in pairs {
      let outcome = try pair.run()
      let names = "\(HistoryPair.version(pair.from)) → \(HistoryPair.version(pair.to))"
      #expect(outcome.problems.isEmpty, "\(pair.package) \(names)")
      verdicts[outcome.verdict, default: 0] += 1
      retyped += outcome.retyped
      lines.append(
        "| \(pair.package) | \(names) | \(outcome.verdict) | \(outcome.values) | \(outcome.links) "
          + "| \(outcome.remarks.joined(separator: "; ")) |")
    }
    let counts = verdicts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    let text =
      Self.head
      + "\nIn all \(pairs.count): \(counts.joined(separator: ", ")). Values of attributes that got "
      + "another type: \(retyped).\n\n"
      + Self.columns + lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["OXBOW_REWRITE_TEXTS"] != nil {
      try text.write(toFile: Self.table, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: Self.table, encoding: .utf8) == text)
  }

  private static let head = """
    # Migrations of real models

    Every two consecutive versions of the models that the tests find among their samples: models
    that other programs have published. `SampleHistoryTests` makes a store of the older version
    with objects of each entity, a value in each attribute and a link in each relationship,
    migrates it to the newer version without a file, and compares the values and links that both
    versions have, converted where an attribute got another type. They are read by SQLite alone, from
    what the head of `PlainLayout.swift` says of the tables; nothing of the migration is used for it.
    The test writes this table with `OXBOW_REWRITE_TEXTS=1`.

    - *inferred*: done without a question.
    - *inferred, with consent to a loss*: refused with the number of values or links that would go,
      and done with `--allow-loss`.
    - *refused*: no way that keeps what the rows have; the code is that of the error, and the remark
      its words without names.
    - *not read*, *not opened*: a version that no store can be made of.

    """

  private static let columns = """
    | Model | Versions | Verdict | Values | Links | Remarks |
    | --- | --- | --- | ---: | ---: | --- |

    """
}
