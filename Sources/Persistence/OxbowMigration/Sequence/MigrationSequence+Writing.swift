internal import OxbowDocuments
internal import OxbowFoundation
public import OxbowModel
internal import OxbowRelational

extension MigrationSequence {
  /// A file that was written.
  public struct NewFile: Sendable {
    /// Its path.
    public let path: String

    /// What changes with it.
    public let difference: ModelDifference

    /// What may have been meant as a rename.
    public let hints: [RenameHints.Hint]

    /// What goes where a store has any: "values of 'File.kind'".
    public let losses: [String]
  }

  /// Writes the step from the folder's last model to `model` as the next file; `nil` when there is
  /// nothing to do.
  ///
  /// What goes with the step is refused when it is applied to a store that has any, unless
  /// `allowsLoss` records in the file that it may go.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationFile` when the name cannot be one,
  ///   `migrationRefused` when a change has no safe way.
  public func addModelStep(
    named name: String, to model: ManagedObjectModel, allowsLoss: Bool = false
  ) throws(PersistenceError) -> NewFile? {
    try Self.requireName(name)
    let hash = model.versionHash
    guard hash != lastModel else { return nil }
    let before = lastModel.flatMap { models[$0] }
    if let lastModel, before == nil {
      throw .migrationFile(
        "the model \(lastModel.prefix(12))… that the migrations in '\(folder)' lead to is in none "
          + "of the files, so the next step cannot be written")
    }
    // A model that cannot be compiled is refused here, also as the first.
    _ = try CompiledModel(model)
    let difference = ModelDifference(
      from: before ?? ManagedObjectModel(entities: []), to: model)
    let losses =
      try before.map { before throws(PersistenceError) in
        try TableMigrationBuilder.migration(from: before, to: model).losses.map(\.subject)
      } ?? []
    let text = try Self.text(
      from: lastModel, to: model, difference, allowsLoss: allowsLoss && !losses.isEmpty)
    let path = try add("\(nextID)_\(name).xml", text)
    let hints = before.map { RenameHints(from: $0, to: model).hints } ?? []
    return NewFile(path: path, difference: difference, hints: hints, losses: losses)
  }

  /// Refuses a name that no file of a folder can have.
  package static func requireName(_ name: String) throws(PersistenceError) {
    guard MigrationFileName.isName(name) else {
      throw .migrationFile(
        "'\(name)' is not a name for a migration; use letters, digits, \"-\" and \"_\"")
    }
  }

  /// Writes a script with a header, a section for the way on and one for the way back, as the next
  /// file.
  ///
  /// - Returns: The path of the file.
  /// - Throws: ``PersistenceError`` with code `migrationFile` when the name cannot be one.
  public func addScript(named name: String) throws(PersistenceError) -> String {
    try Self.requireName(name)
    return try add(
      "\(nextID)_\(name).sql",
      """
      -- oxbow: model unchanged
      -- A script that changes tables says in place of "unchanged" the hash of the model that it leaves
      -- behind. Take the section "down" out where there is no way back.
      -- up

      -- down

      """)
  }

  /// Writes the stub of a step in Swift as the next file.
  ///
  /// - Parameters:
  ///   - name: The name of the step; the one that the program registers has the same.
  ///   - command: The command that applies the step: that of the project's own tool.
  /// - Returns: The path of the file.
  /// - Throws: ``PersistenceError`` with code `migrationFile` when the name cannot be one.
  public func addCodeStep(
    named name: String, run command: String
  ) throws(PersistenceError) -> String {
    try Self.requireName(name)
    let text = try MigrationFile.reading { () throws(DocumentError) in
      var writer = XMLWriter()
      try writer.empty(
        "code", ["name": name, "version": "1", "model": "unchanged", "run": command])
      return writer.document()
    }
    return try add("\(nextID)_\(name).code.xml", text)
  }

  private func add(_ file: String, _ text: String) throws(PersistenceError) -> String {
    let path = "\(folder)/\(file)"
    try TextFile.write(text, to: path)
    try updateSum()
    return path
  }

  /// Puts all steps up to a number together into one that makes a store of their last model, and
  /// removes their files.
  ///
  /// Stores that have had all of them go on; new stores are made at once. Prove before that both
  /// are the same: rows that scripts write into a new store are not in the one step.
  ///
  /// - Returns: The path of the new file.
  /// - Throws: ``PersistenceError`` with code `migrationFile`.
  public func squash(upTo last: Int, named name: String) throws(PersistenceError) -> String {
    try Self.requireName(name)
    let squashed = try squashable(upTo: last)
    guard let end = squashed.last, let first = squashed.first else { return folder }
    guard let model = squashed.compactMap(\.modelAfter).last.flatMap({ models[$0] }) else {
      throw .migrationFile(
        "the model that the steps up to \(last) lead to is in none of the files of '\(folder)'")
    }
    let path = "\(folder)/\(end.id)_\(name).xml"
    let text = try Self.text(
      from: nil, to: model, ModelDifference(from: model, to: model), allowsLoss: false,
      squashes: "\(first.id)-\(end.id)")
    // The new file is whole before the first of the old ones goes.
    try TextFile.write(text, to: path)
    for file in squashed where file.path != path {
      do {
        try FileManager.default.removeItem(atPath: file.path)
      } catch {
        throw .migrationFile("'\(file.path)' cannot be removed; remove it yourself")
      }
    }
    try updateSum()
    return path
  }

  /// The steps up to a number, of which there are two at least.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationFile`.
  @discardableResult
  package func squashable(upTo last: Int) throws(PersistenceError) -> [MigrationFile] {
    let squashed = files.filter { $0.number <= last }
    guard squashed.last?.number == last, squashed.count > 1 else {
      throw .migrationFile(
        "there are no two steps up to \(last) in '\(folder)'; it has "
          + PersistenceError.listed(files.map(\.id)))
    }
    return squashed
  }

  /// Writes `oxbow.sum` anew from the files as they are.
  public static func writeSum(folder: String) throws(PersistenceError) -> String {
    let path = "\(folder)/\(SumFile.name)"
    let sequence = try MigrationSequence(folder: folder, verifiesSum: false)
    try TextFile.write(SumFile.text(sequence.files), to: path)
    return path
  }

  package var hasSum: Bool { FileManager.default.fileExists(atPath: "\(folder)/\(SumFile.name)") }

  func updateSum() throws(PersistenceError) {
    guard hasSum else { return }
    _ = try Self.writeSum(folder: folder)
  }

  private static func text(
    from before: String?, to model: ManagedObjectModel, _ difference: ModelDifference,
    allowsLoss: Bool, squashes: String? = nil
  ) throws(PersistenceError) -> String {
    try MigrationFile.reading { () throws(DocumentError) in
      var writer = XMLWriter()
      try writer.start(
        "migration",
        XMLWriter.Attributes(
          [("from", before ?? "-"), ("to", model.versionHash)]
            + (allowsLoss ? [("loss", "allowed")] : [])
            + (squashes.map { [("squashes", $0)] } ?? [])))
      // For readers of the file; the tables follow from the two models.
      for change in difference.changes where before != nil {
        try writer.element("change", text: change.description)
      }
      try ModelWriter.write(model, to: &writer)
      writer.end()
      return writer.document()
    }
  }
}
