internal import OxbowPlatform

/// A store that ends with the process: for tests.
public final class MemoryPreferenceStore: PreferenceStore {
  private struct State {
    var texts: [String: String] = [:]
    var errors: [any Error] = []
  }

  private let state = Lock(State())

  /// Creates a store.
  ///
  /// - Parameter texts: What it has at first: texts in JSON by key.
  public init(_ texts: [String: String] = [:]) {
    state.withLock { $0.texts = texts }
  }

  /// Everything that is stored: texts in JSON by key.
  public var texts: [String: String] { state.withLock { $0.texts } }

  /// The errors of getters and setters, in order.
  public var errors: [any Error] { state.withLock { $0.errors } }

  /// The text of a value; nil when there is none.
  public func text(forKey key: String) -> String? { state.withLock { $0.texts[key] } }

  /// Stores the text of a value, or removes the value when the text is nil.
  public func setText(_ text: String?, forKey key: String) {
    state.withLock { $0.texts[key] = text }
  }

  /// Changes the text of a value while no other thread does; `change` may read the store.
  public func update(forKey key: String, _ change: (String?) throws -> String?) throws {
    while true {
      let old = text(forKey: key)
      let new = try change(old)
      let isDone = state.withLock { state in
        guard state.texts[key] == old else { return false }
        state.texts[key] = new
        return true
      }
      if isDone { return }
    }
  }

  /// Keeps the error.
  public func report(_ error: any Error) { state.withLock { $0.errors.append(error) } }
}
