/// Says how fast a long step is, once in a while.
struct Pace {
  private let clock = ContinuousClock()
  private var last: ContinuousClock.Instant?

  /// When the first batch was done, and how many objects were: those of an earlier start do not
  /// count.
  private var start: (instant: ContinuousClock.Instant, done: Int)?

  private static let interval = Duration.seconds(1)

  /// The line for a number of objects that are done; `nil` when the last one was a moment ago.
  mutating func line(_ done: Int, of count: Int) -> String? {
    let now = clock.now
    let first = start ?? (now, done)
    start = first
    guard done == count || now - (last ?? first.instant) >= Self.interval else { return nil }
    last = now
    return Self.text(done, of: count, since: first.done, after: now - first.instant)
  }

  /// The words for objects that are done, of which some were at the start.
  static func text(_ done: Int, of count: Int, since first: Int, after time: Duration) -> String {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let whole = "\(done) of \(count) objects"
    guard seconds > 0, done > first else { return whole }
    let rate = Double(done - first) / seconds
    guard done < count else { return "\(whole), \(Int(rate)) in a second" }
    let left = (Double(count - done) / rate).rounded(.up)
    return "\(whole), \(Int(rate)) in a second, \(Int(left)) s left"
  }
}
