internal import ArgumentParser
internal import OxbowMigration
internal import OxbowSQLite

struct MigrateLintCommand: ToolCommand {
  static let words = "migrate lint"
  static let configuration = help(
    abstract: "Looks in a folder for what may lose data or surprise other programs.",
    discussion: """
      Model steps: OX101 removes data without consent, OX102 may be a rename, OX103 a renaming \
      identifier names nothing; refused by stores with OX104 rows that lack a required value, OX105 \
      values that do not fit, OX106 values that are there twice. Scripts: OX201 drops a table or a \
      column, OX202 writes or deletes all rows, OX203 replaces rows, OX204 does not count versions, \
      OX205 has no way back, OX206 a statement that is refused, OX207 a reference without an index, \
      OX208 nothing to apply, OX209 fails, OX210 leaves other tables than the model's, OX211 a value \
      of another type, OX212 takes a required value away, OX213 NOT IN with a NULL, OX214 columns by \
      their position, OX215 deletes what others refer to, OX216 a trigger that writes objects, \
      OX217 drops a table of its own. Steps in Swift: OX301 the stub names no program. Exit code 2 for \
      warnings; OX104, OX105, OX106, OX202, OX205, OX215, OX217 and OX401 are notes. Where it can, it \
      writes the statements that are safer, or those that find the rows.

      All steps are tried in an empty store in memory, scripts statement by statement, with their \
      sections "down"; no store is opened.

      To allow an intended finding, write "-- oxbow: allow OX201" before the statement of a script, \
      or allows="OX102" at the first element of a model step. OX401 is such a permission without a \
      finding.

      \(ToolName.current) migrate lint --migrations Migrations --from 3
      """)

  @OptionGroup var folder: MigrationsFolder
  @Option(name: .customLong("from"), help: "The number of the first step to look at.")
  var first = 0
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> MigrateLintResult {
    let findings = try MigrationSequence(folder: folder.path)
      .lint(from: first, trying: SQLiteRehearsal())
    return MigrateLintResult(findings: findings)
  }
}

struct MigrateLintResult: ToolResult {
  let findings: [LintFinding]

  var exitCode: Int32 { findings.contains { $0.severity == .warning } ? 2 : 0 }

  var lines: [String] {
    guard !findings.isEmpty else { return ["nothing was found"] }
    return findings.flatMap { finding in
      let place = finding.file + (finding.line.map { ":\($0)" } ?? "")
      return [
        "\(place): \(finding.severity): \(finding.message) (\(finding.rule.rawValue))",
        "  \(finding.advice)",
      ] + (finding.safer?.split(separator: "\n").map { "    \($0)" } ?? [])
    }
  }
}
