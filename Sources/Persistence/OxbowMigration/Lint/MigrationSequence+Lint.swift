public import OxbowModel
package import OxbowRelational

extension MigrationSequence {
  /// Looks for what may lose data or surprise other programs; reads the files only.
  ///
  /// What a file allows is left out: `-- oxbow: allow OX201` before a statement of a script (or,
  /// anywhere in it, for what is found in the script as a whole), `allows="OX102"` of a model step.
  ///
  /// - Parameter first: The number of the first file to look at; those before it were applied
  ///   somewhere and cannot be changed any more.
  /// - Returns: The findings, by file.
  /// - Throws: ``PersistenceError`` when a model cannot be compiled.
  public func lint(from first: Int = 0) throws(PersistenceError) -> [LintFinding] {
    do { return try lint(from: first, trying: nil) } catch let error as PersistenceError {
      throw error
    } catch {
      throw PersistenceError(.migrationFile, "\(error)")
    }
  }

  /// Also tries the steps in an empty store.
  package func lint(
    from first: Int = 0, trying store: (any MigrationRehearsal)?
  ) throws -> [LintFinding] {
    var findings: [LintFinding] = []
    var model: ManagedObjectModel?
    var rehearsal = try store.map { try FolderRehearsal($0, self) }
    // Scripts that leave the model as it is have the same tables.
    var tables: ScriptTables?
    for file in files {
      let tried = try rehearsal?.findings(file) ?? []
      let after = file.modelAfter.flatMap { models[$0] } ?? model
      defer { model = after }
      if file.modelAfter != nil { tables = nil }
      guard file.number >= first else { continue }
      switch file.content {
      case .model(let after):
        let found = try model.map { model throws(PersistenceError) in
          try lint(file, from: model, to: after)
        }
        findings += ((found ?? []) + tried)
          .leavingOut(file.allowances, in: file.fileName, lines: [])
      case .script(let up, let down):
        if tables == nil, let after {
          tables = ScriptTables(
            of: PlainLayout.mapping(of: try CompiledModel(after), numbers: nil))
        }
        findings += ScriptLint(file, up, tables: tables ?? ScriptTables())
          .findings(hasDown: down != nil, tried: tried)
      case .code(let stub):
        findings += tried
        if stub.run.contains("TOOL") {
          findings.append(
            LintFinding(
              rule: .unnamedProgram, file: file.fileName, line: nil,
              message: "the command of the step is '\(stub.run)'",
              advice: "write the name of the project's own tool in place of TOOL"))
        }
      }
    }
    return findings
  }

  private func lint(
    _ file: MigrationFile, from before: ManagedObjectModel, to after: ManagedObjectModel
  ) throws(PersistenceError) -> [LintFinding] {
    let migration = try TableMigrationBuilder.migration(from: before, to: after)
    func finding(
      _ rule: LintFinding.Rule, _ message: String, _ advice: String, safer: String? = nil
    ) -> LintFinding {
      LintFinding(
        rule: rule, file: file.fileName, line: nil, message: message, advice: advice, safer: safer)
    }
    let losses = file.allowsLoss ? [] : migration.losses
    return losses.enumerated().map { index, loss in
      finding(
        .lossWithoutConsent, "\(loss.subject) go, where there are any",
        "copy what is needed with a script before, or write the step with --allow-loss; apply "
          + "refuses it otherwise",
        safer: loss.condition.rows(in: SQLiteDialect()).map {
          SaferStatements.keep($0, as: "kept", file.id, "\(index + 1)")
        })
    }
      + RenameHints(from: before, to: after).hints.map {
        finding($0.isUnmatched ? .unmatchedIdentifier : .possibleRename, $0.message, $0.advice)
      }
      + migration.checks.map { check in
        finding(
          check.condition.rule, "the step is refused in stores that have \(check.subject)",
          check.advice, safer: check.condition.found)
      }
  }
}

extension DataCheck.Condition {
  fileprivate var rule: LintFinding.Rule {
    switch self {
    case .outside, .inexact: .narrowing
    case .repeated, .repeatedOwners: .duplicates
    default: .refusedByRows
    }
  }

  /// The statement that finds the rows in the way; `nil` where those are all rows of a table.
  fileprivate var found: String? {
    if case .rows = self { nil } else { rows(in: SQLiteDialect()).map { "\($0);" } }
  }
}
