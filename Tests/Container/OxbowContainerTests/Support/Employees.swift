import OxbowContainer

// Objects that run, are waited for, or neither, and write down what they do.

/// What has been done, in order; a test can wait for a line.
final class Journal: Sendable {
  private let lines = Collected<String>()
  private let news: AsyncStream<String>
  private let tell: AsyncStream<String>.Continuation

  init() { (news, tell) = AsyncStream.makeStream() }

  var all: [String] { lines.all }

  func note(_ line: String) {
    lines.append(line)
    tell.yield(line)
  }

  /// Returns when a line is there, and has not been waited for before.
  func wait(for line: String) async { await wait { $0 == line } }

  func wait(until fits: (String) -> Bool) async {
    for await new in news where fits(new) { return }
  }

  func index(of line: String) -> Int? { all.firstIndex(of: line) }
}

/// What goes wrong with a worker.
enum Fault: Sendable {
  case construction, readiness, running, early, stopping
}

class Employee: Disposable, @unchecked Sendable {
  // Sendable by argument: the container sets the needs before anything else sees the object.

  let title: String
  let journal: Journal
  let fault: Fault?
  var needs: [Employee] = []
  var later: [Provider<Employee>] = []

  required init(_ name: String, _ journal: Journal, _ fault: Fault? = nil) throws {
    (self.title, self.journal, self.fault) = (name, journal, fault)
    if fault == .construction { throw Refusal("\(name) is not born") }
    journal.note("make \(name)")
  }

  func dispose() { journal.note("dispose \(title)") }

  fileprivate func becomeReady() async throws {
    journal.note("prepare \(title)")
    await Task.yield()
    if fault == .readiness { throw Refusal("\(title) is shy") }
    if fault == .early { await cancellation() }
    journal.note("ready \(title)")
  }

  fileprivate func work() async throws {
    journal.note("run \(title)")
    defer { journal.note("end \(title)") }
    if fault == .running || fault == .early { throw Refusal("\(title) is tired") }
    await cancellation()
    journal.note("stop \(title)")
    await Task.yield()
    if fault == .stopping { throw Refusal("\(title) is stuck") }
    try Task.checkCancellation()
  }
}

final class Runner: Employee, RunningObject, @unchecked Sendable {
  func run() async throws { try await work() }
}

final class Waiter: Employee, Readiness, @unchecked Sendable {
  func ready() async throws { try await becomeReady() }
}

final class Server: Employee, RunningObject, Readiness, @unchecked Sendable {
  func run() async throws { try await work() }
  func ready() async throws { try await becomeReady() }
}

/// Returns when the task is cancelled.
func cancellation() async {
  let (never, _) = AsyncStream.makeStream(of: Never.self)
  for await _ in never {}
}

extension RunOptions {
  /// Options without limits, but for one service, which is late at once where it has this limit.
  static func late(_ service: String, at limit: Duration) -> RunOptions {
    var options = RunOptions()
    options.readyWithin = .seconds(1)
    options.stopWithin = .seconds(2)
    options.wait = { name, given in
      if name == service, given == limit { return }
      await cancellation()
    }
    return options
  }
}

extension Container {
  /// Runs the services until the journal has a line, then cancels; returns what is thrown.
  func run(
    _ options: RunOptions = .late("", at: .zero), until line: String, in journal: Journal
  ) async -> ContainerError? {
    let run = Task { try await self.run(options) }
    await journal.wait(for: line)
    run.cancel()
    return await run.failure
  }
}

extension Task where Success == Void, Failure == any Error {
  /// What the task throws; nil if it returns.
  var failure: ContainerError? {
    get async {
      do { try await value } catch { return error as? ContainerError }
      return nil
    }
  }
}
