extension NamedColumn {
  /// Reads a column from its text.
  init(_ text: String) throws(PersistenceError) {
    let source = FormatSource(text, subject: "column")
    var lexer = FormatLexer(source)
    var parser = FormatParser(source, try lexer.tokens(), FormatArguments([], source))
    self = try parser.column()
  }
}

extension FetchColumn {
  /// Reads columns with commas between them: `"author.name, sum(price) as total"`.
  package static func list(_ text: String) throws(PersistenceError) -> [FetchColumn] {
    try FormatParser.list(text, of: "list of columns", or: "'as' with a name") {
      (parser) throws(PersistenceError) in
      let column = try parser.namedColumn()
      return FetchColumn(column.expression, as: column.name)
    }
  }
}

extension RowOrder {
  /// Reads an order, its keys with commas between them: `"year desc, title"`.
  package static func list(_ text: String) throws(PersistenceError) -> [RowOrder] {
    try FormatParser.list(text, of: "order", or: "asc, desc") {
      (parser) throws(PersistenceError) in try parser.rowOrder()
    }
  }
}

extension FormatParser {
  /// Reads the whole text as a column: what it has, and perhaps a name after `as`.
  mutating func column() throws(PersistenceError) -> NamedColumn {
    guard token.kind != .end else {
      throw source.error("expected a path or a function, and the text is empty", at: token.range)
    }
    let column = try namedColumn()
    guard token.kind == .end else { throw unexpected("'as' with a name, or the end") }
    return column
  }

  fileprivate mutating func namedColumn() throws(PersistenceError) -> NamedColumn {
    let start = token.range.lowerBound
    let expression = try columnExpression()
    let name = try columnName() ?? source.text(range(from: start))
    return NamedColumn(name: name, expression: expression)
  }

  /// A column as it is written or called, and perhaps the direction.
  fileprivate mutating func rowOrder() throws(PersistenceError) -> RowOrder {
    let start = token.range.lowerBound
    _ = try columnExpression()
    let column = source.text(range(from: start))
    guard case .name(let word) = token.kind, ["asc", "desc"].contains(word.lowercased()) else {
      return RowOrder(column)
    }
    advance()
    return RowOrder(column, ascending: word.lowercased() == "asc")
  }

  /// Reads a text whose parts have commas between them.
  fileprivate static func list<Part>(
    _ text: String, of subject: String, or word: String,
    _ part: (inout FormatParser) throws(PersistenceError) -> Part
  ) throws(PersistenceError) -> [Part] {
    let source = FormatSource(text, subject: subject)
    var lexer = FormatLexer(source)
    var parser = FormatParser(source, try lexer.tokens(), FormatArguments([], source))
    var parts = [try part(&parser)]
    while parser.take(",") { parts.append(try part(&parser)) }
    guard parser.token.kind == .end else { throw parser.unexpected("\(word), a comma or the end") }
    return parts
  }

  private mutating func columnName() throws(PersistenceError) -> String? {
    guard case .name(let word) = token.kind, word.lowercased() == "as" else { return nil }
    advance()
    switch token.kind {
    case .name(let name), .escapedName(let name), .text(let name):
      advance()
      return name
    default: throw unexpected("a name after 'as'")
    }
  }

  private mutating func columnExpression() throws(PersistenceError) -> ColumnExpression {
    guard case .name(let word) = token.kind, isCall else { return .value(try value()) }
    switch word.lowercased() {
    case "count": return try counted()
    case "sum", "min", "max", "avg", "average":
      let function = GroupFunction(rawValue: word.lowercased()) ?? .average
      let value = try argument { (parser) throws(PersistenceError) in try parser.value() }
      return .aggregate(function, value)
    case "rank": return try argument { _ in .rank }
    case "snippet":
      return try argument { (parser) throws(PersistenceError) in
        .snippet(try parser.value(), try parser.snippetStyle())
      }
    case let word:
      guard let part = DatePart(rawValue: word) else { return .value(try value()) }
      let (value, zone) = try argument { (parser) throws(PersistenceError) in
        (try parser.value(), try parser.timeZone())
      }
      return .part(part, value, zone: zone)
    }
  }

  private mutating func argument<R>(
    _ body: (inout FormatParser) throws(PersistenceError) -> R
  ) throws(PersistenceError) -> R {
    advance()
    try require("(")
    let result = try body(&self)
    try require(")")
    return result
  }

  private mutating func counted() throws(PersistenceError) -> ColumnExpression {
    try argument { (parser) throws(PersistenceError) in
      if parser.isSymbol(")") { return .count }
      let isDistinct = parser.takeDistinct()
      return .aggregate(isDistinct ? .countDistinct : .count, try parser.value())
    }
  }

  /// What follows the text of a snippet: the number of words, and three texts; each can be left
  /// out with those behind it.
  private mutating func snippetStyle() throws(PersistenceError) -> SnippetStyle {
    var style = SnippetStyle()
    guard take(",") else { return style }
    guard case .number(let number) = token.kind, let words = Int(number), words > 0 else {
      throw unexpected("how many words a snippet has")
    }
    advance()
    style.words = words
    for part in [\SnippetStyle.before, \.after, \.ellipsis] {
      guard take(",") else { break }
      guard case .text(let text) = token.kind else { throw unexpected("a text in quotes") }
      advance()
      style[keyPath: part] = text
    }
    return style
  }

  /// Takes the word `distinct` if something follows it; else it is the name of a property.
  private mutating func takeDistinct() -> Bool {
    guard case .name(let word) = token.kind, word.lowercased() == "distinct" else { return false }
    var next = self
    next.advance()
    guard !next.isSymbol(")"), !next.isSymbol(".") else { return false }
    self = next
    return true
  }

  /// A time zone after a comma, or UTC.
  private mutating func timeZone() throws(PersistenceError) -> String {
    guard take(",") else { return ZonedDates.utc }
    guard case .text(let name) = token.kind else {
      throw unexpected("the name of a time zone in quotes, such as 'Europe/Berlin'")
    }
    guard ZonedDates(zone: name) != nil else {
      #if Languages
        throw source.error("there is no time zone '\(name)'", at: token.range)
      #else
        throw .withoutLanguages("the time zone '\(name)' is not known")
      #endif
    }
    advance()
    return name
  }
}

extension FetchExpression {
  /// Reads an expression of one object's values from its text: `"price * 1.1"`.
  package init(valueFormat text: String) throws(PersistenceError) {
    guard case .value(let expression) = try NamedColumn(text).expression else {
      throw PersistenceError(
        .invalidPredicate,
        "'\(text)' is a value of a group or a part of a date, and one that is computed from an "
          + "object's attributes is needed, such as 'price * 1.1'")
    }
    self = expression
  }
}
