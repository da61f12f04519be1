import Oxbow
import Testing

@Proxied protocol Titled {
  func title() throws -> String
}

extension TitledProxy: TitledForwarding {}

@Proxied protocol Priced: Titled {
  var price: Int { get throws }
}

extension PricedProxy: PricedForwarding {}

@Proxied protocol Loanable: Titled, Sendable {
  func lend<Reader>(to reader: Reader, days: inout Int) async throws -> [Reader]
}

extension LoanableProxy: LoanableForwarding {}

@Proxied(also: Titled.self) protocol LibraryBook: Priced & Loanable {
  subscript(page: Int) -> String { get throws }
}

extension LibraryBookProxy: LibraryBookForwarding {}

@Proxied protocol Shelf<Key> {
  associatedtype Key: Hashable & Sendable
  func book(at key: Key) throws -> String
  func fill(with makeBook: @autoclosure () throws -> String) throws
}

extension ShelfProxy: ShelfForwarding {}

@Proxied protocol NumberedShelf: Shelf<Int>, Titled {
  var count: Int { get throws }
}

extension NumberedShelfProxy: NumberedShelfForwarding {}

@Proxied protocol NamedShelf: Shelf where Key == String {
  func names(of keys: [String], matching isWanted: (String) -> Bool) throws -> [String]
}

extension NamedShelfProxy: NamedShelfForwarding {}

@Proxied protocol OpenShelf<Key>: Shelf where Key: Hashable & Sendable {
  func next(to key: Key) throws -> Key
}

extension OpenShelfProxy: OpenShelfForwarding {}

@Proxied(also: Shelf<Int>.self) protocol Stacks: NumberedShelf, LendingShelf {}

extension StacksProxy: StacksForwarding {}

@Proxied protocol LendingShelf: Shelf<Int> {
  func lend(_ key: Int, _ note: consuming [Int], sending text: sending String) throws -> String
}

extension LendingShelfProxy: LendingShelfForwarding {}

struct Ticket: ~Copyable {
  let number: Int
}

@Proxied protocol Counter: AnyObject {
  var next: Int { get throws }
  subscript(row: Int) -> Int { get throws }
  func draw() throws -> Ticket
  func add(_ numbers: inout [Int]) throws
  func each(_ body: (Int) throws -> Void) throws
  func sum<each N: BinaryInteger>(_ numbers: repeat each N) throws -> Int
  func hold(_ lent: Ticket.Type, _ ticket: borrowing Ticket) throws -> Int
  @discardableResult func reset() throws -> Int
}

extension CounterProxy: CounterForwarding {}

/// What a class makes of a forwarding protocol that it adopts by hand.
struct AskingTitled: TitledForwarding, Titled {
  func _targetTitled() throws -> any Titled { Novel() }
}

enum Rooms {
  @Proxied protocol Hall {
    func enter() throws -> String
  }
}

extension Rooms.HallProxy: Rooms.HallForwarding {}

/// Has defaults for what a parent requires: one that is declared again, one that cannot throw.
@Proxied protocol Anonymous: Titled, Aged {
  func title() throws -> String
}

extension Anonymous {
  func title() throws -> String { "untitled" }
  var age: Int { 0 }
}

extension AnonymousProxy: AnonymousForwarding {}

@Proxied protocol Aged {
  var age: Int { get throws }
}

extension AgedProxy: AgedForwarding {}

final class Letter: Anonymous, Sendable {
  func title() -> String { "To Ada" }
  var age: Int { get throws { 170 } }
}

final class Novel: LibraryBook {
  var price: Int { 12 }
  func title() -> String { "Kim" }
  func lend<Reader>(to reader: Reader, days: inout Int) async -> [Reader] {
    days += 14
    return [reader]
  }
  subscript(page: Int) -> String { "page \(page)" }
}

final class Cupboard: Shelf {
  func book(at key: Int) -> String { "book \(key)" }
  func fill(with makeBook: @autoclosure () throws -> String) throws { _ = try makeBook() }
}

