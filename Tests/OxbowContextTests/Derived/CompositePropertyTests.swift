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
        == "'place.level' of '\(kiosk)' is 7, which is no value of 'Address'; correct the row in the "
        + "store, or add the case to 'Address'")
  }
}

private struct Spot: CompositeAttribute, Equatable {
  var x = 0.0
  var y: Double?

  static let compositeName = "Point"
  static let parts = [
    CompositePart("x", \Spot.x, defaultValue: 1.5),
    CompositePart("y", \Spot.y, rules: AttributeRules(maximum: .double(9))),
  ]
}

private enum Level: Int16, AttributeConvertible { case ground, first }

private struct Address: CompositeAttribute, Equatable {
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
private final class Kiosk: ManagedObject, ModelObject {
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
