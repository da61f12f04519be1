internal import OxbowDocuments

// MARK: - Graphviz

extension ContainerGraph {
  /// The graph in Graphviz' language.
  ///
  /// Shared objects are boxes, prototypes have round corners, objects of a thread or task are
  /// hexagons, proxies have double borders; what is only a parent is dashed, what is missing is
  /// red. Bold arrows are needed to construct, plain ones are set afterwards, dotted ones come
  /// late.
  public var dot: String {
    var lines = ["digraph container {", "  rankdir=LR;", "  node [shape=box];"]
    var seen: Set<String> = []
    for definition in definitions where seen.insert(definition.name).inserted {
      lines.append("  \(graphvizText(definition.name)) [\(definition.dotAttributes)];")
    }
    for name in missingNames {
      lines.append(
        "  \(graphvizText(name)) [label=\(graphvizText(name, "missing")), style=dashed, color=red];"
      )
    }
    for definition in definitions {
      for need in definition.needs {
        lines.append(
          "  \(graphvizText(definition.name)) -> \(graphvizText(need.target)) "
            + "[label=\(graphvizText(need.label)), style=\(need.how.dotStyle)];")
      }
      if let parent = definition.parent {
        lines.append(
          "  \(graphvizText(definition.name)) -> \(graphvizText(parent)) "
            + "[label=\"parent\", arrowhead=empty];")
      }
    }
    return (lines + ["}"]).joined(separator: "\n")
  }
}

extension DefinitionSummary {
  /// What a drawing says inside of the object's shape.
  var shownLines: [String] {
    let marks = [isLazy ? "lazy" : nil, isEager ? "eager" : nil, isAbstract ? "abstract" : nil]
    return [name, shownType, ([scope] + marks.compactMap(\.self)).joined(separator: ", ")]
      .compactMap(\.self)
  }

  fileprivate var dotAttributes: String {
    var attributes = ["label=\(graphvizText(shownLines))"]
    if sharing == .confined { attributes.append("shape=hexagon") }
    let styles = [sharing == .fresh ? "rounded" : nil, isAbstract ? "dashed" : nil]
      .compactMap(\.self)
    if !styles.isEmpty { attributes.append("style=\"\(styles.joined(separator: ","))\"") }
    if isProxy { attributes.append("peripheries=2") }
    return attributes.joined(separator: ", ")
  }
}

extension DefinitionSummary.Need {
  /// What a drawing says at the arrow: the role without its noun, and how, where that is not drawn.
  var label: String {
    let point =
      role == "proxy"
      ? "" : role.replacing("initializer argument ", with: "").replacing("property ", with: "")
    let isNamed = how.isLate && !how.isProxy
    let parts = [point.filter { $0 != "\"" }, isNamed || point.isEmpty ? how.description : ""]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension DefinitionSummary.How {
  fileprivate var dotStyle: String {
    switch self {
    case .constructor: "bold"
    case .property: "solid"
    default: "dotted"
    }
  }
}

// MARK: - Mermaid

extension ContainerGraph {
  /// The graph as a Mermaid flowchart.
  ///
  /// Shared objects are boxes, prototypes have round ends, objects of a thread or task are
  /// hexagons, proxies have double sides; what is only a parent is dashed, what is missing is red.
  /// Thick arrows are needed to construct, thin ones are set afterwards, dotted ones come late.
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
