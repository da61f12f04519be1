internal import CSQLite

/// A result code of SQLite: primary in the low byte, extended as a whole.
package struct ResultCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// The code without its extension.
  package var primary: ResultCode { ResultCode(rawValue & 0xff) }

  /// The name in SQLite's header, with the number: `SQLITE_BUSY_SNAPSHOT (517)`.
  package var description: String { "\(name) (\(rawValue))" }

  /// The name in SQLite's header; the primary name with a number when the extension is unknown.
  package var name: String {
    if let name = Self.names[rawValue] { return name }
    guard let primary = Self.names[rawValue & 0xff] else { return "SQLITE_\(rawValue)" }
    return "\(primary)_\(rawValue >> 8)"
  }

  /// Matches a code against itself and against its primary code.
  package static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
    pattern == code || pattern == code.primary
  }
}

extension ResultCode {
  package static let ok = ResultCode(SQLITE_OK)
  package static let error = ResultCode(SQLITE_ERROR)
  package static let busy = ResultCode(SQLITE_BUSY)
  package static let locked = ResultCode(SQLITE_LOCKED)
  package static let readOnly = ResultCode(SQLITE_READONLY)
  /// There is a transaction to roll back, and this connection may not write.
  package static let readOnlyRollback = ResultCode(SQLITE_READONLY | (3 << 8))
  package static let interrupt = ResultCode(SQLITE_INTERRUPT)
  package static let inputOutput = ResultCode(SQLITE_IOERR)
  package static let corrupt = ResultCode(SQLITE_CORRUPT)
  package static let full = ResultCode(SQLITE_FULL)
  package static let cannotOpen = ResultCode(SQLITE_CANTOPEN)
  package static let tooBig = ResultCode(SQLITE_TOOBIG)
  package static let constraint = ResultCode(SQLITE_CONSTRAINT)
  package static let notADatabase = ResultCode(SQLITE_NOTADB)
  package static let constraintUnique = ResultCode(SQLITE_CONSTRAINT | (8 << 8))
  package static let constraintPrimaryKey = ResultCode(SQLITE_CONSTRAINT | (6 << 8))
  /// What a function of ours says of values that it has no result for; SQLite itself never does.
  package static let constraintFunction = ResultCode(SQLITE_CONSTRAINT | (4 << 8))
  package static let constraintForeignKey = ResultCode(SQLITE_CONSTRAINT | (3 << 8))
  package static let constraintNotNull = ResultCode(SQLITE_CONSTRAINT | (5 << 8))
  package static let constraintDataType = ResultCode(SQLITE_CONSTRAINT | (12 << 8))

  // The primary names are SQLite's; an extension is written as in `<sqlite3.h>`.
  private static let names: [Int32: String] = {
    let primary = [
      0: "OK", 1: "ERROR", 2: "INTERNAL", 3: "PERM", 4: "ABORT", 5: "BUSY", 6: "LOCKED",
      7: "NOMEM", 8: "READONLY", 9: "INTERRUPT", 10: "IOERR", 11: "CORRUPT", 12: "NOTFOUND",
      13: "FULL", 14: "CANTOPEN", 15: "PROTOCOL", 16: "EMPTY", 17: "SCHEMA", 18: "TOOBIG",
      19: "CONSTRAINT", 20: "MISMATCH", 21: "MISUSE", 22: "NOLFS", 23: "AUTH", 24: "FORMAT",
      25: "RANGE", 26: "NOTADB", 27: "NOTICE", 28: "WARNING", 100: "ROW", 101: "DONE",
    ]
    let extensions: [Int: [String]] = [
      1: ["MISSING_COLLSEQ", "RETRY", "SNAPSHOT"],
      4: ["", "ROLLBACK"],
      5: ["RECOVERY", "SNAPSHOT", "TIMEOUT"],
      6: ["SHAREDCACHE", "VTAB"],
      8: ["RECOVERY", "CANTLOCK", "ROLLBACK", "DBMOVED", "CANTINIT", "DIRECTORY"],
      10: [
        "READ", "SHORT_READ", "WRITE", "FSYNC", "DIR_FSYNC", "TRUNCATE", "FSTAT", "UNLOCK",
        "RDLOCK", "DELETE", "BLOCKED", "NOMEM", "ACCESS", "CHECKRESERVEDLOCK", "LOCK", "CLOSE",
        "DIR_CLOSE", "SHMOPEN", "SHMSIZE", "SHMLOCK", "SHMMAP", "SEEK", "DELETE_NOENT", "MMAP",
        "GETTEMPPATH", "CONVPATH", "VNODE", "AUTH", "BEGIN_ATOMIC", "COMMIT_ATOMIC",
        "ROLLBACK_ATOMIC", "DATA", "CORRUPTFS", "IN_PAGE",
      ],
      11: ["VTAB", "SEQUENCE", "INDEX"],
      14: ["NOTEMPDIR", "ISDIR", "FULLPATH", "CONVPATH", "DIRTYWAL", "SYMLINK"],
      19: [
        "CHECK", "COMMITHOOK", "FOREIGNKEY", "FUNCTION", "NOTNULL", "PRIMARYKEY", "TRIGGER",
        "UNIQUE", "VTAB", "ROWID", "PINNED", "DATATYPE",
      ],
      23: ["USER"],
      27: ["RECOVER_WAL", "RECOVER_ROLLBACK"],
      28: ["AUTOINDEX"],
    ]
    var names: [Int32: String] = [:]
    for (code, name) in primary {
      names[Int32(code)] = "SQLITE_\(name)"
      for (index, suffix) in (extensions[code] ?? []).enumerated() where !suffix.isEmpty {
        names[Int32(code | (index + 1) << 8)] = "SQLITE_\(name)_\(suffix)"
      }
    }
    return names
  }()
}
