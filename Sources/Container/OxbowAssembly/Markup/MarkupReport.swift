internal import OxbowContainer
internal import OxbowDocuments

/// What is wrong with a document's markup, and what is worth knowing about it.
///
/// Only the first thousand of each are kept: a document of nothing but mistakes must not cost more
/// memory than a good one.
struct MarkupReport {
  private var found: [ContainerError.Problem] = []
  private var unlisted = 0
  private(set) var notes: [ContainerError.Note] = []

  /// The problems; the last one counts those that were not kept.
  var problems: [ContainerError.Problem] {
    guard unlisted > 0 else { return found }
    return found + [.unlisted(unlisted, .unexpectedMarkup, after: found.last?.location)]
  }

  mutating func report(_ problem: @autoclosure () -> ContainerError.Problem) {
    if found.count < ContainerError.Problem.mostListed {
      found.append(problem())
    } else {
      unlisted += 1
    }
  }

  mutating func note(_ text: @autoclosure () -> String, at location: SourceLocation) {
    if notes.count < ContainerError.Problem.mostListed {
      notes.append(ContainerError.Note(text(), at: location))
    }
  }
}

/// What every dialect asks of an element.
extension MarkupReport {
  /// Reports attributes that mean nothing, and text.
  mutating func check(
    _ element: XMLElement, attributes known: [String], allowsText: Bool = false
  ) {
    for attribute in element.attributes where !known.contains(attribute.name) {
      report(.unknownAttribute(attribute, of: element, known: known))
    }
    if !allowsText { refuseText(in: element) }
  }

  mutating func refuseText(in element: XMLElement) {
    if element.isTextBlank { return }
    let text = element.text.drop { $0.isWhitespace }
    if !text.isEmpty { report(.strayText(in: element, String(text))) }
  }

  /// Checks a description, which has words and nothing else.
  mutating func checkDescription(_ element: XMLElement) {
    check(element, attributes: [], allowsText: true)
    refuseChildren(of: element)
  }

  mutating func refuseChildren(of element: XMLElement) {
    for child in element.children {
      report(.unknownElement(child, in: element.name, known: []))
    }
  }

  /// An attribute that has to be there and not empty.
  mutating func required(_ name: String, of element: XMLElement) -> String? {
    if let value = element.value(name), !value.isEmpty { return value }
    report(.missingAttribute(name, of: element))
    return nil
  }

  /// An attribute that may be missing, but not be empty.
  mutating func optional(_ name: String, of element: XMLElement) -> String? {
    guard element.attribute(name) != nil else { return nil }
    return required(name, of: element)
  }

  mutating func boolean(
    _ name: String, of element: XMLElement, _ texts: BooleanTexts = .plain
  ) -> Bool? {
    guard let attribute = element.attribute(name) else { return nil }
    if let value = texts.value(of: attribute.value) { return value }
    report(.notBoolean(attribute, of: element, texts: texts.all))
    return nil
  }

  /// The trimmed text of an element that has nothing else, not empty.
  mutating func text(of element: XMLElement) -> String? {
    refuseChildren(of: element)
    let text = element.trimmedText
    if !text.isEmpty { return text }
    report(.emptyElement(element))
    return nil
  }
}

/// The texts that a dialect takes for booleans.
struct BooleanTexts {
  let yes: [String]
  let no: [String]
  let ignoresCase: Bool

  var all: [String] { yes + no }

  /// `true` and `false`, exactly.
  static let plain = BooleanTexts(yes: ["true"], no: ["false"], ignoresCase: false)

  func value(of text: String) -> Bool? {
    let text = ignoresCase ? text.lowercased() : text
    if yes.contains(text) { return true }
    return no.contains(text) ? false : nil
  }
}

extension XMLElement {
  /// The text without white space at both ends.
  var trimmedText: String { trimmed(text) }

  /// The text as prose.
  var prose: String? { text.prose }
}

extension String {
  /// The text with one space for each run of white space; nil when there is nothing else.
  var prose: String? {
    let words = split(whereSeparator: \.isWhitespace)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

/// A text without white space at both ends.
func trimmed(_ text: some StringProtocol) -> String {
  let end = text.lastIndex { !$0.isWhitespace }
  return end.map { String(text[...$0].drop(while: \.isWhitespace)) } ?? ""
}
