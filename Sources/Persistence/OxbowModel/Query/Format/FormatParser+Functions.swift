internal import OxbowDocuments
internal import OxbowFoundation

extension FormatParser {
  /// Whether the present name is called: an opening parenthesis follows without a space.
  var isCall: Bool {
    var next = self
    next.advance()
    return next.isSymbol("(") && next.isAttached
  }

  mutating func call() throws(PersistenceError) -> Term {
    let name = token
    let word = source.text(name.range)
    try requireKnown(word, name.range)
    // A call takes more of the stack than a parenthesis.
    let outer = try enter()
    defer { leave(outer) }
    advance()
    try require("(", "'(' after \(word)")
    switch word.lowercased() {
    case "subquery": return try subquery()
    case "ternary": return try finished(try choice())
    case "now":
      try require(")")
      return try finished(.now)
    case "folded": return try finished(try folding())
    case "sum", "min", "max", "avg", "average", "count":
      return try finished(try aggregate(word.lowercased(), from: name.range.lowerBound))
    default: return try finished(.value(try literal(word.lowercased(), name.range)))
    }
  }

  private mutating func finished(
    _ expression: FetchExpression
  ) throws(PersistenceError) -> Term {
    try requireNoPath(after: "the value of a function")
    return .expression(expression)
  }

  private func requireKnown(_ word: String, _ range: Range<Int>) throws(PersistenceError) {
    let hint: String
    switch word.lowercased() {
    case "cast":
      hint =
        "CAST is not read; a constant is written date(\"…\"), decimal(\"…\") or uuid(\"…\"), or is "
        + "an argument of its type"
    case "function":
      hint =
        "FUNCTION is not read, because a store cannot call methods; fetch first, and filter in "
        + "Swift"
    case "lowercase", "uppercase", "canonical":
      hint = "'\(word)' is not read; compare with [c] or [cd]"
    default:
      guard !FormatWords.functions.contains(where: { $0.lowercased() == word.lowercased() }),
        word.lowercased() != "avg"
      else { return }
      hint =
        "there is no function '\(word)'; there are now, sum, min, max, average, count, TERNARY "
        + "and SUBQUERY"
    }
    throw source.error(
      hint, at: range,
      nearNames: PersistenceError.nearNames(to: word, among: FormatWords.functions))
  }

  // MARK: Forms

  private mutating func argument() throws(PersistenceError) -> FetchExpression {
    let start = token.range.lowerBound
    return try expression(from: try disjunction(), at: start)
  }

  private mutating func choice() throws(PersistenceError) -> FetchExpression {
    let test = try condition()
    try require(",")
    let first = try argument()
    try require(",")
    let second = try argument()
    try require(")")
    return .conditional(test, first, second)
  }

  private mutating func folding() throws(PersistenceError) -> FetchExpression {
    let inner = try argument()
    try require(",")
    guard case .text(let letters) = token.kind, let options = TextOptions(letters: letters) else {
      throw unexpected("\"c\", \"d\" or \"cd\"")
    }
    advance()
    try require(")")
    return .folded(inner, options)
  }

  private mutating func subquery() throws(PersistenceError) -> Term {
    let start = token.range.lowerBound
    guard case .expression(.path(let path)) = try operand(), !path.isEmpty else {
      throw source.error("expected a path to many objects", at: range(from: start))
    }
    try require(",")
    guard case .variable(let name) = token.kind else {
      throw unexpected("a variable such as $member")
    }
    advance()
    try require(",")
    let condition = try condition()
    try require(")")
    guard take("."), token.kind == .keyOperator("count") else {
      throw unexpected("'.@count', the number of the members that meet the condition")
    }
    advance()
    try requireNoPath(after: "a number")
    return .expression(.subqueryCount(path: path, variable: name, condition))
  }

  /// `sum(path)`, or the sum of a list of constants.
  private mutating func aggregate(
    _ word: String, from start: Int
  ) throws(PersistenceError) -> FetchExpression {
    let term = try operand()
    try require(")")
    switch term {
    case .expression(.path(let path)):
      guard let aggregate = FormatWords.aggregates[word] else { return .count(path: path) }
      return .aggregate(aggregate, path: path)
    case .list(let elements):
      return .value(try constant(word, elements, range(from: start)))
    default:
      throw source.error(
        "'\(word)' needs a path through a to-many relationship, or a list", at: range(from: start))
    }
  }

  private func constant(
    _ word: String, _ elements: [FetchExpression], _ range: Range<Int>
  ) throws(PersistenceError) -> FetchValue {
    var values: [FetchValue] = []
    for element in elements {
      guard case .value(let value) = element else {
        throw source.error("a list of constants is needed here", at: range)
      }
      values.append(value)
    }
    guard let aggregate = FormatWords.aggregates[word] else { return values.count.fetchValue }
    do {
      return try aggregate.result(of: values)
    } catch {
      throw source.error(error.message, at: range)
    }
  }

  // MARK: Constants

  /// The constant of `date("…")` and its relatives.
  private mutating func literal(
    _ word: String, _ range: Range<Int>
  ) throws(PersistenceError) -> FetchValue {
    let start = token.range.lowerBound
    guard case .expression(.value(.attribute(let argument))) = try operand() else {
      throw source.error("'\(word)' needs a text in quotes", at: self.range(from: start))
    }
    guard let value = Self.constant(word, argument) else {
      throw source.error(
        "'\(word)' cannot be made from \(argument); \(Self.forms[word] ?? "")",
        at: self.range(from: start))
    }
    try require(")")
    return value
  }

  private static let forms = [
    "date": "write \"2001-01-01T00:00:00Z\", or the seconds since then as a number",
    "uuid": "write the digits in five groups", "url": "write a URI",
    "double": "write \"inf\" or \"nan\"",
    "bytes": "write two hexadecimal digits for each byte",
    "decimal": "write digits with a point, 38 at most",
    "object": "write the object's ID, which begins with x-oxbow://",
  ]

  private static func constant(_ word: String, _ argument: AttributeValue) -> FetchValue? {
    switch (word, argument) {
    case ("date", .integer(let seconds)):
      Date(timeIntervalSinceReferenceDate: Double(seconds)).fetchValue
    case ("date", .double(let seconds)):
      Date(timeIntervalSinceReferenceDate: seconds).fetchValue
    case ("date", .string(let text)):
      (try? Date(text, strategy: .iso8601))?.fetchValue
    case ("uuid", .string(let text)): UUID(uuidString: text)?.fetchValue
    case ("url", .string(let text)): URL(string: text)?.fetchValue
    case ("double", .string(let text)): Double(text)?.fetchValue
    case ("bytes", .string(let text)): Data(hexadecimal: text)?.fetchValue
    case ("decimal", .string(let text)): ScalarText.decimal(text)?.fetchValue
    case ("object", .string(let text)): ManagedObjectID(text)?.fetchValue
    default: nil
    }
  }
}

extension Data {
  fileprivate init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16), pair.first != "+" else { return nil }
      bytes.append(byte)
    }
    self.init(bytes)
  }
}
