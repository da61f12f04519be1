internal import OxbowDocuments

/// The values of `${name}` while files are read.
///
/// A text is replaced once, from left to right: placeholders in a variable's value are not
/// replaced.
struct NodeVariables: Hashable {
  var values: [String: String] = [:]

  /// Returns the variables with those of an include, which take precedence.
  func adding(_ inner: [String: String]) -> NodeVariables {
    NodeVariables(values: values.merging(inner) { $1 })
  }

  /// Returns a text with its placeholders replaced, and the names that have neither a value nor a
  /// default.
  ///
  /// `${name:default}` is replaced by its default if there is no value; a placeholder without both,
  /// and one that is not closed, stays as it is.
  func replaced(in text: String) -> (text: String, unknown: [String]) {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return (text, []) }
    var result = ""
    var unknown: [String] = []
    let ends = Self.ends(in: text)
    var rest = Substring(text)
    while let dollar = rest.utf8.firstIndex(of: UInt8(ascii: "$")) {
      result += rest[..<dollar]
      let brace = text.utf8.index(after: dollar)
      guard let end = ends[brace] else {
        result.append("$")
        rest = rest[brace...]
        continue
      }
      let whole = rest[dollar..<end]
      rest = rest[end...]
      if let value = value(of: whole.dropFirst(2).dropLast()) {
        result += value
      } else {
        result += whole
        unknown.append(String(whole.dropFirst(2).dropLast()))
      }
    }
    return (result + rest, unknown)
  }

  private func value(of body: Substring) -> String? {
    if let value = values[String(body)] { return value }
    guard let colon = body.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return values[String(body[..<colon])] ?? String(body[body.utf8.index(after: colon)...])
  }

  /// For each brace that is closed, the index after the one that closes it.
  private static func ends(in text: String) -> [String.Index: String.Index] {
    var open: [String.Index] = []
    var ends: [String.Index: String.Index] = [:]
    for index in text.utf8.indices {
      switch text.utf8[index] {
      case UInt8(ascii: "{"): open.append(index)
      case UInt8(ascii: "}"):
        if let start = open.popLast() { ends[start] = text.utf8.index(after: index) }
      default: break
      }
    }
    return ends
  }
}
