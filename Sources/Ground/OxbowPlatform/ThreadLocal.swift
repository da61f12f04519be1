public import OxbowFoundation

/// One value for each thread, released when its thread ends.
///
/// It is a `pthread_key_t`, which takes some 14 ns to read; Foundation's thread dictionary takes
/// 340. The destructor never runs for the main thread, and late for the threads of a pool.
package final class ThreadLocal<Value: AnyObject>: @unchecked Sendable {
  // Sendable by argument: the key is immutable, and each thread reads and writes its own slot.

  private let key: pthread_key_t

  /// Creates an empty slot.
  ///
  /// - Throws: ``ThreadLocalExhausted`` if the process has used up its thread keys.
  package init() throws(ThreadLocalExhausted) {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { raw in
      #if canImport(Darwin)
        releaseAtEnd(raw)
      #else
        if let raw { releaseAtEnd(raw) }
      #endif
    }
    guard status == 0 else { throw ThreadLocalExhausted(status: status) }
    self.key = key
  }

  // The key's destructor does not run on `pthread_key_delete`: values of other threads would leak,
  // so the owner clears its threads first (see `value = nil`).
  deinit { pthread_key_delete(key) }

  /// The value of the calling thread, not retained: the thread's slot holds it.
  ///
  /// It is a raw pointer, because an optional of a generic type would be looked up at each call.
  package var opaque: UnsafeMutableRawPointer? { pthread_getspecific(key) }

  /// The value of the calling thread.
  package var value: Value? {
    get {
      guard let raw = pthread_getspecific(key) else { return nil }
      return Unmanaged<Value>.fromOpaque(raw).takeUnretainedValue()
    }
    set {
      let old = pthread_getspecific(key)
      pthread_setspecific(key, newValue.map { Unmanaged.passRetained($0).toOpaque() })
      if let old { Unmanaged<Value>.fromOpaque(old).release() }
    }
  }
}

/// A thread's value that has work to do when the thread ends, before it is released.
package protocol ThreadEnding: AnyObject {
  /// Called when the thread ends. It no longer has a value, and may be given one during the call.
  func threadEnds()
}

private func releaseAtEnd(_ raw: UnsafeMutableRawPointer) {
  let value = Unmanaged<AnyObject>.fromOpaque(raw).takeRetainedValue()
  (value as? any ThreadEnding)?.threadEnds()
}

/// The process has used up its thread-specific keys.
package struct ThreadLocalExhausted: Error, CustomStringConvertible {
  /// What `pthread_key_create` returned.
  package let status: Int32

  package var description: String {
    "no thread-specific key is left in this process (pthread_key_create returned \(status))"
  }
}

/// A number for the calling thread, unique among the living threads; never zero.
///
/// It is inlinable, and therefore public, because getters of managed objects compare it: two
/// instructions.
@inlinable public func currentThreadNumber() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}
