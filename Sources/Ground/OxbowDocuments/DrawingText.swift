// Names in the languages of programs that draw: each has other characters that mean something.

/// A quoted text of Graphviz; several lines are centred below each other.
package func graphvizText(_ lines: String...) -> String { graphvizText(lines) }

/// A quoted text of Graphviz, line by line.
package func graphvizText(_ lines: [String]) -> String {
  let escaped = lines.map { line in
    escaping(line) { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      default: nil
      }
    }
  }
  return "\"\(escaped.joined(separator: "\\n"))\""
}

/// A text in one of Graphviz' labels that are written as HTML.
package func graphvizHTML(_ text: String) -> String {
  escaping(text) { scalar in
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    default: nil
    }
  }
}

/// A text between quotation marks in a Mermaid diagram; it knows no backslash, only entities.
package func mermaidText(_ text: String) -> String {
  escaping(text) { scalar in
    switch scalar {
    case "\"": "#quot;"
    case "#": "#35;"
    case "&": "#amp;"
    case "<": "#lt;"
    case ">": "#gt;"
    case "`": "#96;"
    case "\\": "#92;"
    default: nil
    }
  }
}

/// A text with other texts for what means something; line breaks are blanks.
///
/// Scalar by scalar: a mark and an accent behind it are one character of Swift's only.
package func escaping(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
  text.unicodeScalars.reduce(into: "") { result, scalar in
    result += escape(scalar) ?? (Character(scalar).isNewline ? " " : String(scalar))
  }
}
