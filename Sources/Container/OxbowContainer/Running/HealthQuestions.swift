internal import OxbowPlatform

/// The questions for the health of a container's objects.
///
/// An object that hangs does not make the caller hang, and is not asked again until it has
/// answered, since a probe comes every few seconds.
final class HealthQuestions: Sendable {
  /// The questions to an object that have no answer.
  private struct Open {
    var count = 0
    /// Until when the first of them had to be answered.
    let end: ContinuousClock.Instant
  }

  private let open = Lock<[Int: Open]>([:])

  /// Where objects are asked: one that blocks must not block the threads of the runtime.
  private let threads = WorkThreads(limit: 16)

  /// Asks all of some objects at once, and returns what came within a time.
  func answers(
    of reporters: [Int: any HealthReporting], within limit: Duration
  ) async -> [Int: Health] {
    let (stream, answers) = AsyncStream.makeStream(of: (number: Int, health: Health)?.self)
    var asked: [Int: Task<Void, Never>] = [:]
    for (number, reporter) in reporters where begin(number, within: limit) {
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
    for (number, question) in asked where found[number] == nil { question.cancel() }
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
  private func begin(_ number: Int, within limit: Duration) -> Bool {
    open.withLock { open in
      var questions = open[number] ?? Open(end: .now + limit)
      guard questions.count == 0 || .now < questions.end else { return false }
      questions.count += 1
      open[number] = questions
      return true
    }
  }

  private func end(_ number: Int) {
    open.withLock { open in
      open[number]?.count -= 1
      if open[number]?.count == 0 { open[number] = nil }
    }
  }
}
