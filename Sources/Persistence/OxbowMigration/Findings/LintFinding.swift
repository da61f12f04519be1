/// Something in a folder of migrations that is worth a look before it is applied anywhere.
public struct LintFinding: Sendable, Hashable, Codable {
  /// How much it counts.
  public enum Severity: String, Sendable, Hashable, CaseIterable, Codable {
    /// Data may be lost or other programs surprised.
    case warning
    /// Worth knowing.
    case note
  }

  /// What kinds of findings there are.
  public enum Rule: String, Sendable, Hashable, CaseIterable, Codable {
    /// A model step removes data, and its file does not say that it may.
    case lossWithoutConsent = "OX101"
    /// Something goes and something like it is new.
    case possibleRename = "OX102"
    /// A renaming identifier names nothing.
    case unmatchedIdentifier = "OX103"
    /// Stores with certain rows refuse the step.
    case refusedByRows = "OX104"
    /// Stores with values that do not fit a smaller type refuse the step.
    case narrowing = "OX105"
    /// Stores with values that are there twice refuse the step, or the script.
    case duplicates = "OX106"
    /// A script removes a table of objects, or a column of one.
    case droppedByScript = "OX201"
    /// A script changes or deletes all rows of a table.
    case wholeTable = "OX202"
    /// A script replaces rows, so that links to them may go.
    case replacedRows = "OX203"
    /// A script changes objects without counting their version.
    case uncountedVersion = "OX204"
    /// A script cannot be taken back.
    case noWayBack = "OX205"
    /// A script has a statement that no script may have.
    case refusedStatement = "OX206"
    /// A column of a new table refers to another one and has no index.
    case referenceWithoutIndex = "OX207"
    /// A script has no statement to apply.
    case emptyScript = "OX208"
    /// A statement of a script fails in an empty store already.
    case failingStatement = "OX209"
    /// A script leaves other tables behind than those of its model.
    case otherTables = "OX210"
    /// A script writes a value of another type than the column's.
    case wrongType = "OX211"
    /// A script takes a value away that the model requires.
    case missingValue = "OX212"
    /// `NOT IN` meets a `NULL`, and then finds nothing.
    case nullInList = "OX213"
    /// A script copies all columns by their position, which stores do not have in common.
    case columnsByPosition = "OX214"
    /// A script deletes rows that others refer to.
    case danglingReferences = "OX215"
    /// A trigger writes objects, and programs that have them do not notice.
    case writingTrigger = "OX216"
    /// A script removes a table of its own, or a column of one.
    case droppedOwnTable = "OX217"
    /// The stub of a step in Swift still names no program.
    case unnamedProgram = "OX301"
    /// A file allows what is not found in it.
    case unusedAllowance = "OX401"

    /// How much it counts.
    public var severity: Severity {
      switch self {
      case .refusedByRows, .narrowing, .duplicates, .wholeTable, .noWayBack, .unusedAllowance,
        .danglingReferences, .droppedOwnTable:
        .note
      default: .warning
      }
    }
  }

  /// What kind of finding it is.
  public let rule: Rule
  /// How much it counts.
  public let severity: Severity
  /// The name of the file.
  public let file: String
  /// The line, counted from 1; `nil` for the file as a whole.
  public let line: Int?
  /// What was seen.
  public let message: String
  /// What to do, or to write in its place.
  public let advice: String
  /// Statements to write in its place, or to look at the rows with; `nil` where only somebody who
  /// knows the data can say.
  public internal(set) var safer: String?

  init(
    rule: Rule, file: String, line: Int? = nil, message: String, advice: String,
    safer: String? = nil
  ) {
    (self.rule, severity, self.file, self.line) = (rule, rule.severity, file, line)
    (self.message, self.advice, self.safer) = (message, advice, safer)
  }
}
