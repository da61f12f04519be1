extension FetchPredicate {
  /// Reads a condition in Core Data's format text.
  ///
  /// ```swift
  /// let books = try FetchPredicate(
  ///   format: "title BEGINSWITH[c] %@ AND year > %d AND ANY tags.label IN %@", "K", 1979, labels)
  /// ```
  ///
  /// A placeholder takes the next argument: `%@` a value or a list, `%K` a path, `%d` and its
  /// relatives a whole number, `%f` a number, `%s` a text. Keywords are read in any case; a `#`
  /// makes one of them a name. `CAST`, `FUNCTION`, indices and `[l]` are refused.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate`, which shows the text, the column,
  ///   what was expected there, and near names of a misspelt keyword; or which argument is missing,
  ///   superfluous or of the wrong kind.
  public init(
    format: String, _ arguments: (any FetchArgument)?...
  ) throws(PersistenceError) {
    try self.init(format: format, arguments: arguments)
  }

  /// Reads a condition in Core Data's format text, with its arguments in an array.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate`, as ``init(format:_:)``.
  public init(
    format: String, arguments: [(any FetchArgument)?]
  ) throws(PersistenceError) {
    let source = FormatSource(format)
    var lexer = FormatLexer(source)
    var parser = FormatParser(
      source, try lexer.tokens(), FormatArguments(arguments.map(\.argumentValue), source))
    self = try parser.predicate()
  }
}
