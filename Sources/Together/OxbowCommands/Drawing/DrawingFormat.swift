internal import ArgumentParser

/// The language of a drawing.
enum DrawingFormat: String, ExpressibleByArgument, CaseIterable, Encodable {
  case mermaid, dot
  /// What Graphviz makes of `dot`.
  case svg

  /// The drawing; of the two languages, only the one that is needed is written.
  func text(
    mermaid: @autoclosure () -> String, dot: @autoclosure () -> String
  ) throws -> String {
    switch self {
    case .mermaid: mermaid()
    case .dot: dot()
    case .svg: try Graphviz.svg(dot())
    }
  }
}
