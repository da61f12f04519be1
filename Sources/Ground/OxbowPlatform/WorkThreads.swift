/// Threads for tasks that wait for disks and locks.
///
/// The threads of the concurrency runtime are as many as the processor has cores, and a task that
/// blocks one of them keeps all others waiting. Here each waits on a thread of its own: threads are
/// started when jobs arrive, up to a limit, and end after some time without work. Beyond the limit
/// jobs wait in a ``WorkQueue``. A thread that waits for another one for long gives up its place
/// meanwhile (``whileBlocked(_:)``), so that what needs no lock goes on.
///
/// A task that prefers this executor keeps its task-locals, its priority and its cancellation.
package final class WorkThreads: TaskExecutor {
  private struct State {
    var jobs = WorkQueue<UnownedJob>()
    /// All threads, and those of them that wait for a job.
    var (count, idle) = (0, 0)
    var isShutDown = false
    /// How many threads have given up their places.
    var blocked = 0

    /// How many threads there may be now.
    func places(of limit: Int) -> Int { limit + min(blocked, 3 * limit) }

    /// Adds a job, and counts the thread that has to be started for it.
    ///
    /// - Returns: Whether one has to be started.
    mutating func add(_ job: UnownedJob, _ priority: UInt8, limit: Int) -> Bool {
      jobs.add(job, priority: priority)
      guard jobs.count > idle, count < places(of: limit) else { return false }
      count += 1
      return true
    }
  }

  private enum Turn {
    case job(UnownedJob)
    case wait
    case end
  }

  private let limit: Int
  private let idleMilliseconds: Int
  private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let state = Monitor(State())

  /// Creates an executor without threads.
  ///
  /// - Parameters:
  ///   - limit: How many threads there may be; at least one.
  ///   - idleMilliseconds: How long a thread waits for a job before it ends.
  ///   - start: Runs a closure on a new thread, unless the system refuses one.
  package init(
    limit: Int, idleMilliseconds: Int = 10_000,
    start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = runInBackground
  ) {
    self.limit = max(1, limit)
    self.idleMilliseconds = idleMilliseconds
    self.start = start
  }

  /// How many threads there are.
  package var count: Int { state.wait { .some($0.count) } }

  /// How many jobs wait for a thread.
  package var waitingCount: Int { state.wait { .some($0.jobs.count) } }

  /// Ends the threads that have nothing to do, and from now on each as soon as it has not.
  package func shutDown() { state.update { $0.isShutDown = true } }

  package func enqueue(_ job: consuming ExecutorJob) {
    let priority = job.priority.rawValue
    let job = UnownedJob(job)
    let needsThread = state.updateForOne { $0.add(job, priority, limit: limit) }
    if needsThread, !start({ self.work() }) { goOnWithoutThread() }
  }

  /// Leaves the jobs to the other threads, or to the runtime if this was the only one.
  private func goOnWithoutThread() {
    let jobs = state.wait { state -> [UnownedJob]? in
      state.count -= 1
      var jobs: [UnownedJob] = []
      while state.count == 0, let job = state.jobs.take() { jobs.append(job) }
      return jobs
    }
    for job in jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }

  private func work() {
    Self.current?.value = self
    let executor = asUnownedTaskExecutor()
    while let job = next() { job.runSynchronously(on: executor) }
    Self.current?.value = nil
  }

  /// The next job, or `nil` when the thread ends, which is no longer counted then.
  private func next() -> UnownedJob? {
    let turn = state.wait { state -> Turn? in
      // Another one has its place again.
      if state.count > state.places(of: limit) {
        state.count -= 1
        return .end
      }
      if let job = state.jobs.take() { return .job(job) }
      state.idle += 1
      return .wait
    }
    switch turn {
    case .job(let job): return job
    case .end: return nil
    case .wait: break
    }
    let woken = state.wait(milliseconds: idleMilliseconds) { Self.turn(&$0, mayEnd: false) }
    // A job may have arrived since, and its sender counted on this thread.
    let last = woken ?? state.wait { Self.turn(&$0, mayEnd: true) }
    if case .job(let job) = last { return job } else { return nil }
  }

  /// What an idle thread does next; `nil` to go on waiting.
  private static func turn(_ state: inout State, mayEnd: Bool) -> Turn? {
    if let job = state.jobs.take() {
      state.idle -= 1
      return .job(job)
    }
    guard mayEnd || state.isShutDown else { return nil }
    state.idle -= 1
    state.count -= 1
    return .end
  }
}

// MARK: - Waiting

extension WorkThreads {
  /// The executor of the calling thread.
  private static let current = try? ThreadLocal<WorkThreads>()

  /// After so many milliseconds, a thread that waits for another one gives up its place.
  package static let patience = 20

  /// Runs `body`, which waits for another thread; meanwhile one more may run.
  package static func whileBlocked<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let threads = current?.value else { return try body() }
    threads.giveUpPlace()
    defer { threads.state.update { $0.blocked -= 1 } }
    return try body()
  }

  private func giveUpPlace() {
    let needsThread = state.update { state in
      state.blocked += 1
      guard state.jobs.count > state.idle, state.count < state.places(of: limit) else {
        return false
      }
      state.count += 1
      return true
    }
    if needsThread, !start({ self.work() }) { goOnWithoutThread() }
  }
}

// MARK: - Running on them

extension WorkThreads {
  /// Runs `body` on one of the threads, off the caller's actor.
  @concurrent package func run<R: Sendable, E: Error>(
    _ body: @concurrent @Sendable () async throws(E) -> R
  ) async throws(E) -> R {
    try await withTaskExecutorPreference(self) { () async throws(E) -> R in try await body() }
  }

  /// Runs `body` where the caller is, and on these threads what of it is not on an actor with an
  /// executor of its own: its child tasks too.
  ///
  /// An actor without one goes on where the runtime lets it: on these threads, unless the thread
  /// that it came from has not left it yet.
  package nonisolated(nonsending) func preferred<R, E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    guard !isPreferred else { return try await body() }
    let result = await withTaskExecutorPreference(self) { () async -> Result<R, E> in
      await hop()
      do throws(E) { return .success(try await body()) } catch { return .failure(error) }
    }
    // An actor would go on here on one of the threads.
    await hop()
    return try result.get()
  }

  private var isPreferred: Bool {
    withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
  }
}

/// Leaves the caller's actor for a moment: the task changes to the executor that it prefers.
@concurrent private func hop() async { stay() }

// Without a call in it, the optimizer would leave the change out.
@inline(never) @_optimize(none) private func stay() {}
