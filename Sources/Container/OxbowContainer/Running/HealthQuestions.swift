internal import OxbowPlatform

/// The questions for the health of a container's objects.
///
/// An object that hangs does not make the caller hang, and is not asked again until it has
/// answered, since a probe comes every few seconds.
final class HealthQuestions: Sendable {
  private struct State {
    /// How many questions to an object have no answer.
    var open: [Int: Int] = [:]
    /// The objects that have not answered in time.
    var late: Set<Int> = []
  }

  private let state = Lock(State())

  /// Where objects are asked: one that blocks must not block the threads of the runtime.
  private let threads = WorkThreads(limit: 16)

  /// Asks all of some objects at once, and returns what came within a time.
  func answers(
    of reporters: [Int: any HealthReporting], within limit: Duration
  ) async -> [Int: Health] {
    let (stream, answers) = AsyncStream.makeStream(of: (number: Int, health: Health)?.self)
    var asked: [Int: Task<Void, Never>] = [:]
    for (number, reporter) in reporters where begin(number) {
      asked[number] = Task(executorPreference: threads) {
        let health = await reporter.health()
        self.end(number)
        answers.yield((number, health))
      }
    }
    let timer = Task {
      try? await Task.sleep(for: limit)
      answers.yield(nil)
    }
    defer { timer.cancel() }
    let found = await Self.first(asked.count, of: stream)
    for (number, question) in asked where found[number] == nil {
      question.cancel()
      if !Task.isCancelled { note(number) }
    }
    return found
  }

  private static func first(
    _ count: Int, of answers: AsyncStream<(number: Int, health: Health)?>
  ) async -> [Int: Health] {
    var found: [Int: Health] = [:]
    guard count > 0 else { return found }
    for await answer in answers {
      guard let answer else { break }
      found[answer.number] = answer.health
      if found.count == count { break }
    }
    return found
  }

  /// Whether an object is asked: not while an earlier question is late.
  private func begin(_ number: Int) -> Bool {
    state.withLock { state in
      guard !state.late.contains(number) else { return false }
      state.open[number, default: 0] += 1
      return true
    }
  }

  private func end(_ number: Int) {
    state.withLock { state in
      let rest = state.open[number, default: 1] - 1
      state.open[number] = rest > 0 ? rest : nil
      if rest == 0 { state.late.remove(number) }
    }
  }

  /// Notes that an object has not answered in time, unless it just has.
  private func note(_ number: Int) {
    state.withLock { state in
      if state.open[number] != nil { state.late.insert(number) }
    }
  }
}
