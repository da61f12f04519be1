/// A property whose value is kept in a store: what `$name` gives for `@Preference var name`.
public struct PreferenceProperty<Value: Codable> {
  /// What the value is called in the store.
  public let key: String
  private let store: any PreferenceStore

  /// The property of a key.
  ///
  /// - Parameters:
  ///   - key: What the value is called in the store; nil for the type's and the property's name.
  ///   - name: The type's and the property's name.
  ///   - store: Where the value is kept; nil for ``Preferences/store``.
  public init(_ key: String?, _ name: String, in store: (any PreferenceStore)?) {
    self.key = key ?? name
    self.store = store ?? Preferences.store
  }

  /// The stored value; nil where there is none.
  ///
  /// - Throws: ``PreferenceError`` where the store cannot be read, or has a value of another type.
  public func stored() throws -> Value? {
    try PreferenceError.of(key, "read") {
      try store.text(forKey: key).map { try PreferenceText.value(of: $0) }
    }
  }

  /// Stores a value.
  ///
  /// - Throws: ``PreferenceError`` where the value cannot be encoded, or not be stored.
  public func trySet(_ value: Value) throws {
    try PreferenceError.of(key, "stored") {
      try store.setText(PreferenceText.text(of: value), forKey: key)
    }
  }

  /// Removes the value from the store, so that the default counts.
  ///
  /// - Throws: ``PreferenceError``.
  public func remove() throws {
    try PreferenceError.of(key, "removed") { try store.setText(nil, forKey: key) }
  }

  /// The stored value, else nil; an error is reported to the store.
  public var _value: Value? {
    get {
      do {
        return try stored()
      } catch {
        store.report(error)
        return nil
      }
    }
    nonmutating set {
      do {
        if let newValue { try trySet(newValue) } else { try remove() }
      } catch {
        store.report(error)
      }
    }
  }
}

/// Where preferences are kept that name no store.
public enum Preferences {
  /// The store: for tests one of the task, else ``FilePreferenceStore/ofProgram``.
  ///
  /// ```swift
  /// Preferences.$taskStore.withValue(MemoryPreferenceStore()) { … }
  /// ```
  public static var store: any PreferenceStore { taskStore ?? FilePreferenceStore.ofProgram }

  /// The store of the present task; nil where none was bound.
  @TaskLocal public static var taskStore: (any PreferenceStore)?
}
