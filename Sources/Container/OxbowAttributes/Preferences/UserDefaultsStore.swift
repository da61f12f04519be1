#if Defaults
  public import Foundation

  /// A store of preferences over `UserDefaults`.
  ///
  /// Texts, numbers, truth values, and arrays and dictionaries of these are stored as what they
  /// are, so that other programs read them; what a property list cannot hold is stored as JSON in
  /// `Data`.
  ///
  /// Threads take turns to change a value; other processes do not wait for them, and may lose what
  /// ``update(forKey:_:)`` does.
  ///
  /// Behind the trait `Defaults`, because `UserDefaults` needs all of Foundation.
  public struct UserDefaultsStore: PreferenceStore {
    /// Sendable by argument: `UserDefaults` may be used by several threads.
    private nonisolated(unsafe) let defaults: UserDefaults

    /// Who changes defaults; recursive, because they tell observers, who may change others.
    private static let turn = NSRecursiveLock()

    /// A store over the defaults of the program, or over others.
    public init(_ defaults: UserDefaults = .standard) { self.defaults = defaults }

    /// The text of a value; nil when there is none.
    ///
    /// - Throws: Where the value is of no type that JSON knows.
    public func text(forKey key: String) throws -> String? {
      guard let object = defaults.object(forKey: key) else { return nil }
      if let data = object as? Data { return String(decoding: data, as: UTF8.self) }
      if let date = object as? Date { return "\(date.timeIntervalSinceReferenceDate)" }
      guard JSONSerialization.isValidJSONObject([object]) else {
        throw CocoaError(.propertyListReadUnknownVersion)
      }
      let data = try JSONSerialization.data(withJSONObject: object, options: .fragmentsAllowed)
      return String(decoding: data, as: UTF8.self)
    }

    /// Stores the text of a value, or removes the value when the text is nil.
    ///
    /// - Throws: Where the text is not JSON.
    public func setText(_ text: String?, forKey key: String) throws {
      let object = try text.map { try PreferenceText.propertyList(of: $0) ?? Data($0.utf8) }
      Self.turn.withLock { defaults.set(object, forKey: key) }
    }

    /// Changes the text of a value while no other thread changes defaults.
    public func update(forKey key: String, _ change: (String?) throws -> String?) throws {
      try Self.turn.withLock { try setText(change(text(forKey: key)), forKey: key) }
    }
  }
#else
  /// Nothing without the trait.
  @available(
    *, unavailable,
    message: "write traits: [.defaults, \"Defaults\"] where your package depends on oxbow"
  )
  public struct UserDefaultsStore {}
#endif
