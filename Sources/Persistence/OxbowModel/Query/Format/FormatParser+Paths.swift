extension FormatParser {
  private struct Part {
    let name: String
    let isOperator: Bool
    let range: Range<Int>
  }

  /// A path, with an operator such as `@count` in it.
  mutating func path() throws(PersistenceError) -> Term {
    let start = token.range.lowerBound
    var parts = try pathParts(isFirst: true)
    while isSymbol("."), isAttached || !parts.isEmpty {
      advance()
      parts += try pathParts(isFirst: false)
    }
    return try expression(of: parts, from: start)
  }

  private mutating func pathParts(isFirst: Bool) throws(PersistenceError) -> [Part] {
    let token = token
    func part(_ name: String, isOperator: Bool = false) -> [Part] {
      [Part(name: name, isOperator: isOperator, range: token.range)]
    }
    switch token.kind {
    case .name(let name):
      let isSelf = isFirst && keyword == "SELF"
      advance()
      return isSelf ? [] : part(name)
    case .escapedName(let name):
      advance()
      return part(name)
    case .variable(let name) where isFirst:
      advance()
      return part("$" + name)
    case .keyOperator(let name) where !isFirst:
      advance()
      return part(name, isOperator: true)
    case .placeholder("K"):
      advance()
      return try argumentParts(token.range, isFirst: isFirst)
    default: throw unexpected("the name of a property or an operator such as @count")
    }
  }

  private mutating func argumentParts(
    _ range: Range<Int>, isFirst: Bool
  ) throws(PersistenceError) -> [Part] {
    let text = try arguments.takePath(at: range)
    var names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if isFirst, names.first?.uppercased() == "SELF" { names.removeFirst() }
    guard !names.contains(where: { $0.isEmpty || $0 == "@" }) else {
      throw source.error(
        "the argument '\(text)' is not a path; a path is names with a point between them", at: range
      )
    }
    return names.map { name in
      Part(
        name: name.hasPrefix("@") ? String(name.dropFirst()) : name,
        isOperator: name.hasPrefix("@"), range: range)
    }
  }

  private func expression(of parts: [Part], from start: Int) throws(PersistenceError) -> Term {
    guard let position = parts.firstIndex(where: \.isOperator) else {
      return .expression(.path(parts.map(\.name)))
    }
    let path = parts[..<position].map(\.name)
    let rest = parts[(position + 1)...]
    let sign = parts[position]
    if let second = rest.first(where: \.isOperator) {
      throw source.error("a path has one operator with '@' only", at: second.range)
    }
    if sign.name == "count" {
      if let next = rest.first {
        throw source.error("nothing can follow @count, because it is a number", at: next.range)
      }
      return .expression(.count(path: path))
    }
    guard let aggregate = FormatWords.aggregates[sign.name] else {
      throw source.error(
        "there is no '@\(sign.name)'; there are @count, @sum, @min, @max and @avg", at: sign.range,
        nearNames: PersistenceError.nearNames(
          to: sign.name, among: ["count"] + FormatWords.aggregates.keys))
    }
    return .expression(.aggregate(aggregate, path: path + rest.map(\.name)))
  }
}
