/// What a statement of a migration keeps from others while it runs on a server.
public struct StatementLock: Sendable, Hashable, Codable {
  /// What is done with the rows of the table.
  public enum Work: String, Sendable, Hashable, CaseIterable, Codable {
    /// None is looked at.
    case brief
    /// All are read.
    case reads
    /// All that it means are written, in one transaction.
    case writes
    /// They are written in transactions of some thousand.
    case ranges
    /// The table and its indexes are written anew.
    case rewrites
  }

  /// The server's name of the lock; `nil` where no table is locked.
  public let lock: String?

  /// What is done with the rows.
  public let work: Work

  package init(_ lock: String?, _ work: Work = .brief) { (self.lock, self.work) = (lock, work) }

  /// Whether others can read, and save, while it is held.
  package var letsRead: Bool { lock != "ACCESS EXCLUSIVE" }
  package var letsWrite: Bool {
    lock.map { ["SHARE UPDATE EXCLUSIVE", "ROW EXCLUSIVE"].contains($0) } ?? true
  }
}

/// Something that programs notice of an operation on a table with many rows.
public struct MigrationRemark: Sendable, Hashable, Codable {
  /// What kinds of remarks there are.
  public enum Rule: String, Sendable, Hashable, CaseIterable, Codable {
    /// A table is written anew while nothing can be read from it.
    case rewrite = "OX501"
    /// An index is made while nothing can be saved.
    case index = "OX502"
    /// A constraint is checked while nothing can be saved.
    case constraint = "OX503"
    /// Many rows are written in one transaction.
    case fill = "OX504"
    /// A table or column goes or gets another name, which SQL of others may still use.
    case name = "OX505"
  }

  /// What kind of remark it is.
  public let rule: Rule

  /// What is noticed, and what to do.
  public let message: String
}

extension MigrationOperation {
  /// From how many rows on a table is large.
  package static let manyRows = 100_000

  /// What programs notice of the operation, which reads or writes so many rows.
  package func remarks(rows: Int) -> [MigrationRemark] {
    var remarks: [MigrationRemark] = []
    for lock in locks ?? [] where rows >= Self.manyRows {
      if let remark = remark(lock, rows), !remarks.contains(remark) { remarks.append(remark) }
    }
    let named = statements.contains {
      $0.contains(" RENAME COLUMN ") || $0.contains("DROP COLUMN ")
    }
    if locks != nil, kind == .drop || named {
      remarks.append(
        .init(
          rule: .name,
          message:
            "views and statements of others that name what goes from '\(table)', or gets another "
            + "name, fail; change them first"))
    }
    return remarks
  }

  private func remark(_ lock: StatementLock, _ rows: Int) -> MigrationRemark? {
    let waiting = lock.letsRead ? "no program can save" : "no program can read or save"
    let advice = "while \(waiting); use --online, or do it while no program needs the store"
    switch lock.work {
    case .rewrites:
      return .init(
        rule: .rewrite, message: "all \(rows) rows of '\(table)' are written anew \(advice)")
    case .writes:
      return .init(
        rule: .fill,
        message:
          "up to \(rows) rows of '\(table)' are written in one transaction, which saves wait "
          + "for; use --online, or do it while no program needs the store")
    case .reads where lock.letsWrite: return nil
    case .reads where kind == .index:
      return .init(
        rule: .index, message: "an index of \(rows) rows of '\(table)' is made \(advice)")
    case .reads:
      return .init(
        rule: .constraint, message: "all \(rows) rows of '\(table)' are looked at \(advice)")
    case .brief, .ranges: return nil
    }
  }
}
