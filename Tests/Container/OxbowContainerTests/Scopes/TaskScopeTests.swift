import OxbowContainer
import Testing

@Suite struct TaskScopeTests {
  @Test func `each task scope has its own object, released at its end`() async throws {
    let tally = Tally()
    let container = try makeContainer(tally)
    try await container.withTaskScope {
      try container.withObject("greeter", as: ThreadGreeter.self) { _ = try $0.greet("Ada") }
      await Task.yield()
      let text = try container.withObject("greeter", as: ThreadGreeter.self) { try $0.greet("Bob") }
      #expect(text == "Hello Bob, number 2")
      #expect(tally.endedCount == 0)
    }
    #expect(tally.endedCount == 1)
    try await container.withTaskScope {
      let count = try container.withObject("greeter", as: ThreadGreeter.self) { $0.count }
      #expect(count == 0)
    }
    #expect(tally.count == 2)
  }

  @Test func `a task-local proxy finds the object of the task that calls`() async throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    let target = builder.prototype(
      named: "greeter", in: .task, ThreadGreeter.init(tally:), Ref.value(tally))
    let proxy = builder.proxy(named: "proxy", .taskLocal, of: target, as: GreeterProxy.self)
    let container = try builder.build()
    let greeter = try container.object(proxy)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...8 {
        group.addTask {
          try await container.withTaskScope {
            for _ in 0..<number {
              _ = try greeter.greet("Ada")
              await Task.yield()
            }
            return try greeter.count
          }
        }
      }
      var counts: [Int] = []
      for try await count in group { counts.append(count) }
      return counts
    }
    #expect(counts.sorted() == Array(1...8))
    #expect(tally.count == 8)
    #expect(tally.endedCount == 8)
  }

  @Test func `an object that ends may call an older one of its task`() async throws {
    let log = Collected<String>()
    let builder = ContainerBuilder()
    let old = builder.prototype(named: "old", in: .task, { TaskDesk("old", log) })
    let proxy = builder.proxy(named: "proxy", .taskLocal, of: old, as: GreeterProxy.self)
    builder.prototype(named: "new", in: .task, { TaskDesk("new", log, $0) }, proxy)
    let container = try builder.build()
    try await container.withTaskScope {
      _ = try container.object(proxy).greet("Ada")
      try container.withObject("new", as: TaskDesk.self) { _ = try $0.greet("Bob") }
    }
    #expect(log.all == ["old Ada", "new Bob", "old the end of new", "new ended", "old ended"])
  }

  @Test
  func `outside of a scope, and in a task that was started inside of one, there is no object`()
    async throws
  {
    let container = try makeContainer(Tally())
    let outside = #expect(throws: ContainerError.self) {
      try container.withObject("greeter", as: ThreadGreeter.self) { $0.count }
    }
    #expect(outside?.code == .unboundTask)
    let inside = await container.withTaskScope {
      await Task {
        #expect(throws: ContainerError.self) {
          try container.withObject("greeter", as: ThreadGreeter.self) { $0.count }
        }
      }.value
    }
    #expect("\(inside, default: "")".contains("belongs to another task"))
  }

  @Test func `what belongs to a task cannot become a part of what does not`() {
    let builder = ContainerBuilder()
    let greeter = builder.prototype(
      named: "greeter", in: .task, ThreadGreeter.init(tally:), Ref.value(Tally()))
    builder.prototype(named: "user", { (_: ThreadGreeter) in Part("user") }, greeter)
    builder.proxy(named: "thread", .threadLocal, of: greeter, as: GreeterProxy.self)
    let other = builder.prototype(named: "other", ThreadGreeter.init(tally:), Ref.value(Tally()))
    builder.proxy(named: "task", .taskLocal, of: other, as: GreeterProxy.self)
    let problems = builder.check().problems
    #expect(problems.map(\.code) == [.confinedEscapes, .confinedEscapes, .confinedEscapes])
    #expect(problems[0].nextStep.hasPrefix("refer to a task-local proxy of \"greeter\""))
    #expect(problems[1].nextStep == "use a task-local proxy")
  }

  private func makeContainer(_ tally: Tally) throws -> Container {
    let builder = ContainerBuilder()
    builder.prototype(named: "greeter", in: .task, ThreadGreeter.init(tally:), Ref.value(tally))
    return try builder.build()
  }
}

/// Something of a task that greets an older one when it ends.
private final class TaskDesk: Greeter, ConfinedDisposable {
  private let text: String
  private let log: Collected<String>
  private let older: (any Greeter)?

  init(_ text: String, _ log: Collected<String>, _ older: (any Greeter & Sendable)? = nil) {
    (self.text, self.log, self.older) = (text, log, older)
  }

  var count: Int { 0 }
  func name() throws -> String { text }
  func greet(_ guest: String) throws -> String {
    log.append("\(text) \(guest)")
    return text
  }
  func dispose() throws {
    _ = try older?.greet("the end of \(text)")
    log.append("\(text) ended")
  }
}
