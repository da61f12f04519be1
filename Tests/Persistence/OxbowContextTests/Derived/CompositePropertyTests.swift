import Foundation
import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

/// Composite attributes as properties of a class (PM-01, PM-05).
@Suite struct CompositePropertyTests {
  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext

  init() throws {
    let model = try CompiledModel(ManagedObjectModel(types: [Kiosk.self]), classes: [Kiosk.self])
    coordinator = try PersistentStoreCoordinator(model, at: .inMemory)
    context = ManagedObjectContext(coordinator: coordinator, owner: .holder)
  }

  @Test func `a composite property is read, set and saved as a value (PM-01)`() throws {
    let kiosk = try context.insert(Kiosk.self)
    // The defaults of parts are those of an optional attribute as well.
    #expect(kiosk.place?.spot == Spot(x: 1.5) && kiosk.origin == Spot(x: 1.5))
    kiosk.place = Address(street: "Long", spot: Spot(x: 2, y: 3))
    kiosk.origin.y = 4
    #expect(kiosk.place?.spot?.y == 3)
    try context.save()
    let reader = ManagedObjectContext(coordinator: coordinator, owner: .holder)
    let found = try #require(
      try reader.fetch(
        FetchRequest<Kiosk>(where: FetchPredicate(format: "place.spot.x == 2 AND origin.y == 4"))
      ).first)
    #expect(found.place == Address(street: "Long", spot: Spot(x: 2, y: 3)))
    #expect(found.origin == Spot(x: 1.5, y: 4))
    found.place?.spot = nil
    try reader.save()
    #expect(try found.composite("place") == ["street": .string("Long"), "level": .integer(0)])
    found.place = nil
    #expect(try found.value("place.street", as: String.self) == nil)
    try reader.save()
    try context.refresh(kiosk)
    #expect(kiosk.place == nil)
  }

  @Test func `a changed part is a change of the property, of which rules are asked (PM-01)`() throws
  {
    let kiosk = try context.insert(Kiosk.self)
    try context.save()
    #expect(!kiosk.hasChange(of: \.origin) && !kiosk.hasChange(of: \.place))
    kiosk.origin.x = 99
    #expect(kiosk.hasChange(of: \.origin) && !kiosk.hasChange(of: \.place))
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .validation && error?.message.contains("is too far away") == true)
  }

  /// The kiosks that a request finds, as the x of their origins, from the store and with unsaved
  /// changes.
  private func origins(
    where predicate: Predicate<Kiosk>, _ order: SortKey<Kiosk> = .ascending(\.origin.x)
  ) throws -> [Double] {
    let fresh = ManagedObjectContext(coordinator: coordinator, owner: .holder)
    let stored = try fresh.fetch(Kiosk.self, where: predicate, sortedBy: [order]).map(\.origin.x)
    // An unsaved object that no condition of these tests finds makes memory decide as well.
    let other = try fresh.insert(Kiosk.self)
    other.place = nil
    other.origin.x = -1
    for kiosk in try fresh.fetch(Kiosk.self) where kiosk !== other {
      let place = kiosk.place
      kiosk.place = nil
      kiosk.place = place
      kiosk.origin.y = (kiosk.origin.y ?? 0) + 1
    }
    let merged = try fresh.fetch(Kiosk.self, where: predicate, sortedBy: [order]).map(\.origin.x)
    #expect(merged.filter { $0 >= 0 } == stored)
    return stored
  }

  @Test func `predicates and sort keys in code go into parts (PM-01, PF-07, PF-08)`() throws {
    for (x, street, level) in [
      (1.0, "Long", Level.first), (2, "Short", .ground), (3, nil, .ground),
    ] {
      let kiosk = try context.insert(Kiosk.self)
      kiosk.origin.x = x
      kiosk.place = street.map {
        Address(street: $0, level: level, spot: x == 1 ? Spot(x: 9) : nil)
      }
    }
    try context.save()
    #expect(try origins(where: #Predicate { $0.origin.x > 1 }) == [2, 3])
    #expect(try origins(where: #Predicate { $0.place?.street == "Long" }) == [1])
    #expect(try origins(where: #Predicate { $0.place?.spot?.x == 9 }) == [1])
    #expect(try origins(where: #Predicate { $0.place?.street.contains("o") == true }) == [1, 2])
    #expect(try origins(where: #Predicate { $0.place == nil && $0.origin.x > 0 }) == [3])
    #expect(try origins(where: #Predicate { $0.place != nil }) == [1, 2])
    #expect(
      try origins(where: #Predicate { $0.origin.x > 0 }, .descending(\.place?.street)) == [2, 1, 3])
    #expect(
      try origins(where: #Predicate { $0.origin.x > 0 }, .descending(\.place?.spot?.x)).first == 1)
  }

  @Test func `what is not part is said, with the parts (PF-08)`() throws {
    let spot = Spot(x: 1)
    let whole = #expect(throws: PersistenceError.self) {
      try context.fetch(Kiosk.self, where: #Predicate { $0.origin == spot })
    }
    #expect(
      whole?.message.contains("type 'Spot' is not a single value; compare its parts, 'x', 'y'")
        == true
    )
    let both = #expect(throws: PersistenceError.self) {
      try context.fetch(Kiosk.self, where: #Predicate { $0.origin == $0.origin })
    }
    #expect(both?.message.contains("attribute 'origin' is not a single value") == true)
    let computed = #expect(throws: PersistenceError.self) {
      try context.fetch(Kiosk.self, where: #Predicate { $0.origin.sum > 1 })
    }
    #expect(computed?.message.contains("the parts are 'x', 'y'") == true)
    let order = #expect(throws: PersistenceError.self) {
      try context.fetch(Kiosk.self, sortedBy: [.ascending(\.origin.sum)])
    }
    #expect(order?.message.contains("the step after 'origin' is not part of 'Spot'") == true)
  }

  @Test func `a class says the same as a document (PM-05)`() throws {
    let spot = [
      AttributeDescription("x", .double, defaultValue: .double(1.5)),
      AttributeDescription(
        "y", .double, isOptional: true, rules: AttributeRules(maximum: .double(9))),
    ]
    let address = [
      AttributeDescription("street", .string), AttributeDescription("level", .integer16),
      AttributeDescription(composite: "spot", of: "Point", isOptional: true, elements: spot),
    ]
    #expect(
      Kiosk.entityDescription.attributes == [
        AttributeDescription(
          composite: "place", of: "Address", isOptional: true, elements: address),
        AttributeDescription(composite: "origin", of: "Point", elements: spot),
      ])
    let document = ModelDocument(ManagedObjectModel(types: [Kiosk.self]), versionName: "K")
    let read = try ModelDocument(Array(document.contents().utf8), file: "k").model
    #expect(Set(read.entities[0].attributes) == Set(Kiosk.entityDescription.attributes))
  }

  @Test func `the rules of parts refuse a save, and a value of no case is an error (PM-01)`() throws
  {
    let kiosk = try context.insert(Kiosk.self)
    kiosk.origin.y = 10
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.message.contains("'origin.y' of '\(kiosk)'") == true)
    kiosk.origin.y = nil
    try kiosk.setValue("Long", for: "place.street")
    try kiosk.setValue(7, for: "place.level")
    #expect(kiosk.place == nil)
    let unfit = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(
      unfit?.message
        == "'place.level' of '\(kiosk)' is 7, which is not a value of 'Address'; correct the row in the "
        + "store, or add the case to 'Address'")
  }
}

