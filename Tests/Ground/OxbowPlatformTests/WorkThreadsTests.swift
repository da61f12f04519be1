import OxbowPlatform
import OxbowTestSupport
import Synchronization
import Testing

private enum Request {
  @TaskLocal static var number = 0
}

@Suite(.timeLimit(.minutes(30))) struct WorkThreadsTests {
  @Test func `a body has the values, the priority and the cancellation of its task (PS-04)`()
    async throws
  {
    let threads = WorkThreads(limit: 2)
    defer { threads.shutDown() }
    let number = await Request.$number.withValue(7) { await threads.run { Request.number } }
    #expect(number == 7)
    let priority = await Task(priority: .background) {
      await threads.run { Task.currentPriority }
    }.value
    #expect(priority >= .background)
    let isCancelled = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await threads.run { Task.isCancelled }
    }.value
    #expect(isCancelled)
    struct Refused: Error {}
    await #expect(throws: Refused.self) { try await threads.run { throw Refused() } }
  }

  @Test func `bodies that wait keep no other task waiting, and are as many as threads (PS-04)`()
    async throws
  {
    let threads = WorkThreads(limit: 16)
    defer { threads.shutDown() }
    let gate = Monitor((inside: 0, isOpen: false))
    let numbers = Lock<Set<UInt>>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { gate.update { $0.isOpen = true } }
      for _ in 0..<64 {
        group.addTask {
          await threads.run {
            numbers.withLock { _ = $0.insert(currentThreadNumber()) }
            gate.update { $0.inside += 1 }
            gate.wait { $0.isOpen ? .some(()) : nil }
          }
        }
      }
      // This task runs on the threads of the runtime, which are not as many.
      try await wait { gate.wait { .some($0.inside) } == 16 && threads.waitingCount == 48 }
      #expect(threads.count == 16)
    }
    #expect(gate.wait { .some($0.inside) } == 64)
    #expect(numbers.withLock(\.count) <= 16)
  }

  @Test func `a body may wait for another one while there is a thread for it (PS-04)`() async {
    let threads = WorkThreads(limit: 2)
    defer { threads.shutDown() }
    let isDone = Monitor(false)
    async let first = threads.run { isDone.wait { $0 ? true : nil } }
    await threads.run { isDone.update { $0 = true } }
    #expect(await first)
  }

  @Test func `threads end after some time without work, and begin again (PS-04)`() async throws {
    let threads = WorkThreads(limit: 4, idleMilliseconds: 1)
    for round in 1...3 {
      await withTaskGroup(of: Int.self) { group in
        for number in 0..<20 { group.addTask { await threads.run { number * round } } }
        #expect(await group.reduce(0, +) == 190 * round)
      }
      try await wait { threads.count == 0 }
    }
  }

  @Test func `after the end, a thread stays only as long as it has work (PS-04)`() async throws {
    let threads = WorkThreads(limit: 4, idleMilliseconds: 3_600_000)
    await threads.run {}
    #expect(threads.count == 1)
    threads.shutDown()
    try await wait { threads.count == 0 }
    #expect(await threads.run { 7 } == 7)
    try await wait { threads.count == 0 }
  }

  @Test(arguments: [0, 1])
  func `where the system refuses a thread, others run the jobs (PS-04)`(granted: Int) async {
    let left = Atomic(granted)
    let threads = WorkThreads(limit: 4, idleMilliseconds: 3_600_000) { body in
      left.subtract(1, ordering: .relaxed).oldValue > 0 && runInBackground(body)
    }
    defer { threads.shutDown() }
    await withTaskGroup(of: Int.self) { group in
      for number in 0..<100 { group.addTask { await threads.run { number } } }
      #expect(await group.reduce(0, +) == 4950)
    }
    #expect(threads.count == granted)
  }

  // MARK: Preferring

  private actor Holder {
    var threads: [UInt] = []
    func note() { threads.append(currentThreadNumber()) }
    func run(preferring work: WorkThreads) async {
      note()
      await work.preferred { note() }
    }
  }

  @Test func `code that prefers the threads is on them between its calls, and not after (PS-04)`()
    async
  {
    let threads = WorkThreads(limit: 1, idleMilliseconds: 3_600_000)
    defer { threads.shutDown() }
    let own = await threads.run { currentThreadNumber() }
    var steps: [UInt] = []
    await threads.preferred {
      steps.append(currentThreadNumber())
      await Task.yield()
      steps.append(currentThreadNumber())
      async let child = Task.currentPriority
      _ = await child
      steps.append(await threads.run { currentThreadNumber() })
      await threads.preferred { steps.append(currentThreadNumber()) }
    }
    #expect(steps == [own, own, own, own])
    #expect(currentThreadNumber() != own)
  }

  @Test func `an actor that prefers the threads is on them (PS-04)`() async {
    let threads = WorkThreads(limit: 1, idleMilliseconds: 3_600_000)
    defer { threads.shutDown() }
    let own = await threads.run { currentThreadNumber() }
    let holder = Holder()
    // Where the runtime's thread has not left the actor yet, the actor goes on there.
    for _ in 0..<100 {
      await holder.run(preferring: threads)
      if await holder.threads.last == own { break }
    }
    #expect(await holder.threads.first != own)
    #expect(await holder.threads.last == own)
  }

  // MARK: The order of jobs

  @Test func `urgent jobs come first, and every eighth is the oldest (PS-04)`() {
    var queue = WorkQueue<String>()
    for number in 0..<3 { queue.add("low\(number)", priority: TaskPriority.background.rawValue) }
    for number in 0..<8 { queue.add("high\(number)", priority: TaskPriority.high.rawValue) }
    queue.add("medium", priority: TaskPriority.medium.rawValue)
    queue.add("unspecified", priority: 0)
    queue.add("utility", priority: TaskPriority.utility.rawValue)
    var order: [String] = []
    while let job = queue.take() { order.append(job) }
    #expect(
      order == (0..<7).map { "high\($0)" } + ["low0", "high7", "medium", "unspecified"]
        + ["utility", "low1", "low2"])
    #expect(queue.count == 0)
  }

  @Test func `a queue that is long and short by turns loses nothing (PS-04)`() {
    var queue = WorkQueue<Int>()
    var (added, taken) = (0, [Int]())
    for round in 0..<300 {
      for _ in 0..<(round % 7) * 50 {
        queue.add(added, priority: 0)
        added += 1
      }
      for _ in 0..<(round % 5) * 60 { if let job = queue.take() { taken.append(job) } }
    }
    while let job = queue.take() { taken.append(job) }
    #expect(taken == Array(0..<added))
  }
}
