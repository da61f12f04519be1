package import OxbowModel

extension StoreMetadata {
  /// Checks that the store was written for a model; `option` is what names it to the tool, where
  /// that is not its path.
  package func checkModel(
    _ model: CompiledModel, _ part: ModelPart, _ path: String, option: String? = nil
  ) throws {
    guard modelHash != part.versionHash else { return }
    let entities = model.entities.filter { part.entities.contains($0.index) }
    let own = Self.byName(entities.map { ($0.name, $0.description.versionHash) })
    let stored = Self.byName(self.entities.map { ($0.name, $0.hash) })
    let changed = own.keys.filter { stored[$0] != nil && stored[$0] != own[$0] }
    var error = PersistenceError(
      .modelMismatch,
      "the store '\(path)' was written for another model: it has \(modelHash.prefix(12)), the "
        + "model is \(part.versionHash.prefix(12)); see what differs with 'oxbowctl migrate "
        + "status --store \(option ?? path)', and change the store with 'oxbowctl migrate apply', "
        + "or in the program with 'StoreMigrations(.automatic)'")
    for (label, names) in [
      ("changed", changed), ("only in the store", stored.keys.filter { own[$0] == nil }),
      ("only in the model", own.keys.filter { stored[$0] == nil }),
    ] where !names.isEmpty {
      error = error.adding(label, PersistenceError.listed(Array(names)))
    }
    throw error
  }

  /// The number of each entity of a model, by dense index; 0 for those of other stores.
  package func numbers(_ model: CompiledModel, _ part: ModelPart, _ path: String) throws -> [Int64]
  {
    let numbers = Self.byName(entities.map { ($0.name, $0.number) })
    return try model.entities.map { entity in
      guard part.entities.contains(entity.index) else { return 0 }
      guard let number = numbers[entity.name] else {
        throw PersistenceError(
          .notAStore,
          "the store '\(path)' has no number for the entity '\(entity.name)' in "
            + "'\(MetadataTables.entities.name)', though its model hash says that it knows it; "
            + "restore a backup")
      }
      return number
    }
  }

  private static func byName<Value>(_ pairs: [(String, Value)]) -> [String: Value] {
    Dictionary(pairs) { first, _ in first }
  }
}
