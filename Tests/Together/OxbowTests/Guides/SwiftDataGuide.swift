import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// The code of docs/guide/coming-from-swiftdata.md.

/// The entities of the guide, and what it does with them.
enum SwiftDataGuide {
  @Entity(unique: [["code"]]) final class Trip: ManagedObject {
    var code: String
    var name: String = ""
    var begins: Date?
    @Relationship(.cascade, inverse: \.trip) var stops: Set<Stop> = []
  }

  @Entity final class Stop: ManagedObject {
    var place: String = ""
    var nights: Int = 1
    @Relationship(inverse: \.stops) var trip: Trip?
  }

  static func plan(at path: String) throws -> (store: PersistentContainer, nights: Int) {
    let store = try PersistentContainer(.file(path), types: [Trip.self, Stop.self])
    let nights = try store.perform { context in
      let trip = try context.insert(Trip.self) { ($0.code, $0.name) = ("LIS", "Lisbon") }
      for (place, nights) in [("Alfama", 3), ("Sintra", 1)] {
        try context.insert(Stop.self) { ($0.place, $0.nights, $0.trip) = (place, nights, trip) }
      }
      try context.save()
      return trip.stops.map(\.nights).reduce(0, +)
    }
    return (store, nights)
  }

  static func stops(in context: ManagedObjectContext) throws -> (long: [Stop], count: Int) {
    let long = try context.fetch(
      Stop.self, where: #Predicate { $0.nights > 2 && $0.place.starts(with: "A") },
      sortedBy: [.ascending(\.trip?.name), .descending(\.nights)])
    let id = long[0].trip?.objectID
    let count = try context.count(Stop.self, where: #Predicate { $0.trip?.objectID == id })
    return (long, count)
  }
}

typealias Trip = SwiftDataGuide.Trip

extension Trip: AwakeFromInsertHook {
  func awakeFromInsert() { begins = Date() }
}

@Suite struct SwiftDataGuideTests {
  @Test func `trips are inserted, begin at their insertion, and are found with their stops`() throws
  {
    let folder = try TemporaryFolder()
    let (store, nights) = try SwiftDataGuide.plan(at: folder.file("trips.sqlite"))
    defer { store.close() }
    #expect(nights == 4)
    let context = store.makeContext()
    #expect(try context.fetch(Trip.self).allSatisfy { $0.begins != nil })
    let (long, count) = try SwiftDataGuide.stops(in: context)
    #expect(long.map(\.place) == ["Alfama"])
    #expect(count == 2)
  }
}
