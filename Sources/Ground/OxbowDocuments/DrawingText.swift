// Names in the languages of programs that draw: each has other characters that mean something.

/// A quoted text of Graphviz; several lines are centred below each other.
package func graphvizText(_ lines: String...) -> String { graphvizText(lines) }

/// A quoted text of Graphviz, line by line.
package func graphvizText(_ lines: [String]) -> String {
  let escaped = lines.map { line in
    escaping(line) { character in
      switch character {
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
  escaping(text) { character in
    switch character {
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
  escaping(text) { character in
    switch character {
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

private func escaping(_ text: String, _ escape: (Character) -> String?) -> String {
  text.reduce(into: "") { result, character in
    result += escape(character) ?? (character.isNewline ? " " : String(character))
  }
}
