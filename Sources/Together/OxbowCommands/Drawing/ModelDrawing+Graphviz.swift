internal import OxbowDocuments

extension ModelDrawing {
  /// The drawing in Graphviz' language.
  ///
  /// The feet of a line say how many there are at that end: a crow's foot many, a circle that there
  /// may be none. Where nothing leads back, the line is dashed.
  var dot: String {
    let head = [
      "digraph model {", "  rankdir=LR;", "  node [shape=plain, fontname=\"sans-serif\"];",
      "  edge [fontname=\"sans-serif\", fontsize=10];",
    ]
    return (head + boxes.map { "  \($0.dot);" } + edges.map { "  \($0.dot);" } + ["}"])
      .joined(separator: "\n")
  }
}

extension ModelDrawing.Box {
  fileprivate var dot: String {
    let title = isAbstract ? "<i>\(graphvizHTML(name))</i>" : "<b>\(graphvizHTML(name))</b>"
    let body = lines.map { "<tr><td align=\"left\">\(font($0.text, $0.mark))</td></tr>" }.joined()
    return "\(graphvizText(name)) [label=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" "
      + "cellpadding=\"3\"\(color)><tr><td border=\"1\" sides=\"b\">\(title)</td></tr>\(body)"
      + "</table>>]"
  }

  private var color: String { mark.map { " color=\"\($0.color)\"" } ?? "" }

  private func font(_ text: String, _ mark: ModelDrawing.Mark?) -> String {
    guard let mark = mark ?? self.mark else { return graphvizHTML(text) }
    return "<font color=\"\(mark.color)\">\(graphvizHTML(text))</font>"
  }
}

extension ModelDrawing.Edge {
  fileprivate var dot: String {
    let color = mark.map { ["color=\"\($0.color)\"", "fontcolor=\"\($0.color)\""] } ?? []
    return "\(graphvizText(from)) -> \(graphvizText(to)) "
      + "[\((attributes + color).joined(separator: ", "))]"
  }

  private var attributes: [String] {
    switch role {
    case .inheritance: ["arrowhead=empty"]
    case .relationship(let label, let start?, let end):
      [
        "label=\(graphvizText(label))", "dir=both", "arrowtail=\(start.foot)",
        "arrowhead=\(end.foot)",
      ]
    case .relationship(let label, nil, let end):
      ["label=\(graphvizText(label))", "style=dashed", "arrowhead=\(end.foot)"]
    }
  }
}

extension ModelDrawing.Count {
  fileprivate var foot: String {
    switch self {
    case .optional: "teeodot"
    case .one: "teetee"
    case .many: "crowodot"
    case .several: "crowtee"
    }
  }
}

extension ModelDrawing.Mark {
  /// Colours that differ in brightness too.
  var color: String {
    switch self {
    case .added: "#1a7f37"
    case .changed: "#b35900"
    case .removed: "#cf222e"
    }
  }
}
