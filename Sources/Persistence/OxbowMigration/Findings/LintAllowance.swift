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
        "\"\(code)\" is not a code of a finding" + didYouMean(code, among: codes), at: location)
    }
    switch rule {
    case .lossWithoutConsent:
      throw .migrationFile(
        "\(code) is allowed by loss=\"allowed\", which applying the step asks for", at: location)
    case .unusedAllowance:
      throw .migrationFile(
        "\(code) cannot be allowed: take out what is allowed for nothing", at: location)
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
    guard !allowances.isEmpty else { return self }
    let rules = Set(allowances.map(\.rule))
    let allowed = Set(allowances.map { Place($0, lines) })
    let found = filter { finding in
      // What is found in a file as a whole is allowed by any line of it.
      guard let line = finding.line else { return !rules.contains(finding.rule) }
      return allowed.isDisjoint(with: [Place(finding.rule, line), Place(finding.rule, nil)])
    }
    let rulesFound = Set(map(\.rule))
    let places = Set(map { Place($0.rule, $0.line) })
    let unused = allowances.filter { allowance in
      guard allowance.line != nil else { return !rulesFound.contains(allowance.rule) }
      return places.isDisjoint(with: [Place(allowance, lines), Place(allowance.rule, nil)])
    }
    return found
      + unused.map { allowance in
        LintFinding(
          rule: .unusedAllowance, file: file, line: allowance.line,
          message: "\(allowance.rule.rawValue) is allowed and not found",
          advice: "take it out, or write it right before the statement that it speaks of")
      }
  }
}

/// What is found or allowed, and in which line; `nil` for the file as a whole.
private struct Place: Hashable {
  let rule: LintFinding.Rule
  let line: Int?

  init(_ rule: LintFinding.Rule, _ line: Int?) { (self.rule, self.line) = (rule, line) }

  /// The first of the statements' lines behind an allowance's own.
  init(_ allowance: LintAllowance, _ lines: [Int]) {
    self.init(
      allowance.rule,
      allowance.line.map { line in
        let end = lines.partitioningIndex { $0 > line }
        return end < lines.count ? lines[end] : .max
      })
  }
}

extension [Int] {
  /// The first place of a sorted list from which on a condition holds.
  fileprivate func partitioningIndex(_ holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
