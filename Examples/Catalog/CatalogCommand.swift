import ArgumentParser

/// The catalog: an example of Oxbow on real input.
@main struct CatalogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog",
    abstract: "Keeps a catalog of directory trees in a store.",
    discussion: """
      Examples:
        catalog index /usr/share --workers 8
        catalog report
        catalog label add manuals '*.1.gz'
      """,
    subcommands: [IndexCommand.self, ReportCommand.self, LabelCommand.self, OldIndexCommand.self])
}
