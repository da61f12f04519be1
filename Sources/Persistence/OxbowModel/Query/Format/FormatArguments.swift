internal import OxbowFoundation

struct FormatArguments {
  private let values: [FetchArgumentValue]
  private let source: FormatSource
  private var taken = 0

  init(_ values: [FetchArgumentValue], _ source: FormatSource) {
    self.values = values
    self.source = source
  }

  /// The argument for a placeholder of any kind but `%K`.
  mutating func take(
    _ kind: String, at range: Range<Int>
  ) throws(PersistenceError) -> FetchArgumentValue {
    let argument = try next(at: range)
    switch kind {
    case "@": return argument
    case "s", "S", "c", "C":
      guard case .value(.attribute(.string)) = argument else {
        throw wrong(argument, "a text", range)
      }
      return argument
    case "f", "F", "e", "E", "g", "G", "a", "A":
      guard let number = argument.number else { throw wrong(argument, "a number", range) }
      return .value(.attribute(number))
    default:
      guard let number = argument.whole else { throw wrong(argument, "a whole number", range) }
      return .value(.attribute(.integer(number)))
    }
  }

  mutating func takePath(at range: Range<Int>) throws(PersistenceError) -> String {
    let argument = try next(at: range)
    guard case .value(.attribute(.string(let path))) = argument else {
      throw wrong(argument, "the text of a path", range)
    }
    return path
  }

  private mutating func next(at range: Range<Int>) throws(PersistenceError) -> FetchArgumentValue {
    guard taken < values.count else {
      let seen = values.count == 1 ? "1 argument is" : "\(values.count) arguments are"
      throw source.error(
        "'\(source.text(range))' is placeholder \(taken + 1) and has no argument: \(seen) given",
        at: range)
    }
    taken += 1
    return values[taken - 1]
  }

  private func wrong(
    _ argument: FetchArgumentValue, _ needed: String, _ range: Range<Int>
  ) -> PersistenceError {
    source.error(
      "argument \(taken) is \(argument.kind), and '\(source.text(range))' needs \(needed)",
      at: range)
  }

  func requireAllTaken(_ tokens: [FormatToken]) throws(PersistenceError) {
    guard taken < values.count else { return }
    let quoted = tokens.first { token in
      if case .text(let text) = token.kind { text.hasPlaceholder } else { false }
    }
    let seen = "the text has \(taken) placeholders, and \(values.count) arguments are given"
    guard let quoted else {
      let end = source.scalars.count
      throw source.error("\(seen); leave out what has no placeholder", at: end..<end)
    }
    throw source.error(
      "\(seen); a placeholder in quotes is ordinary text, so write it without quotes",
      at: quoted.range)
  }
}

extension String {
  fileprivate var hasPlaceholder: Bool { contains("%@") || contains("%K") || contains("%d") }
}

extension FetchArgumentValue {
  var kind: String {
    switch self {
    case .list: "a list"
    case .value(let value): value.kind
    }
  }

  /// The argument as a whole number; truth values are 1 and 0.
  fileprivate var whole: Int64? {
    switch self {
    case .value(.attribute(.integer(let number))): number
    case .value(.attribute(.boolean(let truth))): truth ? 1 : 0
    default: nil
    }
  }

  fileprivate var number: AttributeValue? {
    switch self {
    case .value(.attribute(.integer(let number))): .double(Double(number))
    case .value(.attribute(.double(let number))): .double(number)
    case .value(.attribute(.decimal(let number))): .decimal(number)
    default: nil
    }
  }
}
