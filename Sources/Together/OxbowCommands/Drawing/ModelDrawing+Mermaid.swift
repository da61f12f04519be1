internal import OxbowDocuments

extension ModelDrawing {
  /// The drawing as a Mermaid class diagram, the one of its diagrams that has inheritance.
  var mermaid: String {
    let ids = Dictionary(uniqueKeysWithValues: zip(boxes.map(\.name), boxes.indices))
    let lines = edges.compactMap { edge -> String? in
      guard let from = ids[edge.from], let to = ids[edge.to] else { return nil }
      return "  n\(from) \(edge.mermaid("n\(to)"))"
    }
    let styles = boxes.enumerated().compactMap { number, box in
      box.mark.map { "  style n\(number) stroke:\($0.color)" }
    }
    return
      (["classDiagram", "  direction LR"] + boxes.enumerated().flatMap { $1.mermaid("n\($0)") }
      + lines + styles).joined(separator: "\n")
  }
}

extension ModelDrawing.Box {
  fileprivate func mermaid(_ id: String) -> [String] {
    let members =
      (isAbstract ? ["<<abstract>>"] : []) + lines.map { $0.mark.prefix + $0.text.member }
    let head = "  class \(id)[\"\(mermaidText(mark.prefix + name))\"]"
    return members.isEmpty ? [head] : ["\(head) {"] + members.map { "    \($0)" } + ["  }"]
  }
}

extension ModelDrawing.Edge {
  fileprivate func mermaid(_ target: String) -> String {
    switch role {
    case .inheritance: "--|> \(target)"
    case .relationship(let label, let start?, let end):
      "\"\(start.rawValue)\" -- \"\(end.rawValue)\" \(target) : \(mark.prefix + label.member)"
    case .relationship(let label, nil, let end):
      "..> \"\(end.rawValue)\" \(target) : \(mark.prefix + label.member)"
    }
  }
}

extension ModelDrawing.Mark? {
  /// Lines of such a diagram have no colours of their own.
  fileprivate var prefix: String {
    switch self {
    case .added: "+ "
    case .changed: "± "
    case .removed: "− "
    case nil: ""
    }
  }
}

extension String {
  /// A text outside of quotation marks: what would begin a block, a generic type or a method there
  /// is written in another way.
  fileprivate var member: String {
    escaping(mermaidText(self)) { scalar in
      switch scalar {
      case "{": "#123;"
      case "}": "#125;"
      case "~": "#126;"
      case "(": "‹"
      case ")": "›"
      default: nil
      }
    }
  }
}
