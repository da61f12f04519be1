internal import OxbowPlatform

/// Values that are made once for each key and kept, shared between threads.
///
/// Here and not in OxbowPlatform: in the target of its users the look-up is specialized for the
/// key.
final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values = Lock([Key: Value]())

  /// The value of a key, made by `make` when there is none yet.
  ///
  /// `make` runs inside the lock: it must be short and must not ask the same memo.
  func value(_ key: Key, _ make: () -> Value) -> Value {
    values.withLock { values in
      if let value = values[key] { return value }
      let value = make()
      values[key] = value
      return value
    }
  }
}
