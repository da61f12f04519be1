internal import OxbowPlatform

/// The questions for the health of a container's objects.
///
/// An object that hangs does not make the caller hang, and is not asked again until it has
/// answered, since a probe comes every few seconds.
final class HealthQuestions: Sendable {
  /// The questions to an object that have no answer.
  private struct Open {
    /// The number of the newest.
    var last = 0
    /// Until when each has to be answered.
    var ends: [Int: ContinuousClock.Instant] = [:]
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
    for (number, reporter) in reporters {
      guard let question = begin(number, within: limit) else { continue }
      asked[number] = Task(executorPreference: threads) {
        let health = await reporter.health()
        self.end(question, to: number)
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

  /// The number of a new question to an object; nil while an earlier one is late.
  func begin(
    _ number: Int, within limit: Duration, at now: ContinuousClock.Instant = .now
  ) -> Int? {
    open.withLock { open in
      var questions = open[number] ?? Open()
      guard questions.ends.values.allSatisfy({ now < $0 }) else { return nil }
      questions.last += 1
      questions.ends[questions.last] = now + limit
      open[number] = questions
      return questions.last
    }
  }

  /// Notes the answer to a question.
  func end(_ question: Int, to number: Int) {
    open.withLock { open in
      open[number]?.ends[question] = nil
      if open[number]?.ends.isEmpty == true { open[number] = nil }
    }
  }
}
