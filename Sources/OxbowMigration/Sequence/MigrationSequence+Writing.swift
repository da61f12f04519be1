internal import OxbowDocuments
public import OxbowModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MigrationSequence {
  /// A file that was written.
  public struct NewFile: Sendable {
    /// Its path.
    public let path: String

    /// What changes with it.
    public let difference: ModelDifference
  }

  /// Writes the step from the folder's last model to `model` as the next file; `nil` when there is
  /// nothing to do.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationFile` when the name cannot be one,
  ///   `migrationRefused` when a change has no safe way.
  public func addModelStep(
    named name: String, to model: ManagedObjectModel
  ) throws(PersistenceError) -> NewFile? {
    guard MigrationFileName.isName(name) else {
      throw .migrationFile(
        "'\(name)' is no name for a migration; use letters, digits, \"-\" and \"_\"")
    }
    let hash = model.versionHash
    guard hash != lastModel else { return nil }
    let before = lastModel.flatMap { models[$0] }
    if let lastModel, before == nil {
      throw .migrationFile(
        "the model \(lastModel.prefix(12))… that the migrations in '\(folder)' lead to is in none "
          + "of the files, so the next step cannot be written")
    }
    let compiled = try CompiledModel(model)
    let difference = ModelDifference(
      from: before ?? ManagedObjectModel(entities: []), to: model)
    if let before {
      _ = try TableMigrationBuilder.migration(
        from: CompiledModel(before), to: compiled, entities: [])
    }
    let path = "\(folder)/\(nextID)_\(name).xml"
    let text = try Self.text(from: lastModel, to: model, difference)
    try Self.write(text, to: path)
    try updateSum()
    return NewFile(path: path, difference: difference)
  }

  /// Writes `oxbow.sum` anew from the files as they are.
  public static func writeSum(folder: String) throws(PersistenceError) -> String {
    let path = "\(folder)/\(SumFile.name)"
    let sequence = try MigrationSequence(folder: folder, verifiesSum: false)
    try write(SumFile.text(sequence.files), to: path)
    return path
  }

  private func updateSum() throws(PersistenceError) {
    guard FileManager.default.fileExists(atPath: "\(folder)/\(SumFile.name)") else { return }
    _ = try Self.writeSum(folder: folder)
  }

  private static func text(
    from before: String?, to model: ManagedObjectModel, _ difference: ModelDifference
  ) throws(PersistenceError) -> String {
    try MigrationFile.reading { () throws(DocumentError) in
      var writer = XMLWriter()
      try writer.start("migration", ["from": before ?? "-", "to": model.versionHash])
      // For readers of the file; the tables follow from the two models.
      for change in difference.changes where before != nil {
        try writer.element("change", text: change.description)
      }
      try ModelWriter.write(model, to: &writer)
      writer.end()
      return writer.document()
    }
  }

  private static func write(_ text: String, to path: String) throws(PersistenceError) {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw .migrationFile("'\(path)' cannot be written")
    }
  }
}
