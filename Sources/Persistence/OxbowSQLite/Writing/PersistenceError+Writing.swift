internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

extension PersistenceError {
  /// A value that its column cannot have.
  static func cannotStore(
    _ value: AttributeValue?, _ column: MappedColumn, _ mapping: StoreMapping, _ id: ManagedObjectID
  ) -> PersistenceError {
    let properties = mapping.model.entity(of: id)?.properties ?? []
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
    case .decimal(let number) where !number.isNaN: ", of which 15 digits come back"
    default: ""
    }
  }

  /// A text or bytes larger than SQLite takes.
  static func tooBig(
    _ value: AttributeValue?, _ column: MappedColumn, _ mapping: StoreMapping, _ id: ManagedObjectID
  ) -> PersistenceError {
    let properties = mapping.model.entity(of: id)?.properties ?? []
    let name = column.property < properties.count ? properties[column.property].name : column.name
    let size =
      switch value {
      case .string(let text): "\(text.utf8.count) bytes"
      case .data(let data): "\(data.count) bytes"
      default: "more bytes than that"
      }
    return PersistenceError(
      .validation,
      "the value of '\(name)' of '\(id)' has \(size), and SQLite takes up to a thousand million; "
        + "nothing was saved: keep it in a file, and the file's name in the store", objectIDs: [id])
  }

  /// A row that is not there after it was inserted without an error.
  static func swallowed(_ id: ManagedObjectID, _ table: String) -> PersistenceError {
    PersistenceError(
      .statementFailed,
      "the row of '\(id)' was not inserted: a trigger of the table '\(table)' swallowed it with "
        + "RAISE(IGNORE); nothing was saved: another program made the trigger, which must not keep "
        + "rows out", objectIDs: [id])
  }

  /// An object that has unique values which another has, where SQLite names columns that are not
  /// those of properties.
  static func notUnique(_ id: ManagedObjectID, _ error: SQLiteError) -> PersistenceError {
    PersistenceError.uniqueness(
      ValidationFailure(
        objectID: id, property: nil, rule: .unique,
        message: "'\(id)' has values that must be unique, and another object has them already; "
          + "nothing was saved")
    ).adding("SQLite", error.message)
  }

  /// A row that breaks a constraint of its table; `nil` for other errors.
  static func constraint(_ error: SQLiteError, _ id: ManagedObjectID) -> PersistenceError? {
    switch error.code {
    case .tooBig:
      PersistenceError(
        .validation,
        "the values of '\(id)' together are larger than a row can be, which is a thousand million "
          + "bytes; nothing was saved", objectIDs: [id])
    case .constraintNotNull:
      PersistenceError(
        .validation,
        "'\(id)' has no value where the model requires one (\(error.message)); nothing was saved",
        objectIDs: [id])
    case .constraintDataType where error.message.hasSuffix("." + PlainLayout.versionColumn):
      PersistenceError(
        .invalidStoredValue,
        "the row of '\(id)' has \(Int64.max) in '\(PlainLayout.versionColumn)', the largest number "
          + "there is, so that no save can count it up; nothing was saved: another program wrote "
          + "it: set it to 1", objectIDs: [id])
    default: nil
    }
  }
}
