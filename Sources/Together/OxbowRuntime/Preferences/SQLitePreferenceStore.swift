public import OxbowAttributes
internal import OxbowSQLite

/// A store of preferences in a SQLite database of its own.
///
/// Each change is durable when the setter returns, and several processes can make changes at once.
public final class SQLitePreferenceStore: PreferenceStore {
  private let table: KeyedTexts

  /// Opens a store, and makes it where there is none.
  ///
  /// - Parameter path: The path of the database; its folder exists.
  /// - Throws: What keeps it from being opened.
  public init(path: String) throws { table = try KeyedTexts(path: path) }

  /// The text of a value; nil when there is none.
  public func text(forKey key: String) throws -> String? { try table.text(forKey: key) }

  /// Stores the text of a value, or removes the value when the text is nil.
  public func setText(_ text: String?, forKey key: String) throws {
    try table.setText(text, forKey: key)
  }

  /// Changes the text of a value in a transaction; `change` may read the store, and not change it.
  public func update(forKey key: String, _ change: (String?) throws -> String?) throws {
    try table.update(forKey: key, change)
  }
}
