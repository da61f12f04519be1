import OxbowContainer
import Synchronization
import Testing

/// References to a protocol or superclass of what a definition makes: see `ConvertingProvider`.
@Suite struct ConversionTests {
  private func voices(of ref: Ref<any Singer>, _ builder: ContainerBuilder) throws -> [String] {
    let choir = builder.prototype(
      named: "choir", { @Sendable (singer: any Singer) in Choir(singer) }, ref)
    let container = try builder.build()
    return try (0..<6).map { _ in try container.object(choir).singer.sing() }
  }

  @Test func `each object that is seen through a protocol is one of its own`() throws {
    let builder = ContainerBuilder()
    let counter = Counter()
    builder.prototype(named: "singer") { Soprano(counter) }
    let voices = try voices(of: Ref("singer"), builder)
    #expect(voices == (1...6).map { "soprano \($0)" })
    #expect(counter.alive == 0)
  }

  @Test func `a definition may make objects of several classes`() throws {
    let builder = ContainerBuilder()
    let counter = Counter()
    builder.prototype(named: "singer") { () -> Soprano in
      counter.made.isMultiple(of: 2) ? Soprano(counter) : Alto(counter)
    }
    let voices = try voices(of: Ref("singer"), builder)
    #expect(
      voices == [
        "soprano 1", "alto 2", "soprano 3", "alto 4", "soprano 5", "alto 6",
      ])
    #expect(counter.alive == 0)
  }

  @Test func `superclasses, class protocols and compositions are seen as well`() throws {
    let builder = ContainerBuilder()
    let counter = Counter()
    builder.prototype(named: "alto") { Alto(counter) }
    let superclass = builder.prototype(
      named: "a", { @Sendable (it: Soprano) in Box(it) }, Ref("alto"))
    let classBound = builder.prototype(
      named: "b", { @Sendable (it: any Member) in Box(it) }, Ref("alto"))
    let composed = builder.prototype(
      named: "c", { @Sendable (it: any Member & Singer) in Box(it) }, Ref("alto"))
    let anything = builder.prototype(named: "d", { @Sendable (it: Any) in Box(it) }, Ref("alto"))
    let hashed = builder.prototype(
      named: "e", { @Sendable (it: AnyHashable) in Box(it) }, Ref("alto"))
    let container = try builder.build()
    for _ in 0..<3 {
      #expect(try container.object(superclass).content is Alto)
      #expect(try (container.object(classBound).content as? Alto)?.name == "alto")
      #expect(
        try (container.object(composed).content as? any Singer)?.sing().hasPrefix("alto") == true)
      #expect(try container.object(anything).content is Alto)
      #expect(try container.object(hashed).content as? AnyHashable != nil)
    }
    #expect(counter.alive == 0)
  }

  @Test func `values are cast like objects`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "singer") { Bird() }
    #expect(try voices(of: Ref("singer"), builder) == Array(repeating: "tweet", count: 6))
  }

  @Test func `what does not fit is an error at each request`() throws {
    let builder = ContainerBuilder()
    let counter = Counter()
    builder.prototype(named: "singer") { () -> Soprano in
      counter.made < 3 ? Alto(counter) : Soprano(counter)
    }
    let fan = builder.prototype(
      named: "fan", { @Sendable (it: any Deep) in Box(it) }, Ref("singer"))
    let container = try builder.build()
    for _ in 0..<3 { #expect(try container.object(fan).content is Alto) }
    for _ in 0..<2 {
      let error = #expect(throws: ContainerError.self) { try container.object(fan) }
      #expect(error?.problems.first?.code == .typeMismatch)
    }
    #expect(counter.alive == 0)
  }
}

private protocol Singer {
  func sing() -> String
}

private protocol Member: AnyObject {
  var name: String { get }
}

private protocol Deep {}

private final class Counter: Sendable {
  private let state = Mutex((made: 0, alive: 0))
  var made: Int { state.withLock(\.made) }
  var alive: Int { state.withLock(\.alive) }

  func enter() -> Int {
    state.withLock {
      $0.made += 1
      $0.alive += 1
      return $0.made
    }
  }

  func leave() { state.withLock { $0.alive -= 1 } }
}

private class Soprano: Singer, Member, Hashable {
  let number: Int
  private let counter: Counter
  var name: String { "soprano" }

  init(_ counter: Counter) {
    self.counter = counter
    number = counter.enter()
  }

  deinit { counter.leave() }

  func sing() -> String { "\(name) \(number)" }
  static func == (a: Soprano, b: Soprano) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

private final class Alto: Soprano, Deep {
  override var name: String { "alto" }
}

private struct Bird: Singer {
  func sing() -> String { "tweet" }
}

private final class Choir {
  let singer: any Singer
  init(_ singer: any Singer) { self.singer = singer }
}

private final class Box {
  let content: Any
  init(_ content: Any) { self.content = content }
}
