internal import OxbowCoreData
package import OxbowModel
internal import OxbowRelational

/// The model of a store's file: the one that it keeps, or the version that it was written for.
package enum StoredModel {
  /// Finds the model of the store at a path.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - document: A model of the app; of a store of Core Data, the version that has its hashes is
  ///     taken.
  /// - Returns: The model.
  /// - Throws: ``PersistenceError``: `unsupported` for a store that keeps none; `modelMismatch` if
  ///   no version fits; `storeUnreachable`, `notAStore`…
  package static func of(
    _ path: String, document: String? = nil
  ) throws(PersistenceError) -> ManagedObjectModel {
    if let model = try ofCoreData(path, document: document) { return model }
    if let document { return try ModelDocument(contentsOf: document).model }
    return try self.document(of: path).model
  }

  /// The document that a store of the plain layout keeps.
  static func document(of path: String) throws(PersistenceError) -> ModelDocument {
    guard let text = try StoreInspection.state(path: path).model else {
      throw PersistenceError(.unsupported, "the store '\(path)' does not keep its model")
    }
    return try ModelDocument(Array(text.utf8), file: path)
  }

  /// Whether there is a store of Core Data at a path; what the file has without its log is enough,
  /// unless it has nothing.
  package static func isOfCoreData(_ path: String) -> Bool {
    let path = System.realPath(path)
    guard System.fileID(path) != nil else { return false }
    return UntouchedFile.isOfCoreData(path)
  }

  /// The model that a store of Core Data keeps; `nil` without one, and for another file.
  package static func kept(
    byCoreData path: String
  ) throws(PersistenceError) -> ManagedObjectModel? {
    try ofStore(path) { tables, properties, path in
      try tables.keptModel(properties, path)?.model
    } ?? nil
  }

  /// The model of a store of Core Data; `nil` for another file.
  package static func ofCoreData(
    _ path: String, document: String? = nil
  ) throws(PersistenceError) -> ManagedObjectModel? {
    try ofStore(path) { tables, properties, path in
      if let document {
        return try ModelDocument.version(
          of: document, fitting: properties.hashes,
          kept: try? tables.keptModel(properties, path)?.model
        ).document.model
      }
      guard let kept = try tables.keptModel(properties, path) else {
        throw PersistenceError.keepsNoModel(path, properties)
      }
      return kept.model
    }
  }

  private static func ofStore<R>(
    _ path: String, _ body: (CoreDataTables, StoreProperties, String) throws -> R
  ) throws(PersistenceError) -> R? {
    try CoreDataInspection.reading(path, withColumns: false) { _, tables, path in
      try body(tables, try StoreProperties(of: tables, path), path)
    }
  }
}
