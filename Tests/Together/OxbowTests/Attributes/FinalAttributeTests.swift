import Oxbow
import Synchronization
import Testing

/// `@Final` (BM-17).
@Suite struct FinalAttributeTests {
  final class Order: Sendable {
    @Final var number: Int?
    @Final var customer: String
    @Final private(set) var secret: Int?
    func close() { secret = 1 }
  }

  struct Ticket: Equatable {
    @Final var seat: Int?
    @Final var row: String
  }

  actor Desk {
    @Final var number: Int?
    func take(_ number: Int) throws { try $number.trySet(number) }
  }

  /// The errors of assignments in `body`, which would stop the process.
  private func refusals(_ body: () -> Void) -> [ContainerError] {
    let errors = Errors()
    FinalAssignment.$observer.withValue({ errors.add($0) }, operation: body)
    return errors.all
  }

  private final class Errors: Sendable {
    private let state = Mutex<[ContainerError]>([])
    var all: [ContainerError] { state.withLock { $0 } }
    func add(_ error: ContainerError) { state.withLock { $0.append(error) } }
  }

  @Test func `BM-17 the first assignment counts, and nil is none`() {
    let order = Order()
    order.number = nil
    #expect(!order.$number.isAssigned)
    order.number = 7
    order.customer = "Ada"
    order.close()
    #expect(order.number == 7)
    #expect(order.customer == "Ada")
    #expect(order.secret == 1)
  }

  @Test func `BM-17 a second assignment is refused, and names property and values`() throws {
    let order = Order()
    order.number = 7
    let found = refusals {
      order.number = 8
      order.number = nil
    }
    #expect(order.number == 7)
    #expect(found.map(\.code) == [.alreadyAssigned, .alreadyAssigned])
    #expect(
      found.first?.description == """
        cannot assign 'Order.number': 'Order.number' is final, and was assigned before
           seen: the value 7, which stays, and a second one, 8
           expected: one assignment
           next: assign it once; where it may have happened before, use '$number.trySet(_:)', \
        which throws
        """)
  }

  @Test func `BM-17 a second assignment stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let order = Order()
      order.number = 7
      order.number = 8
    }
  }

  @Test func `BM-17 reading before the assignment stops the process`() async {
    await #expect(processExitsWith: .failure) { _ = Order().customer }
  }

  @Test func `BM-17 trySet throws instead`() async throws {
    let order = Order()
    try order.$customer.trySet("Ada")
    #expect(throws: ContainerError.self) { try order.$customer.trySet("Bob") }
    #expect(order.customer == "Ada")
    let desk = Desk()
    try await desk.take(1)
    await #expect(throws: ContainerError.self) { try await desk.take(2) }
    #expect(await desk.number == 1)
  }

  @Test func `BM-17 of many threads one assigns`() async {
    let order = Order()
    let winners = await withTaskGroup(of: Int?.self) { group in
      for number in 1...32 {
        group.addTask { (try? order.$number.trySet(number)) == nil ? nil : number }
      }
      return await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
    }
    #expect(winners.count == 1)
    #expect(order.number == winners.first)
  }

  @Test func `BM-17 a copy of a struct has an assignment of its own`() throws {
    var ticket = Ticket()
    let open = ticket
    ticket.seat = 4
    ticket.row = "C"
    var copy = ticket
    #expect(refusals { copy.seat = 5 }.count == 1)
    #expect(copy.seat == 4)
    #expect(copy == ticket)
    var other = open
    try other.$seat.trySet(6)
    #expect(throws: ContainerError.self) { try other.$seat.trySet(7) }
    #expect(other.seat == 6)
    #expect(other.$seat.isAssigned && !open.$seat.isAssigned)
  }
}
