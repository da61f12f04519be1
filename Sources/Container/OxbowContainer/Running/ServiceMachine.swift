/// Which services of a container may start, and which have to stop.
///
/// It knows neither tasks nor clocks: it hears what has happened, and says what has to be done now.
struct ServiceMachine {
  /// How far a service is.
  enum Stage: Sendable {
    case waiting, starting, running, stopping, ended
    /// It was stopped, and goes on beyond its limit.
    case late
  }

  private let order: ServiceOrder
  /// How far each service is, by number.
  private(set) var stages: [Int: Stage]
  /// For each object how many of its needs are not ready.
  private var missing: [Int]
  /// For each object how many of those who need it have not ended.
  private var users: [Int]
  private(set) var isStopping = false
  /// How many services were started and have not ended, without those that are late.
  private var active = 0

  init(_ order: ServiceOrder, services: some Sequence<Int>) {
    self.order = order
    stages = Dictionary(uniqueKeysWithValues: services.map { ($0, .waiting) })
    missing = order.needs.map(\.count)
    users = order.users.map(\.count)
  }

  /// Whether everything has stopped, but for what is late.
  var isOver: Bool { isStopping && active == 0 }

  // MARK: - Starting

  /// The services that need no other.
  mutating func begin() -> [Int] {
    started(
      Self.passed(order.byDependents, &missing, order.users) { [stages] in stages[$0] != nil })
  }

  /// A service is ready.
  ///
  /// - Returns: The services that start now.
  mutating func becameReady(_ number: Int) -> [Int] {
    guard stages[number] == .starting else { return [] }
    stages[number] = .running
    if isStopping { return [] }
    return started(
      Self.passed(from: number, &missing, order.users) { [stages] in stages[$0] != nil })
  }

  private mutating func started(_ numbers: [Int]) -> [Int] {
    for number in numbers { stages[number] = .starting }
    active += numbers.count
    return numbers
  }

  // MARK: - Stopping

  /// Everything has to stop, and nothing else starts.
  ///
  /// - Returns: The services that stop now.
  mutating func stop() -> [Int] {
    guard !isStopping else { return [] }
    isStopping = true
    for (number, stage) in stages where stage == .waiting { stages[number] = .ended }
    return stopped(
      Self.passed(order.byDependents, &users, order.needs) { [stages] in
        Self.isAtWork(stages[$0])
      })
  }

  /// A service that was stopped has ended.
  ///
  /// - Returns: The services that stop now.
  mutating func ended(_ number: Int) -> [Int] { left(number, as: .ended) }

  /// A service that was stopped has not ended within its limit.
  ///
  /// - Returns: The services that stop now.
  mutating func isLate(_ number: Int) -> [Int] { left(number, as: .late) }

  private mutating func left(_ number: Int, as stage: Stage) -> [Int] {
    let wasStopping = stages[number] == .stopping
    stages[number] = stage
    guard wasStopping else { return [] }
    active -= 1
    return stopped(
      Self.passed(from: number, &users, order.needs) { [stages] in Self.isAtWork(stages[$0]) })
  }

  private static func isAtWork(_ stage: Stage?) -> Bool {
    stage == .starting || stage == .running
  }

  private mutating func stopped(_ numbers: [Int]) -> [Int] {
    for number in numbers { stages[number] = .stopping }
    return numbers
  }

  // MARK: - Counting

  /// Counts down along the arrows of what waits for nothing, and of all that has nothing to do
  /// itself once nothing is left to wait for; returns the others.
  private static func passed(
    _ numbers: [Int], _ counts: inout [Int], _ arrows: [[Int]], stops: (Int) -> Bool
  ) -> [Int] {
    var found: [Int] = []
    for number in numbers.filter({ counts[$0] == 0 }) {
      found += stops(number) ? [number] : passed(from: number, &counts, arrows, stops: stops)
    }
    return found
  }

  private static func passed(
    from number: Int, _ counts: inout [Int], _ arrows: [[Int]], stops: (Int) -> Bool
  ) -> [Int] {
    var (open, found) = ([number], [Int]())
    while let next = open.popLast() {
      for end in arrows[next] {
        counts[end] -= 1
        guard counts[end] == 0 else { continue }
        if stops(end) { found.append(end) } else { open.append(end) }
      }
    }
    return found
  }
}
