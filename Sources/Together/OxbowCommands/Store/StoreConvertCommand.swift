internal import ArgumentParser
internal import OxbowModel
internal import OxbowSQLite

struct StoreConvertCommand: ToolCommand {
  static let words = "store convert"
  static let configuration = help(
    abstract: "Writes the objects of a store of Core Data into a new store of Oxbow, or back.",
    discussion: """
      The new store has the identifier, keys, versions, values, links and orders of the old one, so \
      'store export' writes the same lines for both. No file is left beside the old store, and its \
      history is not converted.

      A store of Oxbow keeps the model, and has large values in a folder beside it whose name ends \
      with -files. With '--layout coreData' the new store is one of Core Data: large values are in \
      the hidden folder .NAME_SUPPORT beside it. Its version hashes are those of the store of Core \
      Data that the objects came from, if the model is still the same; otherwise they are computed \
      from the model, which is best given with --model: the app's own document says more than a \
      store of Oxbow keeps.

      Anything that the new store cannot keep is counted and named, and nothing is written then \
      without --allow-loss: decimals that are not a number, links to missing rows or to rows of \
      another entity, values whose file is missing, null where the model needs a value and has a \
      default, rows whose entity is not in the model or that have no version, and lists and \
      dictionaries in the app's metadata; in a store of Core Data also decimals of more than 15 \
      digits, versions of more than 31 bits, and a second owner where a to-many relationship has no \
      inverse. The new store appears whole or not at all. Whether Apple's framework accepts a store \
      of Core Data that was made so was not tried.
      """)

  @Argument(help: "The store.", completion: .file())
  var file: String
  @Argument(help: "The path of the new store; nothing may exist there.", completion: .file())
  var destination: String
  @Option(
    name: .long,
    help: "The layout of the new store: plain, which is Oxbow's own, or coreData.")
  var layout = LayoutName.plain
  @Option(
    name: .long,
    help: "A model of the app: .xcdatamodeld, .momd, a version, or, back, a store of the app.",
    completion: .file())
  var model: String?
  @Flag(name: .customLong("allow-loss"), help: "Leave out what the new store cannot keep.")
  var allowsLoss = false
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreConvertResult {
    Interruption.watch()
    var pace = PartPace(console)
    let result = try CoreDataConversion(of: file, to: layout.layout, model: model)
      .write(to: destination, allowsLoss: allowsLoss) { part, done, count in
        pace.follow(part, done, of: count, "rows")
        return !Interruption.isRequested
      }
    return StoreConvertResult(file, destination, result)
  }
}

struct StoreConvertResult: ToolResult {
  struct Loss: Encodable {
    let kind: String
    let subject: String
    let count: Int
    let places: [String]
  }

  let store: String
  let copy: String
  let objects: Int
  let links: Int
  let files: Int
  let historySaves: Int?
  let isMirrored: Bool
  let losses: [Loss]
  let notes: [String]
  private let lossLines: [String]

  enum CodingKeys: CodingKey {
    case store, copy, objects, links, files, historySaves, isMirrored, losses, notes
  }

  init(_ store: String, _ copy: String, _ result: CoreDataConversion.Summary) {
    (self.store, self.copy) = (store, copy)
    (objects, links, files) = (result.objects, result.links, result.files)
    (historySaves, isMirrored) = (result.historySaves, result.isMirrored)
    losses = result.losses.all.map {
      Loss(kind: "\($0.kind)", subject: $0.subject, count: $0.count, places: $0.places)
    }
    notes = result.notes
    lossLines = result.losses.all.map { "\($0.kind.isNote ? "note" : "lost"): \($0)" }
  }

  var lines: [String] {
    let linked = links > 0 ? ", \(counted(links, "row")) of links" : ""
    let filed = files > 0 ? ", \(counted(files, "file"))" : ""
    let kept = historySaves.map {
      ["the history, of \(counted($0, "save")), stays in '\(store)'"]
    }
    return ["converted '\(store)' to '\(copy)': \(counted(objects, "object"))\(linked)\(filed)"]
      + lossLines + notes.map { "note: \($0)" } + (kept ?? [])
      + (isMirrored ? ["the new store is not mirrored to CloudKit"] : [])
  }
}
