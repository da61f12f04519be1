internal import OxbowPlatform

/// Where the values of `@Preference` properties are kept.
///
/// Each value is a text in JSON; any thread may use the store at any time.
public protocol PreferenceStore: Sendable {
  /// The text of a value; nil when there is none.
  func text(forKey key: String) throws -> String?

  /// Stores the text of a value, or removes the value when the text is nil.
  func setText(_ text: String?, forKey key: String) throws

  /// Changes the text of a value as one step: `change` receives the text that is stored, and
  /// returns what takes its place, or nil to remove it.
  ///
  /// Unless a store has its own, it reads and then stores, and another change may come between.
  func update(forKey key: String, _ change: (String?) throws -> String?) throws

  /// Receives the error of a getter or setter, which cannot throw: the getter returns the default
  /// instead, and the setter has stored nothing.
  func report(_ error: any Error)
}

extension PreferenceStore {
  /// Reads the text, changes it and stores it.
  public func update(forKey key: String, _ change: (String?) throws -> String?) throws {
    try setText(change(text(forKey: key)), forKey: key)
  }

  /// Writes the error to standard error.
  public func report(_ error: any Error) { writeToStandardError("\(error)") }
}

/// A preference could not be read or stored.
public struct PreferenceError: Error, CustomStringConvertible {
  /// What the value is called in its store.
  public let key: String

  /// What the store or the coder said.
  public let underlying: any Error

  private let verb: String

  /// The error in one line.
  public var description: String {
    "preference '\(key)' could not be \(verb): \(underlying)"
  }

  static func of<R>(_ key: String, _ verb: String, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      throw PreferenceError(key: key, underlying: error, verb: verb)
    }
  }
}
