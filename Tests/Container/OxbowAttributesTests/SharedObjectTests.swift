import OxbowAttributes
import OxbowContainer
import Synchronization
import Testing

/// An object with attributes that several threads use, written as the macros write it; for the
/// thread sanitizer as well.
@Suite struct SharedObjectTests {
  final class Part: Sendable {
    let number: Int
    init(_ number: Int = 0) { self.number = number }
  }

  /// Counts assignments in what is stored.
  struct Counting: PropertyAttribute, Sendable {
    func set(_ access: inout AttributeAccess<Int>) { access.value = (access.stored ?? 0) + 1 }
  }

  final class Machine: Sendable {
    let made = Atomic<Int>(0)

    private let _part = LazySlot<Part>()
    var part: Part {
      get {
        _part._value("part", of: Machine.self) { Part(made.add(1, ordering: .relaxed).newValue) }
      }
      set { _part._set(newValue) }
    }

    private let _spare = LazySlot<Part>()
    var spare: Part? {
      get { _spare._optionalValue("spare", of: Machine.self) { () -> Part? in Part() } }
      set { _spare._set(newValue) }
    }

    private let _id = FinalSlot<Part>()
    var id: Part? {
      get { _id._value }
      set { _id._assign(newValue, "id", of: Machine.self) }
    }
    var handle: FinalProperty<Part> { FinalProperty(_id, "id", of: Machine.self) }

    private let _count = AttributedSlot(
      Counting(), "count", of: Machine.self, as: Int.self, initial: nil)
    var count: Int {
      get { _count._get(self, "count", of: Machine.self) }
      set { _count._set(newValue, self, "count", of: Machine.self) }
    }

    private let _engine = InjectedSlot<Part>(
      AttributedProperty("engine", of: Machine.self, type: Part.self), isOptional: false)
    var engine: Part {
      get { _engine._value(of: self) }
      set { _engine._set(newValue) }
    }
  }

  private func inThreads(_ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for number in 1...64 { group.addTask { body(number) } }
    }
  }

  @Test func `BM-10 a lazy value is made once while others assign another`() async {
    let machine = Machine()
    await inThreads { _ in _ = machine.part }
    #expect(machine.part.number == 1)
    #expect(machine.made.load(ordering: .relaxed) == 1)
    await inThreads { number in
      if number % 3 == 0 { machine.spare = nil }
      if number % 3 == 1 { machine.spare = Part(number) }
      #expect(machine.spare.map { (0...64).contains($0.number) } ?? true)
    }
  }

  @Test func `BM-17 a final value is read while it is assigned`() async {
    let machine = Machine()
    let winning = Winners()
    await inThreads { number in
      if (try? machine.handle.trySet(Part(number))) != nil { winning.add(number) }
      #expect(machine.id.map { (1...64).contains($0.number) } ?? true)
    }
    #expect(winning.all == [machine.id?.number ?? 0])
  }

  @Test func `BM-06 each of many assignments sees the one before`() async {
    let machine = Machine()
    await inThreads { machine.count = $0 }
    #expect(machine.count == 64)
  }

  @Test func `BM-15 a shared value is made once for all objects`() async throws {
    let initializers = PropertyInitializers()
    let made = Winners()
    initializers.register(Part.self, scope: .shared) { _ in
      made.add(1)
      return Part(7)
    }
    let builder = ContainerBuilder()
    builder.add(initializers)
    builder.prototype(named: "machine", Machine.init)
    let container = try builder.build()
    await inThreads { _ in
      let machine = try? container.object("machine", as: Machine.self)
      #expect(machine?.engine.number == 7)
    }
    #expect(made.all == [1])
  }

  private final class Winners: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
  }
}
