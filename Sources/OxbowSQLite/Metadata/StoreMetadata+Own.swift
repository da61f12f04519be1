internal import OxbowModel
internal import OxbowSQL

// Values of programs are facts as well, under names of their own.

extension Connection {
  /// What programs keep with the store, by key.
  func ownMetadata() throws -> [String: SQLValue] {
    var values: [String: SQLValue] = [:]
    for row in try rows(MetadataTables.readOwnFacts) {
      if case .text(let name) = row[0] { values[MetadataTables.ownKey(name)] = row[1] }
    }
    return values
  }
}

extension PersistenceError {
  /// A value of a program that is asked for as another type.
  static func otherMetadata(
    _ key: String, _ stored: SQLValue, _ expectation: String
  ) -> PersistenceError {
    PersistenceError(
      .invalidStoredValue,
      "the value that is kept with the store as '\(key)' is \(stored.typeName), and \(expectation) "
        + "was asked for; ask for it as the type that it was set with")
  }

  static func noMetadata(_ key: String, _ what: String) -> PersistenceError {
    PersistenceError(
      .validation, "\(what) cannot be kept with the store as '\(key)'; nothing was saved")
  }
}
