/// Writes an indented XML document in UTF-8.
package struct XMLWriter {
  package struct Attributes: ExpressibleByDictionaryLiteral {
    fileprivate let pairs: [(name: String, value: String)]

    package init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }
    package init(dictionaryLiteral pairs: (String, String)...) { self.init(pairs) }
  }

  private var output: String
  private var open: [String] = []
  private let step: String

  /// Creates a writer whose output begins with the XML declaration, indented by so many spaces.
  package init(indentation: Int = 2, isStandalone: Bool = false) {
    step = String(repeating: " ", count: indentation)
    let standalone = isStandalone ? " standalone=\"yes\"" : ""
    output = "<?xml version=\"1.0\" encoding=\"UTF-8\"\(standalone)?>\n"
  }

  /// Begins an element; `end()` closes it.
  package mutating func start(
    _ name: String, _ attributes: Attributes = [:]
  ) throws(DocumentError) {
    try tag(name, attributes, closing: ">\n")
    open.append(name)
  }

  package mutating func empty(
    _ name: String, _ attributes: Attributes = [:]
  ) throws(DocumentError) {
    try tag(name, attributes, closing: "/>\n")
  }

  package mutating func element(
    _ name: String, _ attributes: Attributes = [:], text: String
  ) throws(DocumentError) {
    let text = try Self.escaped(text)
    try tag(name, attributes, closing: ">\(text)</\(name)>\n")
  }

  package mutating func text(_ text: String) throws(DocumentError) {
    output += "\(indentation)\(try Self.escaped(text))\n"
  }

  /// Closes the innermost open element.
  ///
  /// - Precondition: An element is open.
  package mutating func end() {
    guard let name = open.popLast() else { preconditionFailure("No element is open.") }
    output += "\(indentation)</\(name)>\n"
  }

  /// Returns the document.
  ///
  /// - Precondition: Every element is closed.
  package func document() -> String {
    precondition(open.isEmpty, "Elements are still open: \(open.joined(separator: ", ")).")
    return output
  }

  /// Returns a text in which characters with a meaning in markup are replaced by references.
  ///
  /// The result is read back as the same text inside an element and inside quotation marks.
  package static func escaped(_ text: String) throws(DocumentError) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\r", "\n", "\t": result += "&#\(scalar.value);"
      default:
        guard XMLCharacters.isAllowed(scalar) else {
          throw DocumentError(
            message:
              "character U+\(String(scalar.value, radix: 16, uppercase: true)) is not allowed"
              + " in an XML document",
            location: nil)
        }
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private var indentation: String { String(repeating: step, count: open.count) }

  private mutating func tag(
    _ name: String, _ attributes: Attributes, closing: String
  ) throws(DocumentError) {
    var tag = "\(indentation)<\(name)"
    for (name, value) in attributes.pairs {
      tag += " \(name)=\"\(try Self.escaped(value))\""
    }
    output += tag + closing
  }
}
