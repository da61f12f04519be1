extension FetchPredicate {
  /// A condition in SQL, with values for its parameters:
  /// `.sql("length(title) > ?", arguments: [40])`.
  public static func sql(_ text: SQLText, arguments: [(any FetchValueConvertible)?]) -> Self {
    .sql(text.with(arguments: arguments))
  }
}

extension PersistenceError.Code {
  /// SQL that a program wrote itself and that a store does not answer.
  public static let invalidSQL = Self(rawValue: "invalidSQL")
}

extension PersistenceError {
  package static func sqlInMemory(_ sql: SQLText) -> PersistenceError {
    PersistenceError(
      .unsupported,
      "a condition in SQL is answered by the store, which knows what was saved, and the context has "
        + "unsaved changes; save or roll back first, or write the condition without SQL",
      details: [Detail(label: "condition", text: "\(sql)")])
  }
}
