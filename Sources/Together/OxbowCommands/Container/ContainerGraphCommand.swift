internal import ArgumentParser
internal import OxbowContainer

struct ContainerGraphCommand: ToolCommand {
  static let words = "container graph"
  static let configuration = help(
    abstract: "Draws the objects of wiring files and who needs whom.",
    discussion: """
      Thick arrows are needed to construct, thin ones are set afterwards, dotted ones come late; \
      prototypes have round ends, objects of a thread are hexagons, proxies have double borders, \
      what is missing is red. Runs no constructor. SVG is drawn by Graphviz ('dot'), which has to be \
      installed.
      """)

  @Option(help: "The language of the drawing.")
  var format = DrawingFormat.mermaid
  @OptionGroup var wiring: WiringFiles
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> ContainerGraphResult {
    let (graph, problems) = try wiring.graph()
    return try ContainerGraphResult(graph, format, problems: problems)
  }
}

struct ContainerGraphResult: ToolResult {
  let format: DrawingFormat
  let text: String
  let definitions: [DefinitionResult]
  let missing: [String]

  let hint: String?

  enum CodingKeys: CodingKey {
    case format, text, definitions, missing
  }

  init(_ graph: ContainerGraph, _ format: DrawingFormat, problems: Int) throws {
    self.format = format
    text = try format.text(mermaid: graph.mermaid, dot: graph.dot).printable
    definitions = graph.definitions.map(DefinitionResult.init)
    missing = graph.missingNames.map(\.printable)
    hint = WiringFiles.hint(problems)
  }

  var lines: [String] { [text] }
}
