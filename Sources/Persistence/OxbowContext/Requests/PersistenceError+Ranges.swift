package import OxbowModel

extension PersistenceError {
  /// Refuses a number of a request, which may come from a user: a limit, an offset, a size.
  package static func require(
    _ name: String, _ number: Int, atLeast least: Int
  ) throws(PersistenceError) {
    guard number < least else { return }
    throw PersistenceError(
      .invalidPredicate,
      "'\(name)' of a request is \(number); pass \(least == 0 ? "0 or " : "")a positive number")
  }
}
