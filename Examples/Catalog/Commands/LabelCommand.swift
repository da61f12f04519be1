import ArgumentParser

/// `catalog label`.
struct LabelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label", abstract: "Puts labels on files, takes them off and lists them.",
    subcommands: [Add.self, Remove.self, List.self])

  /// `catalog label add`.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Puts a label on the files whose names match a pattern.")

    @Argument(help: "The label.")
    var name: String

    @Argument(help: "A pattern for file names: '*' matches any text.")
    var pattern: String

    @OptionGroup var store: StoreOption

    func run() throws {
      try store.run {
        try store.withCatalog(mustExist: true) { catalog in
          let result = try catalog.labels.add(name, to: NamePattern(pattern))
          print("\(name): \(result.files.of("file")), \(result.new) of them new")
        }
      }
    }
  }

  /// `catalog label remove`.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Takes a label off the files whose names match a pattern.")

    @Argument(help: "The label.")
    var name: String

    @Argument(help: "A pattern for file names: '*' matches any text.")
    var pattern = "*"

    @OptionGroup var store: StoreOption

    func run() throws {
      try store.run {
        try store.withCatalog(mustExist: true) { catalog in
          let count = try catalog.labels.remove(name, from: NamePattern(pattern))
          print("\(name): taken off \(count.of("file"))")
        }
      }
    }
  }

  /// `catalog label list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the labels, or the files of one.")

    @Argument(help: "The label whose files are listed.")
    var name: String?

    @OptionGroup var store: StoreOption

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      try store.run {
        try store.withCatalog(mustExist: true) { catalog in
          if let name {
            let paths = try catalog.labels.paths(name)
            print(json ? try JSONText.of(paths) : paths.joined(separator: "\n"))
          } else {
            let labels = try catalog.statistics.labels()
            let lines = labels.map { "\($0.label): \($0.files.of("file"))" }
            print(json ? try JSONText.of(labels) : lines.joined(separator: "\n"))
          }
        }
      }
    }
  }
}
