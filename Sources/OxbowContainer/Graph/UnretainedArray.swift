/// Objects that linked code calls in turn, without counting references to them.
///
/// The fast path beside an array of objects: every thread that makes a graph goes through the same
/// providers, and counting references to these makes the threads wait for each other's caches. Guarded by
/// suite K, graph and threads.
///
/// The row holds its objects until it ends; whoever calls one of them holds the row meanwhile.
package struct UnretainedArray: ~Copyable {
  private let start: UnsafeMutablePointer<Unmanaged<AnyObject>>?
  package let count: Int

  package init(_ objects: [AnyObject]) {
    count = objects.count
    start = objects.isEmpty ? nil : .allocate(capacity: objects.count)
    for (number, object) in objects.enumerated() {
      start?.advanced(by: number).initialize(to: .passRetained(object))
    }
  }

  deinit {
    for number in 0..<count { self[number].release() }
    start?.deallocate()
  }

  package var isEmpty: Bool { count == 0 }

  /// An object, not retained.
  ///
  /// - Precondition: the number is less than `count`.
  package subscript(number: Int) -> Unmanaged<AnyObject> {
    precondition(number < count)
    return start.unsafelyUnwrapped[number]
  }

  /// The objects in order, for one walk while somebody holds the row.
  package var walk: Walk { Walk(next: start) }

  /// A place in a row; as many steps are allowed as the row has objects left.
  package struct Walk {
    fileprivate var next: UnsafeMutablePointer<Unmanaged<AnyObject>>?

    package mutating func step() -> Unmanaged<AnyObject> {
      let place = next.unsafelyUnwrapped
      next = place + 1
      return place.pointee
    }
  }
}
