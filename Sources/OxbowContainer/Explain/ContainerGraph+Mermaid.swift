extension ContainerGraph {
  /// The graph as a Mermaid flowchart.
  ///
  /// Shared objects are boxes, prototypes have round ends, objects of a thread or task are hexagons,
  /// proxies have double sides; what is only a parent is dashed, what is missing is red. Thick arrows
  /// are needed to construct, thin ones are set afterwards, dotted ones come late.
  public var mermaid: String {
    var lines = ["flowchart LR"]
    var ids: [String: String] = [:]
    for (number, definition) in definitions.enumerated() where ids[definition.name] == nil {
      ids[definition.name] = "n\(number)"
      lines.append("  n\(number)\(definition.mermaidShape)\(definition.mermaidClass)")
    }
    for (number, name) in missingNames.enumerated() {
      ids[name] = "m\(number)"
      lines.append("  m\(number)[\"\(mermaidText(name))<br/>missing\"]:::missing")
    }
    for definition in definitions {
      guard let from = ids[definition.name] else { continue }
      for need in definition.needs {
        guard let to = ids[need.target] else { continue }
        lines.append("  \(from) \(need.how.mermaidArrow)|\"\(mermaidText(need.label))\"| \(to)")
      }
      if let parent = definition.parent.flatMap({ ids[$0] }) {
        lines.append("  \(from) --o|\"parent\"| \(parent)")
      }
    }
    lines.append("  classDef abstract stroke-dasharray: 4 4")
    lines.append("  classDef missing stroke:#c00,color:#c00,stroke-dasharray: 4 4")
    return lines.joined(separator: "\n")
  }
}

extension DefinitionSummary {
  fileprivate var mermaidShape: String {
    let lines = shownLines.map(mermaidText).joined(separator: "<br/>")
    if isProxy { return "[[\"\(lines)\"]]" }
    return switch sharing {
    case .fresh: "([\"\(lines)\"])"
    case .confined: "{{\"\(lines)\"}}"
    case .shared, nil: "[\"\(lines)\"]"
    }
  }

  fileprivate var mermaidClass: String { isAbstract ? ":::abstract" : "" }
}

extension DefinitionSummary.How {
  fileprivate var mermaidArrow: String {
    switch self {
    case .constructor: "==>"
    case .property: "-->"
    default: "-.->"
    }
  }
}

/// A text between quotation marks in a Mermaid diagram; it knows no backslash, only entities.
private func mermaidText(_ text: String) -> String {
  text.reduce(into: "") { result, character in
    switch character {
    case "\"": result += "#quot;"
    case "#": result += "#35;"
    case "&": result += "#amp;"
    case "<": result += "#lt;"
    case ">": result += "#gt;"
    case "`": result += "#96;"
    case "\\": result += "#92;"
    default: result += character.isNewline ? " " : String(character)
    }
  }
}
