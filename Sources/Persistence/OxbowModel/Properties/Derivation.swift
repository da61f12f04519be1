/// What a derived attribute is computed from: its expression, read.
package enum Derivation: Sendable, Hashable {
  /// `now()`: the moment of the save.
  case now
  /// `author.name`, `canonical:(name)`: an attribute, also one behind to-one relationships.
  case value(path: [String], TextForm?)
  /// `books.@count`: the number of objects of a to-many relationship.
  case count(String)
  /// `books.pages.@sum`: the sum of an attribute of the objects of a to-many relationship.
  case sum(String, String)

  /// What is made of a text.
  package enum TextForm: String, Sendable, CaseIterable {
    /// Without upper case and without marks of letters.
    case canonical
    case lowercase
    case uppercase
  }

  /// Reads an expression; `nil` for one of another form.
  package init?(_ text: String) {
    let text = text.filter { !$0.isWhitespace }
    if text == "now()" {
      self = .now
    } else if let colon = text.firstIndex(of: ":") {
      guard let form = TextForm(rawValue: String(text[..<colon])),
        let path = Self.argument(text[colon...].dropFirst()).flatMap(Self.names)
      else { return nil }
      self = .value(path: path, form)
    } else {
      self.init(path: text)
    }
  }

  private init?(path text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    switch (parts.count, parts.last, parts.dropFirst().first) {
    case (2, "@count", _) where Self.isName(parts[0]): self = .count(parts[0])
    case (3, "@sum", _) where Self.isName(parts[0]) && Self.isName(parts[1]):
      self = .sum(parts[0], parts[1])
    case (3, _, "@sum") where Self.isName(parts[0]) && Self.isName(parts[2]):
      self = .sum(parts[0], parts[2])
    default:
      guard let path = Self.names(text) else { return nil }
      self = .value(path: path, nil)
    }
  }

  /// The forms of expressions, for messages.
  package static let forms =
    "'now()', 'name', 'author.name', 'canonical:(name)', 'lowercase:(name)', 'uppercase:(name)', "
    + "'books.@count' and 'books.pages.@sum'"

  /// What is between parentheses.
  private static func argument(_ text: Substring) -> String? {
    guard text.first == "(", text.last == ")", text.count > 2 else { return nil }
    return String(text.dropFirst().dropLast())
  }

  private static func names(_ text: String) -> [String]? {
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return names.allSatisfy(isName) ? names : nil
  }

  private static func isName(_ text: String) -> Bool {
    text.first?.isLetter == true && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
