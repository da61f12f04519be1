/// The purpose of a statement, as far as its text shows it.
package enum StatementPurpose: Sendable {
  /// It reads what a caller asked for.
  case reading
  /// It writes what a caller saves.
  case writing
  /// It keeps the store going: transactions, settings, the schema, and the store's own tables.
  case upkeep

  package init(_ text: String) {
    let words = text.prefix(200).split(maxSplits: 8, whereSeparator: \.isWhitespace)
    switch words.first {
    case "SELECT", "WITH", "select", "with":
      self = Self.readsOwnTables(text) ? .upkeep : .reading
    case "INSERT", "UPDATE", "DELETE", "REPLACE":
      let table = words.dropFirst().first { !Self.wordsBeforeTable.contains(String($0)) }
      self = table.map(Self.isOwn) == false ? .writing : .upkeep
    default: self = .upkeep
    }
  }

  private static let wordsBeforeTable: Set = [
    "OR", "ABORT", "IGNORE", "REPLACE", "ROLLBACK", "FAIL", "INTO", "FROM",
  ]

  /// Whether a read is of the store's own tables.
  ///
  /// A search reads own tables beside those of objects, so the first table decides. The last key is
  /// read beside the table of the objects, and the limits of the history in a subquery.
  private static func readsOwnTables(_ text: String) -> Bool {
    if alwaysOwn.contains(where: text.contains) { return true }
    guard let from = text.firstRange(of: "FROM ") else { return false }
    let table = text[from.upperBound...].prefix { !$0.isWhitespace && !"(,;)".contains($0) }
    return isOwn(table) && !indexPrefixes.contains(where: unquoted(table).hasPrefix)
  }

  private static let alwaysOwn = ["keys", "saves"].map { quoted(MetadataTables.prefix + $0) }

  private static func isOwn(_ table: Substring) -> Bool {
    ownPrefixes.contains(where: unquoted(table).hasPrefix)
  }

  private static func unquoted(_ table: Substring) -> String {
    let name = table.filter { $0 != "\"" }
    return name.hasPrefix("main.") ? String(name.dropFirst(5)) : name
  }

  private static let ownPrefixes = [
    MetadataTables.prefix, "sqlite_", "pragma_", "temp.", "Z_PRIMARYKEY", "Z_METADATA",
    "Z_MODELCACHE",
  ]

  /// The tables of indexes, which searches read for a caller.
  private static let indexPrefixes =
    [SearchIndex.Kind.words, .substrings].map { MetadataTables.prefix + $0.rawValue + "_" }
    + [BoxIndex.prefix]
}
