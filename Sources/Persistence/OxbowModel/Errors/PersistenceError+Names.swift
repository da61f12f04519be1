internal import OxbowDocuments

extension PersistenceError {
  package static func unknownEntity(_ name: String, among names: [String]) -> PersistenceError {
    PersistenceError(
      .unknownEntity, "the model has no entity '\(name)'; it has \(listed(names))",
      nearNames: nearNames(to: name, among: names))
  }

  package static func unknownEntity(
    of type: Any.Type, named name: String, among names: [String]
  ) -> PersistenceError {
    PersistenceError(
      .unknownEntity,
      "the model has no entity '\(name)'; it has \(listed(names)); pass '\(type).self' among the "
        + "types when the store is opened, or add the entity to the model's documents",
      nearNames: nearNames(to: name, among: names))
  }

  package static func unknownProperty(_ name: String, of entity: String, among names: [String])
    -> PersistenceError
  {
    PersistenceError(
      .unknownProperty, "the entity '\(entity)' has no property '\(name)'; it has \(listed(names))",
      nearNames: nearNames(to: name, among: names))
  }

  /// The names that a typo may have meant, for targets that know no documents.
  package static func nearNames(to typed: String, among names: [String]) -> [String] {
    OxbowDocuments.nearNames(to: typed, among: names)
  }

  /// Names in quotes, twelve at most.
  package static func listed(_ names: [String]) -> String {
    guard !names.isEmpty else { return "none" }
    let shown = names.sorted().prefix(12).map { "'\($0)'" }.joined(separator: ", ")
    return names.count > 12 ? "\(shown) and \(names.count - 12) more" : shown
  }
}
