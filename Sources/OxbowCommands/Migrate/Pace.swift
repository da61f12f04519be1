/// Says how fast a long step is, once in a while.
struct Pace {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant

  /// The time between two lines.
  private static let interval = Duration.seconds(1)

  init() {
    start = clock.now
    last = start
  }

  /// The line for a number of objects that are done; `nil` when the last one was a moment ago.
  mutating func line(_ done: Int, of count: Int) -> String? {
    let now = clock.now
    guard now - last >= Self.interval || done == count else { return nil }
    last = now
    return Self.text(done, of: count, after: now - start)
  }

  static func text(_ done: Int, of count: Int, after time: Duration) -> String {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    guard seconds > 0, done > 0 else { return "\(done) of \(count) objects" }
    let rate = Double(done) / seconds
    let left = Double(max(0, count - done)) / rate
    return "\(done) of \(count) objects, \(Int(rate)) in a second"
      + (done < count ? ", \(Int(left.rounded(.up))) s left" : "")
  }
}
