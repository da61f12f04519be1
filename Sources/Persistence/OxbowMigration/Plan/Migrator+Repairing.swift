internal import OxbowModel
internal import OxbowRelational

/// A file that was changed after it was applied to a store.
public struct ChangedFile: Sendable, Hashable, Codable {
  /// The name of the file.
  public let name: String
  /// When it was applied.
  public let applied: String
  /// The checksum of the text that was applied.
  public let checksumApplied: String
  /// The checksum of its text now.
  public let checksum: String

  init(_ file: MigrationFile, _ entry: HistoryEntry) {
    (name, applied) = (file.fileName, entry.finished)
    (checksumApplied, checksum) = (entry.checksum ?? "", file.checksum.description)
  }
}

extension Migrator {
  /// The files that were changed after they were applied; reads only.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationFile` when a number has a file of another
  ///   name: the store has not had that step.
  public func changedFiles() throws -> [ChangedFile] {
    guard let sequence, let state = try backend.state() else { return [] }
    return try HistoryCheck(state.history).changed(in: sequence).map { ChangedFile($0, $1) }
  }

  /// Accepts the texts that applied files have now; nothing of them is run.
  ///
  /// - Returns: The files whose text was accepted.
  /// - Throws: ``PersistenceError`` with code `migrationRefused` for a file that leads to another
  ///   model than the one that was applied, `migrationFile` for a file of another name.
  public func acceptChangedFiles() throws -> [ChangedFile] {
    guard let sequence else { return [] }
    return try backend.exclusively { session in
      try session.transaction { store in
        guard let state = try store.state() else { return [] }
        return try HistoryCheck(state.history).changed(in: sequence).map { file, entry in
          // A file that says nothing of the model leaves it as it was.
          if let model = file.modelAfter ?? entry.modelBefore, model != entry.modelAfter {
            throw PersistenceError(
              .migrationRefused,
              "'\(file.fileName)' leads to the model \(model.prefix(12))…, and what was applied led "
                + "to \((entry.modelAfter ?? "").prefix(12))…; restore its text, and put the change "
                + "into a new step")
          }
          try append(.repaired, file, model: state.modelHash, to: store)
          return ChangedFile(file, entry)
        }
      }
    }
  }
}
