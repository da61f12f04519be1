internal import ArgumentParser
internal import OxbowMigration
internal import OxbowModel
internal import OxbowRelational
internal import OxbowSQLite

struct MigrateBaselineCommand: ToolCommand {
  static let words = "migrate baseline"
  static let configuration = help(
    abstract: "Notes in a store without a history that steps count as done.",
    discussion: """
      A store's model says by itself which steps it has had. This is for scripts that leave the model \
      as it is and whose work the store has already: without it they are pending. The store must \
      have the model that the steps lead to, and its tables.

      A database that another tool made becomes a store when its tables are those of the model that \
      the steps lead to: its rows stay as they are, and the names of the migrations that GRDB has \
      applied (grdb_migrations) are noted in the store's history. --show only tells what is there.

      Tables of another form are written anew with --convert, all in one transaction, for the model \
      of the folder or of --model. Names decide what becomes what: a table is the entity of its name, \
      a column the attribute of its name; case and '_' do not count, and a renaming identifier is a \
      name too. A column 'author_id' or 'authorId' is the to-one relationship 'author', and a table \
      of two foreign keys has the links of the relationship of many to many between them. Keys stay \
      (INTEGER PRIMARY KEY, otherwise the number of the row). --map says what names do not. Values \
      become those of the attribute's type, or the command refuses with their number; what has no \
      place in the model goes only with --allow-loss. '\(ToolName.current) model export' writes a \
      model to begin with.
      """)

  @OptionGroup var options: MigrationOptions
  @Option(name: .customLong("up-to"), help: "The number of the last step that counts as done.")
  var last: Int?
  @Flag(name: .customLong("show"), help: "Only tell what a database of another tool has.")
  var onlyShows = false
  @Flag(name: .customLong("convert"), help: "Write the tables of another tool anew.")
  var converts = false
  @Option(
    name: .customLong("map"),
    help: """
      Where a table or column goes: TABLE=Entity, TABLE.COLUMN=Entity.property, \
      TABLE=Entity.relationship for links, TABLE.COLUMN=- for nowhere; as often as needed.
      """)
  var map: [String] = []
  @Option(
    name: .customLong("dates"),
    help:
      "What a number means as a date: unix, milliseconds, reference (seconds since 2001), julian.")
  var dates: NumericDates?
  @Flag(name: .customLong("allow-loss"), help: "Let go what has no place in the model.")
  var allowsLoss = false
  @Flag(name: .customLong("dry-run"), help: "Only tell how --convert would do it.")
  var isDry = false
  @Flag(name: .customLong("ignore-space"), help: "Do not look for room on the disk.")
  var ignoresSpace = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    try options.requireStore()
    if converts {
      try options.requireSteps()
    } else if options.migrations == nil, !onlyShows {
      throw ValidationError("Give --migrations DIR, or --show.")
    } else if !map.isEmpty || dates != nil || allowsLoss || isDry || ignoresSpace {
      throw ValidationError(
        "--map, --dates, --allow-loss, --dry-run and --ignore-space are for --convert.")
    }
    if converts, onlyShows { throw ValidationError("Give --show or --convert, not both.") }
  }

  func result(_ console: Console) throws -> MigrateBaselineResult {
    if options.server == nil, let database = try ForeignDatabase.at(options.store) {
      if converts { return try convert(database, console) }
      return try result(database, console)
    }
    if onlyShows || converts {
      _ = try options.migratorOfStore()
      return MigrateBaselineResult(store: options.shown, onlyShows: true, dryRun: isDry)
    }
    let name = try change.backingUp(
      options.store, options.migratorOfStore(change), console
    ) { try $0.baseline(upTo: last) }
    return MigrateBaselineResult(store: options.shown, last: name)
  }

  private func result(
    _ database: ForeignDatabase, _ console: Console
  ) throws -> MigrateBaselineResult {
    var result = MigrateBaselineResult(store: options.shown, onlyShows: onlyShows)
    result.imported = .init(database)
    guard !onlyShows else { return result }
    result.imported?.lines.forEach { console.note($0) }
    result.last = try change.backingUp(options.store, options.migrator(change), console) {
      try $0.adopt(upTo: last, history: database.migrations, of: database.tool ?? "SQL")
    }
    return result
  }
}

extension NumericDates: ExpressibleByArgument {}

// MARK: - Conversion

extension MigrateBaselineCommand {
  private func convert(
    _ database: ForeignDatabase, _ console: Console
  ) throws -> MigrateBaselineResult {
    var result = MigrateBaselineResult(store: options.shown)
    result.imported = .init(database)
    let migrator = try options.migrator(change)
    let reading = ForeignOptions(
      map: try ForeignMap(map), dates: dates ?? .unix, allowsLoss: allowsLoss, last: last)
    func show(_ plan: ForeignPlan) { result.imported?.plan = plan }
    func tell() { result.imported?.lines.forEach { console.note($0) } }
    do {
      if isDry {
        try migrator.planConversion(reading, show: show)
        result.dryRun = true
        result.next = command()
        return result
      }
      // Planned first: room is looked for when it can be done at all.
      try migrator.planConversion(reading) { plan in
        show(plan)
        tell()
      }
    } catch {
      if isDry { tell() }
      throw error
    }
    // What is refused needs no room.
    if !ignoresSpace, allowsLoss || result.imported?.plan?.losses.isEmpty != false {
      try requireRoom()
    }
    Interruption.watch()
    var pace = PartPace(console)
    result.last = try change.backingUp(options.store, migrator, console) { migrator in
      try migrator.convert(
        reading, history: database.migrations, of: database.tool ?? "SQL",
        progress: { progress in
          if case .rows(let table, let rows, let count) = progress {
            pace.follow(table, rows, of: count, "rows")
          }
        })
    }
    result.converted = true
    return result
  }

  private func requireRoom() throws {
    try RoomOnDisk(rewriting: StoreSpace(path: options.store)).require(for: options.store)
  }

  /// The command that does what the dry run described.
  private func command() -> String {
    options.command("baseline") + " --convert" + map.map { " --map \($0.shellWord)" }.joined()
      + (dates.map { " --dates \($0.rawValue)" } ?? "") + (last.map { " --up-to \($0)" } ?? "")
      + (allowsLoss ? " --allow-loss" : "")
  }
}
