internal import ArgumentParser
internal import OxbowSQLite

struct StoreBackupCommand: ToolCommand {
  static let words = "store backup"
  static let configuration = help(
    abstract: "Copies a store as it is at one moment.",
    discussion: """
      The store may be in use: with a write-ahead log, saves go on; with a rollback journal, they \
      wait. The copy is one file, and a folder beside it where large values are in files; it is \
      checked and on the medium before it has its name.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @Argument(help: "Where the copy goes.", completion: .file())
  var copy: String
  @Flag(name: .long, help: "Replace an older copy.")
  var overwrite = false
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreFileResult {
    try SQLiteStoreFile(file).backUp(to: copy, overwriting: overwrite)
    return StoreFileResult(store: file, lines: ["copied '\(file)' to '\(copy)'"], copy: copy)
  }
}

struct StoreRestoreCommand: ToolCommand {
  static let words = "store restore"
  static let configuration = help(
    abstract: "Makes a store what a backup is.",
    discussion: """
      The store must not be open anywhere. What was at its path is kept beside it, with \
      '.replaced' behind the name.
      """)

  @Argument(help: "The backup.", completion: .file())
  var copy: String
  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @Flag(name: .long, help: "Replace the store if there is one; it is kept under another name.")
  var replace = false
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreFileResult {
    let kept = try SQLiteStoreFile(file).restore(from: copy, replacing: replace)
    return StoreFileResult(
      store: file,
      lines: ["restored '\(file)' from '\(copy)'"]
        + (kept.map { ["kept what was there as '\($0)'"] } ?? []),
      copy: copy, kept: kept)
  }
}

struct StoreMoveCommand: ToolCommand {
  static let words = "store move"
  static let configuration = help(
    abstract: "Moves a store, with its large values, to another path.",
    discussion: """
      The store must not be open anywhere. It is copied and checked before it is removed where it \
      was, so the new path may be on another disk.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @Argument(help: "The new path; nothing may exist there.", completion: .file())
  var destination: String
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreFileResult {
    try SQLiteStoreFile(file).move(to: destination)
    return StoreFileResult(
      store: destination, lines: ["moved '\(file)' to '\(destination)'"])
  }
}

struct StoreCompactCommand: ToolCommand {
  static let words = "store compact"
  static let configuration = help(
    abstract: "Makes a store's file as small as it can be.",
    discussion: "Other programs' saves wait meanwhile. It needs space for two more copies.")

  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreFileResult {
    let (before, after) = try SQLiteStoreFile(file).compact()
    return StoreFileResult(
      store: file, lines: ["'\(file)' had \(before) bytes and has \(after)"],
      bytesBefore: before, bytesAfter: after)
  }
}

struct StoreCheckCommand: ToolCommand {
  static let words = "store check"
  static let configuration = help(
    abstract: "Looks for damage in a store. Writes nothing; exits with 2 for findings.")

  @Argument(help: "The store's file.", completion: .file())
  var file: String
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> StoreFileResult {
    let findings = try SQLiteStoreFile(file).check()
    return StoreFileResult(
      store: file, lines: findings.isEmpty ? ["'\(file)' is sound"] : findings, findings: findings)
  }
}

/// What was done to a store's file, or found in it.
struct StoreFileResult: ToolResult {
  let store: String
  let lines: [String]
  var copy: String?
  var kept: String?
  var bytesBefore: Int?
  var bytesAfter: Int?
  var findings: [String]?

  enum CodingKeys: CodingKey {
    case store, copy, kept, bytesBefore, bytesAfter, findings
  }

  var exitCode: Int32 { findings?.isEmpty == false ? 2 : 0 }

  var hint: String? {
    exitCode == 0
      ? nil : "stop writing to the store, keep a copy of all its files, and restore a backup"
  }
}
