package import OxbowModel
package import OxbowStore

// What a save is refused with, whatever the engine is.

extension PersistenceError {
  /// Rows that have another version than was read, or are gone.
  package static func conflict(_ objects: [ManagedObjectID]) -> PersistenceError {
    PersistenceError(
      .conflict,
      "\(listed(objects.map(\.description))) changed in the store, or was deleted, since this "
        + "context read it; nothing was saved: refresh and make the changes again",
      objectIDs: objects)
  }

  /// An object that has unique values which another has: `values` are the attributes and to-one
  /// relationships with what it would have there, `holder` is the other one.
  package static func notUnique(
    _ id: ManagedObjectID, _ values: [(name: String, value: PropertyValue)],
    holder: ManagedObjectID?
  ) -> PersistenceError {
    let names = values.map { "'\($0.name)'" }.joined(separator: " and ")
    let seen = values.map { shortened($0.value) }.joined(separator: " and ")
    let whose = holder.map { "'\($0)' has" } ?? "another object has"
    let text =
      "\(names) of '\(id)' must be unique\(values.count > 1 ? " together" : ""): "
      + "\(whose) \(seen) already; nothing was saved"
    return .uniqueness(
      ValidationFailure(
        objectID: id, properties: values.map(\.name),
        values: Dictionary(values, uniquingKeysWith: { first, _ in first }), holderID: holder,
        rule: .unique, message: text))
  }

  /// A value as people read it; long text and bytes are cut.
  private static func shortened(_ value: PropertyValue) -> String {
    if case .object(let id) = value { return "'\(id)'" }
    let text = "\(value)"
    return text.count > 80 ? text.prefix(80) + "…" : text
  }

  /// A new object whose key a row has that another program wrote.
  package static func keyTaken(
    _ id: ManagedObjectID, _ table: String, counter: String,
    advice: String = ", and let the other program raise the number in the transaction in which it "
      + "inserts"
  ) -> PersistenceError {
    PersistenceError(
      .conflict,
      "'\(id)' cannot be inserted: a row of the table '\(table)' has the key \(id.key) already, because "
        + "another program took it without raising \(counter), from which keys are given; nothing was "
        + "saved: delete the object and insert another, whose key comes after that row\(advice)",
      objectIDs: [id])
  }

  /// Objects that something refers to are gone.
  package static func missingRows(_ found: [String]) -> PersistenceError {
    PersistenceError(
      .conflict,
      "objects that others refer to are not in the store: "
        + (found.isEmpty ? "their rows are gone" : found.joined(separator: "; "))
        + "; nothing was saved: they were deleted by another context, or are deleted here while "
        + "objects without an inverse relationship still refer to them")
  }
}

extension MappedColumn {
  /// A value of a row as the property has it.
  package func value(
    _ value: SQLValue, of property: CompiledProperty, id: (ObjectReference) -> ManagedObjectID
  ) -> PropertyValue {
    if case .integer(let key) = value, let relationship = property.relationship {
      return .object(id(ObjectReference(entity: relationship.destination, key: key)))
    }
    return codec.decode(value).map { .attribute($0) } ?? .null
  }
}
