internal import ArgumentParser
internal import OxbowModel
internal import OxbowSQLite

struct StoreCreateCommand: ToolCommand {
  static let words = "store create"
  static let configuration = help(
    abstract: "Makes an empty store.",
    discussion: """
      With '--layout coreData' it is a store as Core Data makes it for an app: tables, indexes, \
      entity numbers and version hashes. Hashes are computed from the model, but for entities with \
      derived attributes; give the model as Xcode compiled it (.momd), or a store of the app. What \
      is not known of that layout is refused by name: composite attributes, to-many relationships \
      that are their own inverses, derived attributes other than counts, indexes of boxes. Whether \
      Apple's framework accepts such a store was not tried.
      """)

  @Argument(help: "Where the store goes; there must be nothing.", completion: .file())
  var file: String
  @Option(
    name: .long,
    help: "The model: .xcdatamodeld, .momd, a version, or a store that keeps it.",
    completion: .file())
  var model: String
  @Option(name: .long, help: "The layout: plain, which is Oxbow's own, or coreData.")
  var layout = LayoutName.plain
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreCreateResult {
    switch layout {
    case .plain:
      try NewStore.make(file, ModelSource.model(at: model))
      return StoreCreateResult(store: file, notes: [])
    case .coreData:
      let model = try CoreDataModel(at: model)
      let notes = try NewStore.makeForCoreData(
        file, model: model.document.model, version: model.version)
      return StoreCreateResult(store: file, notes: notes)
    }
  }
}

struct StoreCreateResult: ToolResult {
  let store: String
  let notes: [String]

  var lines: [String] { ["created '\(store)'"] + notes.map { "note: \($0)" } }
}

/// A layout, as it is said on the command line.
enum LayoutName: String, ExpressibleByArgument, CaseIterable {
  case plain, coreData

  var layout: StoreLayout { self == .plain ? .plain : .coreData }
}
