import Oxbow
import Synchronization
import Testing

/// `@Lazy` (BM-10), and what all attributes have in common.
@Suite struct LazyAttributeTests {
  final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  final class Part: Sendable {
    static let made = Counter()
    let number: Int
    init() { number = Self.made.next() }
    init(_ number: Int) { self.number = number }
  }

  final class Machine: Sendable {
    let counter: Counter
    @Lazy var part: Part
    @Lazy var list: [Int] = [1, 2]
    @Lazy var spare: Part?
    @Lazy({ (machine: Machine) in machine.counter.next() }) var number: Int
    @Lazy(Machine.found) var found: Part?

    init(counter: Counter = Counter()) { self.counter = counter }

    /// Nothing the first time.
    static func found(_ machine: Machine) -> Part? {
      machine.counter.next() == 1 ? nil : Part(9)
    }
  }

  class Plain {
    @Lazy var items: [NotSendable] = [NotSendable()]
    @Lazy var name: String = "plain"
    init(name: String? = nil) { if let name { self.name = name } }
  }

  final class NotSendable { var x = 1 }

  actor Clerk {
    @Lazy var items: [NotSendable] = [NotSendable(), NotSendable()]
    func add() -> Int {
      items.append(NotSendable())
      return items.count
    }
  }

  struct Record {
    var seed = 3
    @Lazy var part: Part
    @Lazy var spare: Part?
    @Lazy({ (record: Record) in record.seed * 2 }) var double: Int
  }

  class Generic<Element> {
    let element: Element
    @Lazy({ (box: Generic<Element>) in [box.element, box.element] }) var twice: [Element]
    init(_ element: Element) { self.element = element }
  }

  final class Circle: Sendable {
    @Lazy(Circle.made) var value: Int
    static func made(_ circle: Circle) -> Int { circle.value + 1 }
  }

  @Test func `BM-10 the first reader makes the value, by the type's initializer`() {
    let machine = Machine()
    #expect(!machine.$part.isMade)
    let part = machine.part
    #expect(machine.$part.isMade)
    #expect(machine.part === part)
    #expect(Machine().part !== part)
    #expect(machine.list == [1, 2])
  }

  @Test func `BM-10 a function makes the value of what the object has`() {
    let machine = Machine()
    #expect(machine.counter.value == 0)
    #expect(machine.number == 1)
    #expect(machine.number == 1)
    #expect(Generic("a").twice == ["a", "a"])
  }

  @Test func `BM-10 nil has the next reader make the value again`() {
    let machine = Machine()
    let first = machine.spare
    #expect(first != nil)
    machine.spare = nil
    #expect(!machine.$spare.isMade)
    #expect(machine.spare !== first)
    let part = machine.part
    machine.$part.reset()
    #expect(machine.part !== part)
  }

  @Test func `BM-10 a function that gives nil is asked again`() {
    let machine = Machine()
    #expect(machine.found == nil)
    #expect(machine.found?.number == 9)
    #expect(machine.counter.value == 2)
  }

  @Test func `BM-10 what is assigned first is never made`() {
    let machine = Machine()
    machine.number = 7
    #expect(machine.number == 7)
    #expect(machine.counter.value == 0)
    #expect(Plain(name: "given").name == "given")
    #expect(Plain().name == "plain")
  }

  @Test func `BM-10 one of many threads makes the value`() async {
    let machine = Machine()
    let numbers = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<64 { group.addTask { machine.number } }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(numbers == [1])
    #expect(machine.counter.value == 1)
  }

  @Test func `BM-10 a class that is not Sendable, an actor and a struct have lazy values`() async {
    let plain = Plain()
    plain.items[0].x = 5
    #expect(plain.items.map(\.x) == [5])
    #expect(await Clerk().add() == 3)
    var record = Record()
    let part = record.part
    var copy = record
    #expect(copy.part === part)
    #expect(record.double == 6)
    record.double = 1
    #expect(record.double == 1)
    #expect(record.spare != nil)
    copy.spare = Part(2)
    #expect(copy.spare?.number == 2)
  }

  @Test func `BM-10 a value that needs itself stops the process with the reason`() async {
    await #expect(processExitsWith: .failure) {
      _ = Circle().value
    }
  }

  // MARK: - All attributes

  @Test func `BM-02 an attribute needs nothing but itself`() {
    #expect(!((Machine() as Any) is any Component))
    #expect(Machine().part !== Machine().part)
  }

  @Test func `BM-04 a subclass has the attribute, and leaves it by overriding the property`() {
    final class Quiet: Plain {
      override var name: String {
        get { "quiet" }
        set {}
      }
    }
    final class Loud: Plain {}
    let quiet = Quiet(name: "x")
    #expect(quiet.name == "quiet")
    #expect(!quiet.$name.isMade)
    #expect(Loud().name == "plain")
  }

  @Test func `BM-05 a value ends with its object`() {
    weak var part: Part?
    do {
      let machine = Machine()
      part = machine.part
      #expect(part != nil)
    }
    #expect(part == nil)
  }

  @Test func `BM-08 a value may be of any type`() {
    enum Choice { case some(Int), none }
    final class Values {
      @Lazy var number: Int = 3
      @Lazy var flag: Bool
      @Lazy var text: String
      @Lazy var pair: (Int, String) = (1, "a")
      @Lazy var function: () -> Int = { 4 }
      @Lazy var choice: Choice = .some(5)
      @Lazy var range: ClosedRange<Int> = 1...2
      @Lazy var nested: Int?? = .some(nil)
      @Lazy var unwrapped: String! = "u"
      @Lazy var late: Optional<() -> Int> = { 7 }
      @Lazy var existential: any CustomStringConvertible = 6
    }
    let values = Values()
    #expect(values.number == 3)
    #expect(!values.flag)
    #expect(values.text == "")
    #expect(values.pair == (1, "a"))
    #expect(values.function() == 4)
    guard case .some(5) = values.choice else {
      Issue.record("\(values.choice)")
      return
    }
    #expect(values.range == 1...2)
    #expect(values.nested == .some(nil))
    #expect(values.existential.description == "6")
    #expect(values.unwrapped == "u")
    #expect(values.late?() == 7)
  }

  @Test func `BM-19 base and derived class have attributes of their own`() {
    class Base {
      @Lazy var a: Int = 1
      @Final var id: Int?
    }
    class Derived: Base {
      @Lazy var b: Int = 2
      @Final var code: Int?
    }
    final class Third: Derived { @Lazy var c: Int = 3 }
    let third = Third()
    third.id = 4
    third.code = 5
    #expect([third.a, third.b, third.c, third.id, third.code] == [1, 2, 3, 4, 5])
  }

  @Test func `BM-20 nothing is looked for at the start, and threads may share the object`() async {
    let machine = Machine()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<32 {
        group.addTask {
          machine.list = [number]
          machine.spare = number % 2 == 0 ? nil : Part(number)
          _ = machine.list.count + (machine.spare?.number ?? 0)
        }
      }
    }
    #expect(machine.list.count == 1)
  }
}
