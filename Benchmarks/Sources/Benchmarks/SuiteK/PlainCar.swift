import Synchronization

/// What the attributes of properties are compared with.
final class PlainCar {
  final class Part: Sendable {}

  lazy var lazyPart = Part()
  var part = Part()
  var number: Int? = 7
  var volume = 5
  private let guarded = Mutex<Part?>(nil)

  /// A value that is made once for all threads, by hand.
  var lockedPart: Part {
    guarded.withLock { part in
      if let part { return part }
      let new = Part()
      part = new
      return new
    }
  }
}
