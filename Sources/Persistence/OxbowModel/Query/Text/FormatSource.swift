/// A format text, and errors that show a place of it.
struct FormatSource {
  let scalars: [Unicode.Scalar]

  /// What the text is, for messages.
  let subject: String

  init(_ text: String, subject: String = "condition") {
    scalars = Array(text.unicodeScalars)
    self.subject = subject
  }

  func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  /// An error about a part of the text, with the line and a mark below the part.
  func error(
    _ problem: String, at range: Range<Int>, nearNames: [String] = []
  ) -> PersistenceError {
    let start = (scalars[..<range.lowerBound].lastIndex(of: "\n") ?? -1) + 1
    let end = scalars[range.lowerBound...].firstIndex(of: "\n") ?? scalars.count
    let before = text(start..<range.lowerBound)
    let marked = text(range.lowerBound..<max(range.lowerBound, min(range.upperBound, end)))
    let line = scalars[..<range.lowerBound].count { $0 == "\n" } + 1
    let place = (line > 1 ? "line \(line), " : "") + "column \(before.count + 1)"
    let label = "text"
    let margin = String(repeating: " ", count: label.count + 4)
    let indent = String(before.map { $0 == "\t" ? "\t" : " " })
    let mark = String(repeating: "^", count: max(1, marked.count))
    return PersistenceError(
      .invalidPredicate, "the \(subject) cannot be read at \(place): \(problem)",
      nearNames: nearNames,
      details: [.init(label: label, text: text(start..<end) + "\n" + margin + indent + mark)])
  }
}

struct FormatToken {
  enum Kind: Hashable {
    /// A name or a keyword.
    case name(String)
    /// A name after `#`, which is not a keyword.
    case escapedName(String)
    /// A name after `$`.
    case variable(String)
    /// A name after `@`.
    case keyOperator(String)
    /// A placeholder: what follows the `%`.
    case placeholder(String)
    case number(String)
    case text(String)
    case symbol(String)
    case end
  }

  let kind: Kind
  let range: Range<Int>

  func found(in source: FormatSource) -> String {
    switch kind {
    case .end: "the end"
    case .text: "the text \(source.text(range))"
    default: "'\(source.text(range))'"
    }
  }
}
