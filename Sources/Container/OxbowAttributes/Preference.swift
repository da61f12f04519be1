internal import OxbowFoundation

/// A property whose value is kept in a store: what `$name` gives for `@Preference var name`.
public struct PreferenceProperty<Value: Codable> {
  /// What the value is called in the store.
  public let key: String
  private let store: any PreferenceStore
  private let initial: (() -> Value)?

  /// The property of a key.
  ///
  /// - Parameters:
  ///   - key: What the value is called in the store; nil for the type's and the property's name.
  ///   - name: The type's and the property's name.
  ///   - store: Where the value is kept; nil for ``Preferences/store``.
  ///   - initial: The value where the store has none; nil where there is none either.
  public init(
    _ key: String?, _ name: String, in store: (any PreferenceStore)?,
    initial: (() -> Value)? = nil
  ) {
    self.key = key ?? name
    self.store = store ?? Preferences.store
    self.initial = initial
  }

  /// The stored value; nil where there is none.
  ///
  /// - Throws: ``PreferenceError`` where the store cannot be read, or has a value of another type.
  public func stored() throws -> Value? {
    try PreferenceError.of(key, "read") {
      try store.text(forKey: key).map { try Self.value(of: $0) }
    }
  }

  /// Stores a value.
  ///
  /// - Throws: ``PreferenceError`` where the value cannot be encoded, or not be stored.
  public func trySet(_ value: Value) throws {
    try PreferenceError.of(key, "stored") {
      try store.setText(Self.text(of: value), forKey: key)
    }
  }

  /// Changes the value as one step: of several that do so at once, in threads and processes, none
  /// loses what another did.
  ///
  /// ```swift
  /// try settings.$launches.update { $0 += 1 }
  /// ```
  ///
  /// Stores of the program's own keep that promise where they implement
  /// ``PreferenceStore/update(forKey:_:)``, and `UserDefaultsStore` keeps it among threads.
  ///
  /// - Parameter change: Changes the stored value, else the property's initial one. It must not
  ///   change other values of the same store, and may be called more than once.
  /// - Returns: What `change` returns.
  /// - Throws: ``PreferenceError`` where the store fails, where `change` throws, and where there is
  ///   neither a stored value nor an initial one: ``updateStored(_:)`` is for those.
  public func update<R>(_ change: (inout Value) throws -> R) throws -> R {
    try updateStored { stored in
      guard var value = stored ?? initial?() else { throw MissingPreference() }
      defer { stored = value }
      return try change(&value)
    }
  }

  /// Changes the stored value as one step, see ``update(_:)``; nil where there is none, and nil
  /// removes it.
  ///
  /// - Throws: ``PreferenceError`` where the store fails, and where `change` throws.
  public func updateStored<R>(_ change: (inout Value?) throws -> R) throws -> R {
    try PreferenceError.of(key, "changed") {
      var result: R?
      try store.update(forKey: key) { text in
        var value: Value? = try text.map { try Self.value(of: $0) }
        result = try change(&value)
        return try value.map { try Self.text(of: $0) }
      }
      guard let result else { throw UnchangedPreference() }
      return result
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

  // MARK: - Texts in JSON

  private static func text(of value: Value) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func value(of text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }
}

private struct MissingPreference: Error, CustomStringConvertible {
  var description: String {
    "nothing is stored, and the property has no initial value; use updateStored"
  }
}

private struct UnchangedPreference: Error, CustomStringConvertible {
  var description: String { "the store has not called the closure that changes the value" }
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
