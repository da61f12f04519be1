import Foundation
import Oxbow
import OxbowTestSupport
import OxbowTesting
import Testing

/// Conditions on intervals in contexts: unsaved changes, batches.
@Suite(.objectContext { try PersistentContainer(.temporary, types: [Booking.self]) })
struct IntervalSearchTests {
  private let context: any ObjectContext & Sendable

  init() throws { context = try ObjectContextTrait.contexts }

  private static func moment(_ random: inout SeededRandom) -> Date {
    let far: [Double] = [-3e9, -1e9, 1.2e9, 3e9, 5e9, 1e15, 2_147_483_647.5]
    return Date(
      timeIntervalSinceReferenceDate: random.chance(80)
        ? Double(Int.random(in: 0...400, using: &random)) / 4
        : far[Int.random(in: 0..<far.count, using: &random)])
  }

  @Test func `PS-15 unsaved intervals are asked like saved ones, after edits and batches`() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("Intervals in a context: seed \(seed)")
    var random = SeededRandom(seed: seed)
    var bookings: Set<Booking> = []
    for step in 0..<120 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let (begin, end) = (Self.moment(&random), Self.moment(&random))
        bookings.insert(
          try context.insert(Booking.self) { ($0.begin, $0.end, $0.room) = (begin, end, "\(step)") }
        )
      case 4, 5:
        for booking in random.some(of: bookings.sorted { $0.room < $1.room }, atMost: 3) {
          (booking.begin, booking.end) = (Self.moment(&random), Self.moment(&random))
        }
      case 6:
        guard let booking = bookings.min(by: { $0.room < $1.room }) else { continue }
        try context.delete(booking)
        bookings.remove(booking)
      case 7: try context.save()
      case 8:
        try context.rollback()
        bookings = Set(try context.fetch(Booking.self))
      default:
        try context.save()
        let (low, high) = (Self.moment(&random), Self.moment(&random))
        guard low <= high else { continue }
        try context.batchUpdate(Booking.self, where: .overlaps("begin", "end", low...high)) {
          $0.set(\.end, to: high)
        }
      }
      let ends = [Self.moment(&random), Self.moment(&random)].sorted()
      let found = try context.fetch(
        Booking.self, where: .overlaps("begin", "end", ends[0]...ends[1]))
      let wanted = bookings.filter { $0.begin <= ends[1] && $0.end >= ends[0] }
      #expect(Set(found) == wanted, "seed \(seed), step \(step): \(ends)")
      let open = try context.fetch(
        Booking.self, where: .overlaps("begin", "end", ends[0]..<ends[1]))
      #expect(
        Set(open)
          == bookings.filter { $0.begin < ends[1] && $0.end > ends[0] && ends[0] < ends[1] },
        "seed \(seed), step \(step): \(ends)")
    }
  }

  @Test func `PS-15 a batch deletes what overlaps, by the index that it writes`() throws {
    let day = Date(timeIntervalSinceReferenceDate: 8e8)
    try context.batchInsert(Booking.self, 0..<500) { number, booking in
      booking.set(\.begin, to: day + Double(number) * 10)
      booking.set(\.end, to: day + Double(number) * 10 + 15)
    }
    let middle = (day + 1000)...(day + 2000)
    try context.batchDelete(Booking.self, where: .overlaps("begin", "end", middle))
    #expect(try context.count(Booking.self) == 398)
    #expect(try context.count(Booking.self, where: .overlaps("begin", "end", middle)) == 0)
    let both = (day + 900)...(day + 2100)
    #expect(try context.count(Booking.self, where: .overlaps("begin", "end", both)) == 20)
  }
}
