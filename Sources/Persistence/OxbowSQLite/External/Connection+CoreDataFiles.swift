internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

// A value is written into a file and flushed, then the transaction commits, then the files of
// former values are removed. So a program that ends in between leaves a file too many, and never a
// value without its file.

extension Connection {
  /// Removes the files whose cells no row has, now that their transaction has ended.
  ///
  /// Where a commit may still be lost with the power, former values stay for a sweep.
  func settleCoreDataFiles() throws {
    guard !coreDataFiles.isEmpty else { return }
    let files = coreDataFiles
    coreDataFiles = []
    let folder = CoreDataFolder(ofStore: path)
    // A copy of this store may refer to a former value by the same name.
    let keepsFormer =
      synchronous < .full
      || files.contains(where: \.isFormer)
        && CoreDataFolder.otherStore(sharing: path) != nil
    if !keepsFormer, files.contains(where: \.isFormer) { System.synchronizeFolder(of: path) }
    for file in files where !file.isFormer || !keepsFormer {
      guard try integer(file.hasCell, file.values) == nil else { continue }
      System.remove("\(folder.path)/\(file.name)")
    }
  }

  /// Removes the files that no cell refers to, of programs that have ended before their commit.
  ///
  /// All cells of the file that may have bytes are asked, not only those of the model: a model may
  /// know fewer entities, or not say that an attribute allows files. A new file may be of a save
  /// that is under way in another program.
  func sweepCoreDataFiles() throws {
    let folder = CoreDataFolder(ofStore: path)
    let limit = Int(Date().timeIntervalSince1970) - Self.sweptAfter
    let old = System.names(in: folder.path).filter { name in
      TaggedCell.isFileName(name)
        && System.stamp("\(folder.path)/\(name)").map { $0.seconds < limit } == true
    }
    // What another store refers to is not known here.
    guard !old.isEmpty, CoreDataFolder.otherStore(sharing: path) == nil else { return }
    // Mostly, all are referred to, and no other program waits while the cells are asked.
    let seen = try transaction(.read) { try coreDataFileNames }
    guard old.contains(where: { !seen.contains($0) }) else { return }
    let used = try transaction(.write) { try coreDataFileNames }
    let unused = old.filter { !used.contains($0) }
    guard try !unused.isEmpty && commitsAreDurable() else { return }
    for name in unused { System.remove("\(folder.path)/\(name)") }
  }

  /// Whether what is committed survives a loss of power, whichever program has committed it.
  ///
  /// A checkpoint flushes the log before it copies it. Without a log, the name of the journal
  /// that a commit has removed has to be gone for good, or it would undo the commit.
  private func commitsAreDurable() throws -> Bool {
    guard synchronous > .off else { return false }
    let result = try checkpoint(.passive)
    System.synchronizeFolder(of: path)
    return !result.isBlocked && result.copiedPages == result.logPages
  }

  /// The age of a file in seconds from which on no save of it is under way.
  private static let sweptAfter = 3600

  /// The names of the files that cells refer to.
  var coreDataFileNames: Set<String> {
    get throws {
      let generator = CoreDataGenerator(dialect)
      var names: Set<String> = []
      for table in try tableColumns() {
        for column in table.columns where column.type == .blob || column.type == .any {
          names.formUnion(try coreDataFileNames(generator.files(in: table.name, column.name)))
        }
      }
      return names
    }
  }

  private func coreDataFileNames(_ cells: String) throws -> [String] {
    try rows(cells).compactMap { row in
      if case .blob(let cell) = row[0] { TaggedCell.name(in: cell) } else { nil }
    }
  }
}
