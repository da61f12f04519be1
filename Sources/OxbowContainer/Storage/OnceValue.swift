/// A value that is written once, mostly, and read very often.
///
/// `filled` is the fast path beside `value`: an optional of a generic type is looked up and copied with
/// the runtime's help at each read, a pointer is followed. Guarded by suite K, singleton.
///
/// Not synchronised: its owner's cell guards it. So it may stand in a property whose accesses are not
/// checked for exclusivity.
package struct OnceValue<T>: ~Copyable {
  private var pointer: UnsafeMutablePointer<T>?

  package init() {}

  deinit { Self.drop(pointer) }

  package var isFilled: Bool { pointer != nil }

  /// The value.
  ///
  /// - Precondition: `isFilled`.
  package var filled: T { pointer.unsafelyUnwrapped.pointee }

  package var value: T? { isFilled ? filled : nil }

  /// Puts another value, or none, in the place of the one before.
  package mutating func set(_ value: T?) {
    let old = pointer
    pointer = nil
    Self.drop(old)
    guard let value else { return }
    let new = UnsafeMutablePointer<T>.allocate(capacity: 1)
    new.initialize(to: value)
    pointer = new
  }

  private static func drop(_ pointer: UnsafeMutablePointer<T>?) {
    pointer?.deinitialize(count: 1)
    pointer?.deallocate()
  }
}
