@testable import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Graphs of drawn models: attributes of every type, relationships of every cardinality, ordered
/// and not, inheritance, links that lead nowhere.
@Suite struct RandomJSONTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, UInt64.random(in: 7...UInt64.max)])
  func `PG-14 any graph that is written and read again is the same`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for round in 0..<6 {
      let world = try AnyWorld(&random)
      let source = world.context()
      for _ in 0..<random.one(of: [0, 4]) { try world.change(source, &random) }
      var all: [ManagedObject] = []
      for root in world.model.roots {
        all += try source.fetch(
          FetchRequest<ManagedObject>(entityNamed: world.model.entities[root].name))
      }
      let json = try source.json(of: all.shuffled(using: &random), depth: .max)
      let written = try source.json(of: all, depth: random.one(of: [0, 1, .max]))
      let target = ManagedObjectContext(
        coordinator: try PersistentStoreCoordinator(
          CompiledModel(world.model.description, classes: []), at: .inMemory),
        owner: .holder)
      let copies = try target.importJSON(written, file: "seed \(seed), round \(round)")
      try target.save()
      try compare(all, copies, "seed \(seed), round \(round)")
      // The same document again finds the same objects, and changes nothing.
      let again = try source.importJSON(json)
      #expect(Set(again) == Set(all), "seed \(seed), round \(round)")
      try compare(all, copies, "seed \(seed), round \(round), again")
    }
  }

  private func compare(
    _ all: [ManagedObject], _ copies: [ManagedObject], _ place: String
  ) throws {
    try #require(all.count == copies.count, "\(place)")
    let twins = Dictionary(
      zip(all, copies).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    for (object, copy) in zip(all, copies) {
      #expect(object.entityName == copy.entityName, "\(place)")
      for property in object.entity.properties {
        let name = "\(place): \(property.name) of \(object)"
        if let relationship = property.relationship {
          let expected = try object.objects(property.name).compactMap { twins[$0] }
          let found = try copy.objects(property.name)
          let isSame =
            relationship.isOrdered ? expected == found : Set(expected) == Set(found)
          #expect(isSame, "\(name): \(expected), \(found)")
        } else if property.slot >= 0, property.attribute?.derivation == nil {
          let (a, b) = (object.attributeValue(of: property), copy.attributeValue(of: property))
          #expect(AttributeValue.areIdentical(a, b), "\(name): \(String(describing: a))")
        }
      }
    }
  }

  @Test func `PG-14 every moment and every number comes back as it was`() throws {
    var random = SeededRandom(seed: 11)
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription("date", .date), AttributeDescription("number", .double),
          AttributeDescription("price", .decimal),
        ])
    ])
    let context = ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory))
    for _ in 0..<2000 {
      let seconds =
        Double.random(in: -7e10...3e11, using: &random)
        * random.one(of: [1, 1e-3, 1e-6, 1e-12, 1e6])
      let date = Date(
        timeIntervalSinceReferenceDate: random.chance(20) ? seconds.rounded() : seconds)
      let number = Double(bitPattern: random.next())
      let price =
        Decimal(Int64(bitPattern: random.next()))
        * Decimal(sign: .plus, exponent: random.one(of: [-20, -3, 0, 9]), significand: 1)
      let object = try context.insert(entityNamed: "A")
      try object.setValue(date, for: "date")
      try object.setValue(number.isNaN ? 0 : number, for: "number")
      try object.setValue(price, for: "price")
      let json = try context.json(of: [object], depth: 0)
      let copy = try context.importJSON(json, matching: [])[0]
      for property in object.entity.properties {
        #expect(
          AttributeValue.areIdentical(
            object.attributeValue(of: property), copy.attributeValue(of: property)),
          "\(String(decoding: json, as: UTF8.self))")
      }
    }
  }

  @Test func `PG-14 moments are read with an offset and with any fraction`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription("A", attributes: [AttributeDescription("date", .date)])
    ])
    let context = ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory))
    for (text, seconds) in [
      (#""2001-01-01T00:00:01Z""#, 1), (#""2001-01-01T02:00:00+02:00""#, 0),
      (#""2001-01-01T00:00:00.5Z""#, 0.5), (#""2000-12-31T23:59:59.250Z""#, -0.75), ("12.5", 12.5),
    ] {
      let object = try context.importJSON(Data("{\"date\": \(text)}".utf8), as: "A")[0]
      let date = try object.value("date", as: Date.self)
      #expect(date?.timeIntervalSinceReferenceDate == seconds, "\(text)")
    }
  }

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `PG-14 a document with any byte changed is read or refused, as a whole`(seed: UInt64) throws
  {
    var random = SeededRandom(seed: seed)
    let world = try AnyWorld(&random)
    let source = world.context()
    let all = try world.model.roots.flatMap {
      try source.fetch(FetchRequest<ManagedObject>(entityNamed: world.model.entities[$0].name))
    }
    let json = try source.json(of: Array(all.prefix(5)), depth: 1)
    let target = world.context()
    for _ in 0..<200 {
      var damaged = json
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: damaged.indices, using: &random)
        damaged[index] = random.one(
          of: Array("\"\\{}[]:,0-e.x\n".utf8) + [UInt8(random.next() & 0xFF)])
      }
      do throws(PersistenceError) {
        try target.importJSON(damaged)
      } catch {
        #expect(PersistenceError.Code.invalidJSON ~= error, "seed \(seed): \(error)")
        #expect(!target.hasChanges, "seed \(seed): \(error)")
      }
      try target.rollback()
    }
  }
}