final class Bookcase: Stacks, OpenShelf {
  var count: Int { 3 }
  func title() -> String { "fiction" }
  func book(at key: Int) -> String { "book \(key)" }
  func next(to key: Int) -> Int { key + 1 }
  func fill(with makeBook: @autoclosure () throws -> String) throws { _ = try makeBook() }
  func lend(_ key: Int, _ note: consuming [Int], sending text: sending String) -> String {
    "\(key) \(note.count) \(text)"
  }
}

final class Index: NamedShelf {
  func book(at key: String) -> String { key }
  func fill(with makeBook: @autoclosure () throws -> String) throws {}
  func names(of keys: [String], matching isWanted: (String) -> Bool) -> [String] {
    keys.filter(isWanted)
  }
}

final class Till: Counter {
  var next = 1
  subscript(row: Int) -> Int { next + row }
  func draw() -> Ticket { Ticket(number: next) }
  func add(_ numbers: inout [Int]) {
    next += 1
    numbers.append(next)
  }
  func each(_ body: (Int) throws -> Void) throws { try body(next) }
  func sum<each N: BinaryInteger>(_ numbers: repeat each N) -> Int {
    var sum = 0
    for number in repeat each numbers { sum += Int(number) }
    return sum
  }
  func hold(_ lent: Ticket.Type, _ ticket: borrowing Ticket) -> Int { ticket.number }
  func reset() -> Int {
    next = 0
    return next
  }
}

/// A target that is a value.
struct Leaflet: Titled {
  let words: [String]
  func title() throws -> String {
    guard let first = words.first else { throw Vanished() }
    return first
  }
}

struct Vanished: Error {}

@Suite struct ProxiedTests {
  @Test func `every requirement reaches the target, inherited ones too`() async throws {
    let book: any LibraryBook = LibraryBookProxy(source: LazySource.unchecked { Novel() })
    #expect(try book.title() == "Kim")
    #expect(try book.price == 12)
    #expect(try book[3] == "page 3")
    var days = 1
    #expect(try await book.lend(to: "Ada", days: &days) == ["Ada"])
    #expect(days == 15)
  }

