/// Calls one constructor with what it needs.
class Constructor<T> {
  func construct(_ context: BuildContext?) throws -> T { preconditionFailure("abstract") }
}

/// Calls a function with the objects of its references.
final class PackConstructor<T, each D>: Constructor<T> {
  private let make: @Sendable (repeat each D) throws -> T
  /// An `ObjectProvider` for each `D`.
  ///
  /// Not a tuple: the runtime would look up its type on each call.
  private let providers: UnretainedArray

  init(
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ providers: (repeat ObjectProvider<each D>)
  ) {
    var list: [AnyObject] = []
    for provider in repeat each providers { list.append(provider) }
    self.make = make
    self.providers = UnretainedArray(list)
  }

  override func construct(_ context: BuildContext?) throws -> T {
    var arguments = ArgumentCursor(providers: providers.iterator, context: context)
    return try make(repeat arguments.next((each D).self))
  }
}

/// The objects of providers in the order of a constructor's parameters.
///
/// The fast path of a graph: the providers' types are those of the parameters by construction, so
/// nothing is cast and no type looked up, and the constructor holds them, so no reference is
/// counted (`docs/performance.md`, K/graph and K/threads).
private struct ArgumentCursor {
  var providers: UnretainedArray.Iterator
  let context: BuildContext?

  mutating func next<D>(_ type: D.Type) throws -> D {
    try providers.next()._withUnsafeGuaranteedRef {
      try unsafeDowncast($0, to: ObjectProvider<D>.self).make(context)
    }
  }
}

/// Objects that linked code calls in turn, without counting references to them.
///
/// The fast path beside an array of objects: every thread that makes a graph goes through the same
/// providers, and counting references to these makes the threads wait for each other's caches
/// (`docs/performance.md`, K/graph and K/threads).
///
/// The array holds its objects until it ends; the caller of one of them holds the array meanwhile.
struct UnretainedArray: ~Copyable {
  private let start: UnsafeMutablePointer<Unmanaged<AnyObject>>?
  let count: Int

  init(_ objects: [AnyObject]) {
    count = objects.count
    start = objects.isEmpty ? nil : .allocate(capacity: objects.count)
    for (number, object) in objects.enumerated() {
      start?.advanced(by: number).initialize(to: .passRetained(object))
    }
  }

  deinit {
    var iterator = iterator
    for _ in 0..<count { iterator.next().release() }
    start?.deallocate()
  }

  /// The objects in order, while somebody holds the array.
  var iterator: Iterator { Iterator(position: start) }

  /// A position in the array; `next()` may be called `count` times.
  struct Iterator {
    fileprivate var position: UnsafeMutablePointer<Unmanaged<AnyObject>>?

    /// The next object, not retained.
    mutating func next() -> Unmanaged<AnyObject> {
      let current = position.unsafelyUnwrapped
      position = current + 1
      return current.pointee
    }
  }
}
