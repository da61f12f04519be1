internal import OxbowModel
internal import OxbowRelational

// What a store of Core Data may have that saves would have to keep up and do not: such a store is
// read, and refused before it is opened for writing.

extension CoreDataTables {
  /// Checks that all that a save has to keep up is known.
  ///
  /// - Throws: ``PersistenceError`` with code `unsupported` and every reason.
  func requireWritable(
    _ part: ModelPart, _ options: SQLiteStoreOptions, _ connection: Connection
  ) throws {
    var reasons = try historyReasons(connection)
    if isMirrored, !options.isUnsynchronizedCopy {
      reasons.append(
        "it is mirrored to CloudKit (tables ANSCK…), which would not hear of a save; if it is a copy "
          + "that is never synchronized, open it with 'isUnsynchronizedCopy: true'")
    }
    for table in try connection.texts(Self.readVirtualTables) {
      reasons.append(
        "the index in the table '\(table)' is one of places (R-tree), which Core Data keeps up by "
          + "functions of its own")
    }
    reasons += attributeReasons(part, try connection.texts(Self.readTriggers))
    guard reasons.isEmpty else { throw PersistenceError.notWritable(connection.path, reasons) }
  }

  private func historyReasons(_ connection: Connection) throws -> [String] {
    guard names.contains(CoreDataHistory.Table.change.name) else { return [] }
    guard let history = CoreDataHistory(try connection.tableColumns()) else {
      return ["its history lacks the table \(CoreDataHistory.Table.transaction.name)"]
    }
    if history.hasTombstones {
      return [
        "its history keeps values of deleted objects (columns ZTOMBSTONE… of ACHANGE), and which value "
          + "is in which column is not known"
      ]
    }
    return history.isComplete
      ? [] : ["its history has other columns than those that are known"]
  }

  /// The attributes whose columns are not kept by a save.
  private func attributeReasons(_ part: ModelPart, _ triggers: [String]) -> [String] {
    part.source.entities.flatMap { entity in
      entity.attributes.compactMap { attribute -> String? in
        let name = "'\(attribute.name)' of '\(entity.name)'"
        if attribute.type == .composite {
          return "\(name) is composite, and the names of its parts' columns are not known"
        }
        guard let text = attribute.derivation else { return nil }
        guard text.hasSuffix(".@count") else {
          return "\(name) is derived from '\(text)', and only counts are kept by triggers"
        }
        let isKept = triggers.contains { $0.contains("_\(entity.name)_\(attribute.name)_") }
        return isKept ? nil : "\(name) is derived from '\(text)', and has no triggers that keep it"
      }
    }
  }
}

extension PersistenceError {
  fileprivate static func notWritable(_ path: String, _ reasons: [String]) -> PersistenceError {
    PersistenceError(
      .unsupported,
      "the store '\(path)' of Core Data is not written: \(reasons[0])"
        + (reasons.count > 1 ? ", and \(reasons.count - 1) more" : "")
        + "; open it with the option 'isReadOnly: true', or make a store of Oxbow of it with 'oxbowctl "
        + "store convert'",
      details: reasons.dropFirst().prefix(12).map { .init(label: "and", text: $0) })
  }
}
