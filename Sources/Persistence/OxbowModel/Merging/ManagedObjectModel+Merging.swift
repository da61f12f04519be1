extension ManagedObjectModel {
  /// Reads model documents and merges them.
  ///
  /// - Throws: ``PersistenceError``: the problems of all documents together, then those of merging.
  public init(contentsOf paths: [String]) throws(PersistenceError) {
    self = try Self.merging(ModelDocument.read(paths).map(\.model))
  }

  /// Returns one model with the entities of several.
  ///
  /// Entities of one name must be identical and become one. An entity whose user info has
  /// ``extensionKey`` = `YES` adds its properties, constraints and indexes to the entity of that
  /// name in another model. Relationships may lead from one model to another; they are checked when
  /// a ``CompiledModel`` is compiled from the result. The order of the models makes no difference.
  ///
  /// - Throws: ``PersistenceError`` with code `modelConflict`, with every conflict at once.
  public static func merging(
    _ models: [ManagedObjectModel]
  ) throws(PersistenceError) -> ManagedObjectModel {
    var merger = ModelMerger()
    let result = merger.merge(models)
    guard merger.problems.isEmpty else {
      throw .collecting(
        .modelConflict, "the models disagree in \(merger.problems.count) points", merger.problems)
    }
    return result
  }

  /// The key of user info that marks an entity as an extension of the one in another document.
  public static let extensionKey = "oxbow.extends"
}

extension ModelDocument {
  /// Reads several documents.
  ///
  /// - Throws: ``PersistenceError`` with the problems of all documents at once.
  public static func read(_ paths: [String]) throws(PersistenceError) -> [ModelDocument] {
    var documents: [ModelDocument] = []
    var problems: [PersistenceError] = []
    for path in paths {
      do throws(PersistenceError) {
        documents.append(try ModelDocument(contentsOf: path))
      } catch {
        problems += error.problems.isEmpty ? [error] : error.problems
      }
    }
    guard problems.isEmpty else {
      throw .collecting(
        problems[0].code, "the model documents have \(problems.count) problems", problems)
    }
    return documents
  }
}
