internal import ArgumentParser
internal import OxbowSQLite

/// The command `oxbowctl store info FILE`.
struct StoreInfoCommand: ToolCommand {
  static let words = "store info"

  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describes a store: model, entities, rows, layout, journal, SQLite. Writes nothing.")

  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreInfoResult {
    StoreInfoResult(try StoreInspection(path: file), path: file)
  }
}
