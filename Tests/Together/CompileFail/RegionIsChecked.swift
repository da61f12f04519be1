// The driver itself: errors that are found after type checking are seen.
// expect-error: risks causing data races

final class Value {
  var count = 0
}

func send() {
  let value = Value()
  Task.detached { value.count += 1 }
  value.count += 1
}
