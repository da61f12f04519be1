public import OxbowModel
package import OxbowRelational

/// A copy of a whole store in another place: of a file on a server, or of a store on a server in a
/// file or in another schema.
///
/// ```swift
/// try StoreCopy(from: .file("shop.sqlite"), to: .server(location)).make()
/// ```
///
/// Every object has its key, version, values and links in the copy, and every order its places.
/// New objects get keys that no object has had. The values of the program that are kept with the
/// store come along, and so do its model and the list of its migrations: both stores are migrated
/// with the same folder.
///
/// The copy has the identifier of the store, as a backup has, so the IDs of objects that a program
/// has noted mean the same objects in it. One program uses one of the two.
///
/// The store may be in use. It is read as it is at one moment, and what is saved later is not in
/// the copy. Rows pass by one after the other, so a large store needs no more memory than a small
/// one.
public struct StoreCopy: Sendable {
  /// Where a store is, or will be.
  public struct Place: Sendable {
    package let engine: any CopyEngine

    package init(_ engine: any CopyEngine) { self.engine = engine }
  }

  /// How many rows of a table are copied.
  public struct Progress: Sendable, Hashable {
    /// The table of objects or links.
    public let table: String

    /// The rows that are copied so far.
    public let completedRows: Int

    /// All rows of the table.
    public let totalRows: Int
  }

  private let source: Place
  private let destination: Place

  /// Describes a copy; nothing is read.
  public init(from source: Place, to destination: Place) {
    (self.source, self.destination) = (source, destination)
  }

  /// Writes the copy, which is there whole or not at all.
  ///
  /// - Parameter progress: Called now and then on the calling thread; `false` ends the copying.
  /// - Returns: What came along, and what did not.
  /// - Throws: ``PersistenceError``: `storeUnreachable` for a destination where there is something,
  ///   which stays as it is; `notAStore`, `invalidStoredValue` for a row that does not fit the
  ///   model; `unsupported` for two files, which `SQLiteStoreFile.backUp(to:)` copies;
  ///   `interrupted`, `commitUnknown` if the connection was lost in the commit…
  @discardableResult
  public func make(
    progress: (Progress) -> Bool = { _ in true }
  ) throws(PersistenceError) -> Summary {
    do {
      try requireServer()
      return try source.engine.read { source in
        try destination.engine.make(source.contents) { target in
          try copy(source, target, progress)
        }
      }
    } catch let error as PersistenceError {
      throw error.code == .interrupted ? Self.interrupted : error
    } catch {
      throw PersistenceError(.statementFailed, "copying '\(source.engine.place)' failed: \(error)")
    }
  }

  private static let interrupted = PersistenceError(
    .interrupted, "the copying was interrupted; nothing was written")

  private func requireServer() throws(PersistenceError) {
    guard source.engine.isFile, destination.engine.isFile else { return }
    throw PersistenceError(
      .unsupported,
      "both '\(source.engine.place)' and '\(destination.engine.place)' are files; copy a file with "
        + "'SQLiteStoreFile.backUp(to:)' or 'oxbowctl store backup', which keep its history too")
  }
}

// MARK: - Tables

extension StoreCopy {
  private func copy(
    _ source: any CopySource, _ target: any CopyTarget, _ progress: (Progress) -> Bool
  ) throws -> Summary {
    let tables = source.contents.mapping(in: SQLiteDialect()).copiedTables
    var summary = Summary(source.contents, isToServer: !destination.engine.isFile)
    summary.note(try source.leftovers())
    for (index, table) in tables.enumerated() {
      let rows = try copy(index, table.name, source, target, progress)
      if table.isOfLinks { summary.links += rows } else { summary.objects += rows }
    }
    summary.files = source.tally.files + target.tally.files
    summary.encodedTexts = target.tally.encodedTexts
    return summary
  }

  /// How many rows pass by between two reports.
  private static let stride = 1024

  private func copy(
    _ table: Int, _ name: String, _ source: any CopySource, _ target: any CopyTarget,
    _ progress: (Progress) -> Bool
  ) throws -> Int {
    let count = try source.count(of: table)
    var done = 0
    try target.insert(into: table) { insert in
      try source.rows(of: table) { row in
        try insert(row)
        done += 1
        guard done % Self.stride == 0 || done == count else { return }
        let step = Progress(table: name, completedRows: done, totalRows: count)
        guard progress(step) else { throw Self.interrupted }
      }
    }
    return done
  }
}
