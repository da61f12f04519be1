import OxbowContainer
import OxbowTestSupport
import Synchronization
import Testing

@testable import OxbowAttributes

/// The cell behind `@Lazy` and `@Injected`.
@Suite struct MadeOnceTests {
  @Test func `threads that read first get one value`() async {
    let made = MadeOnce<Counted>()
    let count = Counter()
    let numbers = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<32 {
        group.addTask {
          let value = try? made.value(named: "x") {
            Counted(count.next())
          }
          return value?.number ?? 0
        }
      }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(numbers == [1])
  }

  @Test func `a value that needs itself is an error`() {
    let made = MadeOnce<Counted>()
    #expect {
      try made.value(named: "x") { try made.value(named: "x") { Counted(1) } }
    } throws: {
      ContainerError.Code.constructionDeadlock ~= $0
    }
  }

  @Test func `an error leaves the next reader to try again`() throws {
    struct Failure: Error {}
    let made = MadeOnce<Counted>()
    #expect(throws: Failure.self) { try made.value(named: "x") { throw Failure() } }
    #expect(made.current == nil)
    #expect(try made.value(named: "x") { nil } == nil)
    #expect(try made.value(named: "x") { Counted(2) }?.number == 2)
  }

  @Test func `what is assigned while it is made stays`() throws {
    let made = MadeOnce<Counted>()
    let value = try made.value(named: "x") {
      made.set(Counted(7))
      return Counted(1)
    }
    #expect(value?.number == 7)
  }

  @Test(arguments: [false, true])
  func `what is forgotten while it is made is made again`(isAssignedBefore: Bool) throws {
    let made = MadeOnce<Counted>()
    let first = try made.value(named: "x") {
      if isAssignedBefore { made.set(Counted(7)) }
      made.set(nil)
      return Counted(1)
    }
    #expect(first?.number == 1)
    #expect(try made.value(named: "x") { Counted(2) }?.number == 2)
    #expect(made.current?.number == 2)
  }

  @Test func `the old value may use the slot when it ends`() {
    let made = MadeOnce<Ending>()
    let seen = Counter()
    made.set(Ending { if made.current == nil { _ = seen.next() } })
    made.set(nil)
    #expect(seen.next() == 2)
  }
}

private final class Counted: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private final class Counter: Sendable {
  private let count = Atomic<Int>(0)
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

private final class Ending: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}
