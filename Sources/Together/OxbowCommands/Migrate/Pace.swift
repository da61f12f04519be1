/// Says how fast a long step is, once in a while.
struct Pace {
  init(unit: String = "objects") { self.unit = unit }

  private let clock = ContinuousClock()

  /// What is counted: objects, rows, bytes.
  private let unit: String
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
    return Self.text(done, of: count, unit, since: first.done, after: now - first.instant)
  }

  /// The words for objects that are done, of which some were at the start.
  static func text(
    _ done: Int, of count: Int, _ unit: String = "objects", since first: Int, after time: Duration
  ) -> String {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let whole = "\(done) of \(count) \(unit)"
    guard seconds > 0, done > first else { return whole }
    let rate = Double(done - first) / seconds
    guard done < count else { return "\(whole), \(Int(rate)) in a second" }
    let left = (Double(count - done) / rate).rounded(.up)
    return "\(whole), \(Int(rate)) in a second, \(Int(left)) s left"
  }
}

/// Says how fast parts of a step are that are not durable yet: tables, scripts.
struct PartPace {
  private let console: Console
  private var pace = Pace()

  /// The part that the pace is of, and whether a line was written about it.
  private var part: String?
  private var hasSpoken = false

  init(_ console: Console) { self.console = console }

  /// Notes how much of a part is done; what takes less than a moment is not worth a line.
  mutating func follow(_ part: String, _ done: Int, of count: Int, _ unit: String) {
    if part != self.part { (pace, self.part, hasSpoken) = (Pace(unit: unit), part, false) }
    guard let line = pace.line(done, of: count), done < count || hasSpoken else { return }
    hasSpoken = true
    console.note("  \(part): \(line)")
  }
}
