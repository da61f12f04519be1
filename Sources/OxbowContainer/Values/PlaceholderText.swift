/// Replaces the placeholders of one text.
package struct PlaceholderText {
  /// Why a text has no value.
  package enum Fault: Error, Equatable {
    case unknownKey(String)
    /// Keys whose values need each other, the first again at the end.
    case circle([String])
    case unclosed
    /// Placeholders stand in placeholders, or keys lead to keys, more than `deepest` times.
    case tooDeep
    /// More than `longest` bytes would take the place of placeholders.
    case tooLong
  }

  /// How deep placeholders may stand in placeholders, keys and values that lead on included.
  package static let deepest = 100
  /// How many bytes values may put in the place of the placeholders of one text, 1 MiB; a short value
  /// counts as 64, so that there are at most 16,384 values.
  package static let longest = 1_048_576

  let placeholders: Placeholders

  func expand(_ text: String) throws(Fault) -> String {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    var expansion = Expansion(placeholders)
    return try expansion.expand(Substring(text))
  }

  /// Whether every placeholder of a text has an end.
  package static func isClosed(_ text: String) -> Bool {
    var rest = Substring(text)
    while let start = Start(in: rest) {
      rest = rest[start.end...]
      guard start.isPlaceholder else { continue }
      guard let end = Braces.end(of: rest) else { return false }
      rest = rest[rest.utf8.index(after: end)...]
    }
    return true
  }
}

/// The work on one text, which counts what it does.
private struct Expansion {
  private let placeholders: Placeholders
  /// The keys whose values are read, outermost first.
  private var keys: [String] = []
  private var depth = 0
  private var spent = 0

  init(_ placeholders: Placeholders) { self.placeholders = placeholders }

  mutating func expand(_ text: Substring) throws(PlaceholderText.Fault) -> String {
    depth += 1
    defer { depth -= 1 }
    guard depth <= PlaceholderText.deepest else { throw .tooDeep }
    var result = ""
    var rest = text
    while let start = Start(in: rest) {
      result += rest[..<start.start]
      rest = rest[start.end...]
      guard start.isPlaceholder else {
        result += start.text
        continue
      }
      guard let end = Braces.end(of: rest) else { throw .unclosed }
      result += try value(of: rest[..<end])
      rest = rest[rest.utf8.index(after: end)...]
    }
    return result + rest
  }

  private mutating func value(of body: Substring) throws(PlaceholderText.Fault) -> String {
    let (name, fallback) = Braces.split(body)
    let key = try expand(name)
    guard !keys.contains(key) else { throw .circle(Array(keys.drop { $0 != key }) + [key]) }
    let value: String
    if let text = placeholders.value(of: key) {
      keys.append(key)
      value = try expand(Substring(text))
      keys.removeLast()
    } else if let fallback {
      value = try expand(fallback)
    } else {
      throw .unknownKey(key)
    }
    spent += max(64, value.utf8.count)
    guard spent <= PlaceholderText.longest else { throw .tooLong }
    return value
  }
}

/// The next sign in a text that means something: `${`, `$${` or another `$`.
private struct Start {
  let start: Substring.Index
  /// Behind it.
  let end: Substring.Index
  let isPlaceholder: Bool
  /// What it stands for, where it is no placeholder.
  let text: String

  init?(in text: Substring) {
    guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "$")) else { return nil }
    start = sign
    let rest = text[sign...]
    let isEscaped = rest.utf8.starts(with: "$${".utf8)
    isPlaceholder = !isEscaped && rest.utf8.starts(with: "${".utf8)
    self.text = isEscaped ? "${" : "$"
    end = text.utf8.index(sign, offsetBy: isEscaped ? 3 : isPlaceholder ? 2 : 1)
  }
}

/// Braces, which come in pairs inside of a placeholder whatever they mean there.
private enum Braces {
  /// The brace that closes a placeholder whose body starts a text.
  static func end(of text: Substring) -> Substring.Index? {
    var depth = 1
    return text.utf8.indices.first { index in
      switch text.utf8[index] {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
      return depth == 0
    }
  }

  /// The key and the default of a placeholder, which its first colon outside of inner ones separates.
  static func split(_ body: Substring) -> (key: Substring, fallback: Substring?) {
    var depth = 0
    let colon = body.utf8.indices.first { index in
      switch body.utf8[index] {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ":"): return depth == 0
      default: break
      }
      return false
    }
    guard let colon else { return (body, nil) }
    return (body[..<colon], body[body.utf8.index(after: colon)...])
  }
}

/// What a text becomes whose placeholders have no value: a problem that is reported already.
enum UnresolvedText {
  /// Nobody writes it: it differs in each run of the program.
  static let marker = "\u{0}unresolved \(UInt64.random(in: 0...UInt64.max))"
}
