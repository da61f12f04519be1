internal import ArgumentParser
internal import OxbowRuntime

struct StoreCopyCommand: ToolCommand {
  static let words = "store copy"
  static let configuration = help(
    abstract: "Copies a store from a file to a server, or back.",
    discussion: """
      Each of the two is a path or a URI: 'postgres://user@host/database?schema=name'. The copy has \
      the identifier, keys, versions, values, links and orders of the store, its model and the list \
      of its migrations, so 'store export' writes the same lines for both. It appears whole or not \
      at all, and a place where there is something is refused.

      The store may be in use: what is saved after the beginning is not in the copy. Its history of \
      saves stays with it, and so do tables that are not its own.

      Large values are beside a file and in the rows of a server. A server has neither search \
      indexes nor those of type RTree; a new file gets them. Of two files, 'store backup' copies one.
      """)

  @Argument(help: "The store: a file, or a URI of a server.", completion: .file())
  var store: String
  @Argument(
    help: "The place of the copy: a path where nothing exists, or a schema without tables.",
    completion: .file())
  var destination: String
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreCopyResult {
    Interruption.watch()
    var pace = PartPace(console)
    let summary = try StoreCopy(from: Self.place(store), to: Self.place(destination)).make { step in
      pace.follow(step.table, step.completedRows, of: step.totalRows, "rows")
      return !Interruption.isRequested
    }
    return StoreCopyResult(Self.shown(store), Self.shown(destination), summary)
  }

  private static func place(_ text: String) throws -> StoreCopy.Place {
    try ServerStore(text)?.place() ?? .file(text)
  }

  private static func shown(_ text: String) -> String { ServerStore(text)?.shown ?? text }
}

struct StoreCopyResult: ToolResult {
  let store: String
  let copy: String
  let objects: Int
  let links: Int
  let migrations: Int
  let files: Int
  let encodedTexts: Int
  let historySaves: Int?
  let searchIndexes: Int
  let boxIndexes: Int
  let otherTables: [String]

  init(_ store: String, _ copy: String, _ summary: StoreCopy.Summary) {
    (self.store, self.copy) = (store, copy)
    (objects, links, migrations) = (summary.objects, summary.links, summary.migrations)
    (files, encodedTexts) = (summary.files, summary.encodedTexts)
    historySaves = summary.historySaves
    (searchIndexes, boxIndexes) = (summary.searchIndexes, summary.boxIndexes)
    otherTables = summary.otherTables
  }

  var lines: [String] {
    let linked = links > 0 ? ", \(counted(links, "row")) of links" : ""
    let migrated = migrations > 0 ? ", \(counted(migrations, "migration"))" : ""
    return [
      "copied '\(store)' to '\(copy)': \(counted(objects, "object"))\(linked)\(migrated)"
    ] + changed + left
  }

  /// What has another form in the copy.
  private var changed: [String] {
    var lines: [String] = []
    if files > 0 {
      lines.append("\(counted(files, "value")): in files beside one store, in rows of the other")
    }
    if encodedTexts > 0 {
      lines.append(
        "\(counted(encodedTexts, "text")) with U+0000 to U+0003: other programs see them in Oxbow's "
          + "own form")
    }
    return lines
  }

  /// What the copy does not have.
  private var left: [String] {
    var lines: [String] = []
    if searchIndexes > 0 {
      lines.append("\(counted(searchIndexes, "search index", "search indexes")): a server has none")
    }
    if boxIndexes > 0 {
      lines.append("\(counted(boxIndexes, "RTree index", "RTree indexes")): a server has none")
    }
    if let historySaves {
      lines.append("the history, of \(counted(historySaves, "save")), stays in '\(store)'")
    }
    return lines + otherTables.map { "the table '\($0)', which is not the store's, stays there" }
  }
}
