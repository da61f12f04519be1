/// Replaces the placeholders of one text.
struct PlaceholderText {
  /// Why a text has no value.
  enum Fault: Error, Equatable {
    case unknownKey(String)
    /// Keys whose values need each other, the first again at the end.
    case circle([String])
    case unclosed
  }

  let placeholders: Placeholders

  func expand(_ text: String) throws(Fault) -> String {
    guard text.contains("$") else { return text }
    return try expand(Substring(text), open: [])
  }

  private func expand(_ text: Substring, open keys: [String]) throws(Fault) -> String {
    var result = ""
    var rest = text
    while let sign = rest.firstIndex(of: "$") {
      result += rest[..<sign]
      rest = rest[sign...]
      if rest.hasPrefix("$${") {
        result += "${"
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("${") {
        guard let end = Self.end(of: rest) else { throw .unclosed }
        let body = rest[rest.index(rest.startIndex, offsetBy: 2)..<end]
        result += try value(of: body, open: keys)
        rest = rest[rest.index(after: end)...]
      } else {
        result += "$"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }

  /// The brace that closes the placeholder at the start of a text.
  private static func end(of text: Substring) -> Substring.Index? {
    var depth = 0
    var previous: Character?
    for index in text.indices {
      let character = text[index]
      if character == "{", previous == "$" { depth += 1 }
      if character == "}" {
        depth -= 1
        if depth == 0 { return index }
      }
      previous = character
    }
    return nil
  }

  private func value(of body: Substring, open keys: [String]) throws(Fault) -> String {
    let (name, fallback) = Self.split(body)
    let key = try expand(name, open: keys)
    guard !keys.contains(key) else {
      throw .circle(Array(keys.drop { $0 != key }) + [key])
    }
    if let value = placeholders.value(of: key) {
      return try expand(Substring(value), open: keys + [key])
    }
    guard let fallback else { throw .unknownKey(key) }
    return try expand(fallback, open: keys)
  }

  /// The key and the default of a placeholder, which its first colon outside of inner ones separates.
  private static func split(_ body: Substring) -> (key: Substring, fallback: Substring?) {
    var depth = 0
    for index in body.indices {
      switch body[index] {
      case "{": depth += 1
      case "}": depth -= 1
      case ":" where depth == 0: return (body[..<index], body[body.index(after: index)...])
      default: break
      }
    }
    return (body, nil)
  }
}

/// What a text becomes whose placeholders have no value: a problem that is reported already.
enum UnresolvedText {
  static let marker = "\u{0}unresolved"
}
