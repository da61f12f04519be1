internal import OxbowModel
internal import OxbowSQL

extension PersistenceError {
  /// Rows that have another version than was read, or are gone.
  static func conflict(_ objects: [ManagedObjectID]) -> PersistenceError {
    let names = objects.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
    let more = objects.count > 8 ? " and \(objects.count - 8) more" : ""
    return PersistenceError(
      .conflict,
      "\(names)\(more) changed in the store, or was deleted, since this context read it; nothing was "
        + "saved: refresh and make the changes again", objectIDs: objects)
  }

  /// A value that its column cannot have.
  static func cannotStore(
    _ value: AttributeValue?, _ column: MappedColumn, _ mapping: StoreMapping, _ id: ManagedObjectID
  ) -> PersistenceError {
    let properties = mapping.schema.entity(of: id)?.properties ?? []
    let name = column.property < properties.count ? properties[column.property].name : column.name
    return PersistenceError(
      .validation,
      "the value of '\(name)' of '\(id)' cannot be stored: the column needs "
        + "\(column.codec.expectation)\(hint(value)); nothing was saved", objectIDs: [id])
  }

  private static func hint(_ value: AttributeValue?) -> String {
    switch value {
    case .double(let number) where number.isNaN: ", and SQLite has no NaN"
    case .integer(let number): ", and \(number) is out of range"
    default: ""
    }
  }

  /// A row that breaks a constraint of its table; `nil` for other errors.
  static func constraint(_ error: SQLiteError, _ id: ManagedObjectID) -> PersistenceError? {
    switch error.code {
    case .constraintUnique:
      PersistenceError(
        .validation,
        "'\(id)' has values that must be unique and stand in another object already "
          + "(\(error.message)); nothing was saved", objectIDs: [id])
    case .constraintPrimaryKey:
      PersistenceError(
        .conflict,
        "the key of '\(id)' stands in the store already: another program wrote the row; nothing "
          + "was saved", objectIDs: [id])
    case .constraintNotNull:
      PersistenceError(
        .validation,
        "'\(id)' has no value where the model requires one (\(error.message)); nothing was saved",
        objectIDs: [id])
    default: nil
    }
  }
}
