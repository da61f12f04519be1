internal import ArgumentParser
internal import OxbowModel

struct ModelGraphCommand: ToolCommand {
  static let words = "model graph"
  static let configuration = help(
    abstract: "Draws the entities of a model and their relationships.",
    discussion: """
      The model is that of the documents given, of a store or of a folder of migrations, or of the \
      program's classes when no path is given. Abstract entities are in italics; a crow's foot is \
      an end with many objects, a circle one that may be empty; a dashed line leads one way only. \
      SVG is drawn by Graphviz ('dot'), which has to be installed; GitHub and many editors draw \
      Mermaid by themselves.
      """)

  @Argument(
    help: "Model documents, which are merged, a store's file or a folder of migrations.",
    completion: .file())
  var paths: [String] = []
  @Option(help: "The language of the drawing.")
  var format = DrawingFormat.mermaid
  @Option(name: .long, help: "The entities to draw, separated by commas; by default, all.")
  var only = ""
  @Flag(name: .customLong("no-attributes"), help: "Draw the entities without their attributes.")
  var leavesOutAttributes = false
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> ModelGraphResult {
    let names = only.split { $0 == "," || $0.isWhitespace }.map(String.init)
    let drawing = try ModelDrawing(
      model(), only: Set(names), showsAttributes: !leavesOutAttributes)
    return ModelGraphResult(format: format, text: try drawing.text(format))
  }

  private func model() throws(PersistenceError) -> ManagedObjectModel {
    let model: ManagedObjectModel
    switch paths.count {
    case 0: model = try ModelSource.ofClasses()
    case 1: model = try ModelSource.model(at: paths[0])
    default: model = try ManagedObjectModel(contentsOf: paths)
    }
    try model.validate()
    return model
  }
}

struct ModelGraphResult: ToolResult {
  let format: DrawingFormat
  let text: String

  var lines: [String] { [text] }
}
