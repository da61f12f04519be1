internal import OxbowDocuments
internal import OxbowModel

/// Something that `lint` would find and that a file says is meant: `-- oxbow: allow OX201` before a
/// statement of a script, `allows="OX102"` of a model step.
package struct LintAllowance: Hashable, Sendable {
  let rule: LintFinding.Rule

  /// The line of the comment, which speaks of the statement behind it; `nil` for the whole file.
  let line: Int?

  /// Reads the codes of an allowance, with blanks or commas between them.
  static func all(
    _ text: String, line: Int?, at location: SourceLocation
  ) throws(PersistenceError) -> [LintAllowance] {
    let codes = text.split { $0.isWhitespace || $0 == "," }.map(String.init)
    guard !codes.isEmpty else {
      throw .migrationFile(
        "nothing is said to be allowed; write the codes that lint prints, OX201 for example",
        at: location)
    }
    return try codes.map { code throws(PersistenceError) in
      LintAllowance(rule: try rule(code, at: location), line: line)
    }
  }

  private static func rule(
    _ code: String, at location: SourceLocation
  ) throws(PersistenceError) -> LintFinding.Rule {
    guard let rule = LintFinding.Rule(rawValue: code) else {
      let codes = LintFinding.Rule.allCases.map(\.rawValue)
      throw .migrationFile(
        "\"\(code)\" is no code of a finding" + didYouMean(code, among: codes), at: location)
    }
    switch rule {
    case .lossWithoutConsent:
      throw .migrationFile(
        "\(code) is allowed by loss=\"allowed\", which applying the step asks for", at: location)
    case .refusedStatement:
      throw .migrationFile(
        "\(code) cannot be allowed: the statement is refused when the script runs", at: location)
    default: return rule
    }
  }
}

extension [LintFinding] {
  /// These without what a file allows, and with what it allows for nothing; `lines` is where the
  /// statements of a script begin.
  func leavingOut(_ allowances: [LintAllowance], in file: String, lines: [Int]) -> [LintFinding] {
    func covers(_ allowance: LintAllowance, _ finding: LintFinding) -> Bool {
      guard allowance.rule == finding.rule else { return false }
      guard let line = allowance.line, let found = finding.line else { return true }
      return found == lines.first { $0 > line }
    }
    let found = filter { finding in !allowances.contains { covers($0, finding) } }
    let unused = allowances.filter { allowance in !contains { covers(allowance, $0) } }
    return found
      + unused.map { allowance in
        LintFinding(
          rule: .unusedAllowance, file: file, line: allowance.line,
          message: "\(allowance.rule.rawValue) is allowed and not found",
          advice: "take it out, or write it right before the statement that it speaks of")
      }
  }
}
