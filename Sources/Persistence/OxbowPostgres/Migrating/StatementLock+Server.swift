#if PostgreSQL
  internal import OxbowRelational

  extension StatementLock {
    /// The lock of a statement that a plan has made, by its words.
    init(of statement: String) {
      let words = Self.withoutNames(statement)
      switch true {
      case words.hasPrefix("ALTER TABLE"), words.hasPrefix("DO "): self = Self.altering(words)
      case words.hasPrefix("ALTER INDEX"): self.init("SHARE UPDATE EXCLUSIVE")
      case words.hasPrefix("LOCK"), words.hasPrefix("DROP"), words.hasPrefix("ALTER"):
        self.init("ACCESS EXCLUSIVE")
      case words.contains("INDEX CONCURRENTLY"): self.init("SHARE UPDATE EXCLUSIVE", .reads)
      case words.hasPrefix("CREATE INDEX"): self.init("SHARE", .reads)
      case words.hasPrefix("CREATE TRIGGER"): self.init("SHARE ROW EXCLUSIVE")
      case words.hasPrefix("CREATE"), words.hasPrefix("SET"), words.hasPrefix("SELECT"):
        self.init(nil)
      default: self.init("ROW EXCLUSIVE", .writes)
      }
    }

    private static func altering(_ words: String) -> Self {
      func has(_ part: String) -> Bool { words.contains(part) }
      if has(" TRIGGER") { return Self("SHARE ROW EXCLUSIVE") }
      if has(" VALIDATE CONSTRAINT") { return Self("SHARE UPDATE EXCLUSIVE", .reads) }
      if has("ADD FOREIGN KEY") {
        return Self("SHARE ROW EXCLUSIVE", has("NOT VALID") ? .brief : .reads)
      }
      if has("ALTER COLUMN"), has(" TYPE ") { return Self("ACCESS EXCLUSIVE", .rewrites) }
      let isChecked =
        has("SET NOT NULL") || has("EXCLUDE USING") || has("ADD PRIMARY KEY")
        || has("UNIQUE") && !has("USING INDEX")
      return Self("ACCESS EXCLUSIVE", isChecked ? .reads : .brief)
    }

    /// A statement without what is in quotes.
    private static func withoutNames(_ statement: String) -> String {
      statement.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined()
    }
  }

  extension MigrationOperation {
    /// An operation whose statements say what they lock.
    init(
      _ kind: Kind, table: String, locking statements: [String], _ work: StatementLock.Work? = nil
    ) {
      self.init(
        kind, table: table, statements: statements,
        locks: statements.map { statement in
          let lock = StatementLock(of: statement)
          return work.map { StatementLock(lock.lock, $0) } ?? lock
        })
    }
  }
#endif