  @Test func `a generic proxy replaces a protocol with a primary associated type`() throws {
    let shelf: any Shelf<Int> = ShelfProxy<Int>(source: LazySource.unchecked { Cupboard() })
    for _ in 0..<2 { #expect(try shelf.book(at: 4) == "book 4") }
    #expect(throws: Vanished.self) { try shelf.fill(with: { throw Vanished() }()) }
  }

  @Test func `a protocol may refine a generic one, binding its type or handing it on`() throws {
    let numbered: any NumberedShelf = NumberedShelfProxy(
      source: LazySource.unchecked { Bookcase() })
    #expect(try numbered.book(at: 1) == "book 1")
    #expect(try numbered.title() == "fiction")
    #expect(try numbered.count == 3)
    let named: any NamedShelf = NamedShelfProxy(source: LazySource.unchecked { Index() })
    #expect(try named.book(at: "Kim") == "Kim")
    #expect(try named.names(of: ["a", "b"]) { $0 == "b" } == ["b"])
    let open: any OpenShelf<Int> = OpenShelfProxy<Int>(source: LazySource.unchecked { Bookcase() })
    #expect(try open.book(at: 2) == "book 2")
    #expect(try open.next(to: 2) == 3)
    let stacks: any Stacks = StacksProxy(source: LazySource.unchecked { Bookcase() })
    #expect(try stacks.book(at: 4) == "book 4")
    #expect(try stacks.lend(1, [2, 3], sending: "x") == "1 2 x")
  }

  /// A till asked for with each call, and tills on loan.
  private static func counters() throws -> [any Counter] {
    let sources: [any ProxySource<any Counter>] = try [
      RecordingSource.unchecked(into: CallRecorder()) { Till() }, FixedSource.unchecked(Till()),
      LazySource.unchecked { Till() },
      ThreadLocalSource { Till() },
    ]
    return sources.map { CounterProxy(source: $0) }
  }

  @Test func `requirements of every shape reach a target that is borrowed or asked for`() throws {
    for counter in try Self.counters() {
      #expect(try counter.next == 1)
      #expect(try counter[2] == 3)
      #expect(try counter.draw().number == 1)
      var numbers: [Int] = []
      try counter.add(&numbers)
      #expect(numbers == [2])
      var seen: [Int] = []
      try counter.each { seen.append($0) }
      #expect(seen == [2])
      #expect(throws: Vanished.self) { try counter.each { _ in throw Vanished() } }
      #expect(try counter.sum(1, UInt8(2)) == 3)
      #expect(try counter.hold(Ticket.self, Ticket(number: 3)) == 3)
      try counter.reset()
      #expect(try counter.next == 0)
    }
  }

  @Test func `a target may be a value, and one that throws stays`() throws {
    for words in [["Kim"], []] {
      let sources: [any ProxySource<any Titled>] = try [
        FixedSource.unchecked(Leaflet(words: words)),
        LazySource.unchecked { Leaflet(words: words) },
        ThreadLocalSource { Leaflet(words: words) },
      ]
      for source in sources {
        let proxy = TitledProxy(source: source)
        for _ in 0..<3 { #expect((try? proxy.title()) == words.first) }
      }
    }
  }

  @Test func `D7 a default for a parent's requirement does not keep a call from the target`() throws
  {
    func check<A: Anonymous>(_ letter: A) throws {
      #expect(try letter.title() == "To Ada")
    }
    func asked(_ titled: any Titled, _ aged: any Aged) throws -> String {
      "\(try titled.title()) \(try aged.age)"
    }
    let recorder = CallRecorder()
    let proxy = AnonymousProxy.recording(into: recorder) { Letter() }
    #expect(try asked(proxy, proxy) == "To Ada 170")
    #expect(try proxy.title() == "To Ada")
    try check(proxy)
    #expect(recorder.calls.map(\.name) == ["title()", "age", "title()", "title()"])
  }

  @Test func `a class may adopt a forwarding protocol by hand`() throws {
    #expect(try AskingTitled().title() == "Kim")
  }

  @Test func `a recording proxy notes what was called, inherited requirements too`() async throws {
    let recorder = CallRecorder()
    let book = LibraryBookProxy(source: RecordingSource.unchecked(into: recorder) { Novel() })
    var days = 1
    _ = try await book.lend(to: "Ada", days: &days)
    _ = try book.title()
    _ = try book.price
    _ = try book[3]
    #expect(
      recorder.calls.map(\.description) == [
        "lend(to: Ada, days: 1)", "title()", "price", "subscript[3]",
      ])
    #expect(
      recorder.calls.map(\.protocolName) == ["Loanable", "Titled", "Priced", "LibraryBook"])
    #expect(recorder.calls[0].arguments[1].value(as: Int.self) == 1)
  }

  @Test func `what cannot be shown is named by its kind`() throws {
    let recorder = CallRecorder()
    let named = NamedShelfProxy(source: RecordingSource.unchecked(into: recorder) { Index() })
    _ = try named.names(of: ["a"]) { _ in true }
    let shelf = LendingShelfProxy(source: RecordingSource.unchecked(into: recorder) { Bookcase() })
    _ = try shelf.lend(1, [], sending: "x")
    try shelf.fill(with: "x")
    #expect(
      recorder.calls.map(\.description) == [
        "names(of: [\"a\"], matching: <function>)", "lend(1, <[Int]>, sending: x)",
        "fill(with: <function>)",
      ])
  }

  @Test func `a target that cannot be built is reported by the call`() {
    let book = PricedProxy(source: LazySource.unchecked { throw Vanished() })
    #expect(throws: Vanished.self) { _ = try book.price }
    #expect(!book.isTargetMaterialized)
  }

  @Test func `a proxy says which classes it can replace`() {
    #expect(PricedProxy.accepts(Novel.self))
    #expect(!PricedProxy.accepts(Cupboard.self))
  }

  @Test func `a container wires proxies of annotated protocols`() throws {
    let builder = ContainerBuilder()
    let book = builder.singleton(named: "book", lazy: LibraryBookProxy.self, Novel.init)
    let container = try builder.build()
    #expect(try container.object(book).title() == "Kim")
    withExtendedLifetime(container) {}
  }
}