private struct Spot: CompositeAttribute, Codable, Equatable {
  var x = 0.0
  var y: Double?

  var sum: Double { x + (y ?? 0) }

  static let compositeName = "Point"
  static let parts = [
    CompositePart("x", \Spot.x, defaultValue: 1.5),
    CompositePart("y", \Spot.y, rules: AttributeRules(maximum: .double(9))),
  ]
}

private enum Level: Int16, AttributeConvertible, Codable { case ground, first }

private struct Address: CompositeAttribute, Codable, Equatable {
  var street = ""
  var level = Level.ground
  var spot: Spot?

  static let parts = [
    CompositePart("street", \Address.street), CompositePart("level", \Address.level),
    CompositePart("spot", \Address.spot),
  ]
}

// Line for line what `@Entity` makes of
//
//   @Entity final class Kiosk: ManagedObject {
//     var place: Address?
//     var origin: Spot
//   }
private final class Kiosk: ManagedObject, ModelObject, ValidationRulesHook {
  static var validationRules: [ValidationRule] {
    [ValidationRule(\Kiosk.origin, "near", "is too far away") { $0.x < 99 }]
  }

  var place: Address? {
    get { _optionalValue(0) }
    set { _setValue(0, newValue) }
  }
  var origin: Spot {
    get { _value(1) }
    set { _setValue(1, newValue) }
  }

  class var entityName: String { "Kiosk" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Kiosk", className: "Kiosk",
      attributes: [
        AttributeDescription("place", _attributeType(of: Address.self), isOptional: true),
        AttributeDescription("origin", _attributeType(of: Spot.self)),
      ])
  }
  class var _propertyNames: [String] { ["place", "origin"] }
  class var _propertyCount: Int { 2 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Kiosk.place, "place"), (\Kiosk.origin, "origin")]
  }
}
