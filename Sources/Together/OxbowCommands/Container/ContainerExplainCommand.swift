internal import ArgumentParser
internal import OxbowContainer

struct ContainerExplainCommand: ToolCommand {
  static let words = "container explain"
  static let configuration = help(
    abstract: "Says where an object comes from, what it needs and who needs it.",
    discussion: """
      Types are shown for classes of this program; of all others what the files say. Runs no \
      constructor.
      """)

  @Argument(help: "The name of the object.")
  var name: String
  @OptionGroup var wiring: WiringFiles
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> ContainerExplainResult {
    let (graph, problems) = try wiring.graph()
    return ContainerExplainResult(try graph.explain(name), problems: problems)
  }
}

struct ContainerExplainResult: ToolResult {
  let definition: DefinitionResult
  let neededBy: [DefinitionResult.Need]
  let heirs: [String]
  let way: [String]

  let lines: [String]
  let hint: String?

  enum CodingKeys: CodingKey {
    case definition, neededBy, heirs, way
  }

  init(_ explanation: Explanation, problems: Int) {
    definition = DefinitionResult(explanation.definition)
    neededBy = explanation.neededBy.map { .init($0.owner, $0) }
    heirs = explanation.heirs.map(\.printable)
    way = explanation.chain.map(\.printable)
    lines = [explanation.description]
    hint = WiringFiles.hint(problems)
  }
}
