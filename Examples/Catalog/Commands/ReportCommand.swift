import ArgumentParser

/// `catalog report`.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Says what a store knows of its files.")

  @OptionGroup var store: StoreOption

  @Option(help: "How many lines each part has at most.")
  var limit = 10

  @Flag(help: "Print the report as JSON.")
  var json = false

  func validate() throws {
    guard (1...1000).contains(limit) else {
      throw ValidationError("--limit takes a number from 1 to 1000, not \(limit).")
    }
  }

  func run() throws {
    try store.run {
      try store.withCatalog(mustExist: true) { catalog in
        let report = try Report(catalog.statistics, limit: limit)
        print(json ? try JSONText.of(report) : report.text)
      }
    }
  }
}
