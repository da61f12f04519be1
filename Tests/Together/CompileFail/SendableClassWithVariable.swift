// The driver itself: a plain error of the compiler is seen and matched.
// expect-error: stored property 'count' of 'Sendable'-conforming class 'Counter' is mutable

final class Counter: Sendable {
  var count = 0
}
