import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

@Suite struct CompositeAttributeTests {
  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext

  private static let point = [
    AttributeDescription("x", .double), AttributeDescription("y", .double, isOptional: true),
  ]

  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Shop",
      attributes: [
        AttributeDescription("name", .string),
        AttributeDescription(
          composite: "place", of: "Place", isOptional: true,
          elements: [
            AttributeDescription(composite: "point", of: "Point", elements: point),
            AttributeDescription("title", .string, rules: AttributeRules(maximumLength: 6)),
          ]),
        AttributeDescription(composite: "origin", of: "Point", elements: point),
        AttributeDescription("place_title", .string, isOptional: true),
      ],
      relationships: [
        RelationshipDescription("owner", to: "Owner", inverse: "shops")
      ], fetchIndexes: [FetchIndexDescription("byTitle", elements: [.init("place.title")])]),
    EntityDescription(
      "Owner",
      relationships: [
        RelationshipDescription("shops", to: "Shop", inverse: "owner", isToMany: true)
      ]),
  ])

  init() throws {
    coordinator = try PersistentStoreCoordinator(CompiledModel(Self.model), at: .inMemory)
    context = ManagedObjectContext(coordinator: coordinator, owner: .holder)
  }

  @discardableResult
  private func shop(
    _ name: String, _ title: String?, x: Double, owner: ManagedObject? = nil
  ) throws -> ManagedObject {
    let shop = try context.insert(entityNamed: "Shop")
    try shop.setValue(name, for: "name")
    try shop.setComposite(["x": .double(x)], for: "origin")
    var place = CompositeValue()
    place.setValue(title, for: "title")
    place[composite: "point"] = title == nil ? [:] : ["x": .double(x), "y": .double(-x)]
    try shop.setComposite(place, for: "place")
    try shop.setObjects(owner.map { [$0] } ?? [], for: "owner")
    return shop
  }

  @Test func `a composite value is kept and read as a whole and by part (PM-01, PG-16)`() throws {
    try shop("one", "Kraków", x: 2)
    try shop("two", nil, x: 3)
    try context.save()
    let reader = ManagedObjectContext(coordinator: coordinator, owner: .holder)
    let shops = try reader.all("Shop")
    let place = try #require(try shops[0].composite("place"))
    #expect(
      place == ["title": .string("Kraków"), "point.x": .double(2), "point.y": .double(-2)])
    #expect(try place.value("title", as: String.self) == "Kraków")
    #expect(try place[composite: "point"].value("y") == -2.0)
    #expect(try shops[0].value("place.point.x") == 2.0)
    #expect(try shops[0].value("place_title", as: String.self) == nil)
    #expect(try shops[1].composite("place") == nil)
    #expect(try shops[1].composite("origin") == ["x": .double(3)])
    try shops[1].setValue("Gdynia", for: "place.title")
    try reader.save()
    _ = try context.all("Shop")
    #expect(try context.all("Shop")[1].composite("place") == ["title": .string("Gdynia")])
  }

  @Test func `parts are conditions, orders and columns, with unsaved changes as well (PG-16)`()
    throws
  {
    let owner = try context.insert(entityNamed: "Owner")
    try shop("a", "Lodz", x: 2, owner: owner)
    try shop("b", "Gdynia", x: 1, owner: owner)
    try shop("c", nil, x: 0)
    for saves in [false, true] {
      if saves { try context.save() }
      func names(_ format: String, _ keys: [SortKey<ManagedObject>] = []) throws -> [String?] {
        try context.all("Shop", where: FetchPredicate(format: format), sortedBy: keys)
          .map { try $0.value("name") }
      }
      #expect(try names("place.title == 'Lodz'") == ["a"])
      #expect(try names("place.point.x < 2 AND origin.x > 0") == ["b"])
      #expect(try names("place.title == nil") == ["c"])
      #expect(
        try names("TRUEPREDICATE", [SortKey("place.point.x", ascending: false)])
          == ["a", "b", "c"])
      let owners = try context.all(
        "Owner", where: FetchPredicate(format: "ANY shops.place.title BEGINSWITH 'G'"))
      #expect(owners == [owner])
      let sums = try context.all(
        "Owner", where: FetchPredicate(format: "shops.place.point.x.@sum == 3"))
      #expect(sums == [owner])
      let subqueries = try context.all(
        "Owner",
        where: FetchPredicate(format: "SUBQUERY(shops, $s, $s.place.title == 'Lodz').@count == 1"))
      #expect(subqueries == [owner])
      let error = #expect(throws: PersistenceError.self) { _ = try names("place == nil") }
      #expect(
        error?.message
          == "'place' of 'Shop' is composite, and has no value of its own to compare or sort by; name "
          + "one of its parts, as in 'place.part'")
    }
  }

  @Test func `the rules of parts are those of attributes (PG-16)`() throws {
    let shop = try shop("a", "too long a title", x: 1)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.message.contains("'place.title' of '\(shop)'") == true)
    #expect(error?.code == .validation)
    // A part that is required, of an attribute that is.
    try shop.setComposite(["title": .string("short")], for: "place")
    try shop.setComposite(nil, for: "origin")
    let missing = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(missing?.message.hasPrefix("'origin.x' of '\(shop)' has no value") == true)
  }

  @Test func `what a composite attribute does not have is named (PG-16)`() throws {
    let shop = try shop("a", nil, x: 1)
    func message(_ body: () throws -> Void) -> String? {
      (#expect(throws: PersistenceError.self, performing: body))?.message
    }
    #expect(
      message { try shop.setComposite(["titel": .string("x")], for: "place") }
        == "'place.titel' is not a property of 'Shop'"
        || message { try shop.setComposite(["titel": .string("x")], for: "place") }?
          .contains("place.titel") == true
    )
    #expect(
      message { try shop.setComposite(["title": .double(1)], for: "place") }
        == "'place.title' of 'Shop' is String and cannot be set to 1.0")
    #expect(
      message { try shop.setValue(String?.none, for: "place") }
        == "'place' of 'Shop' is composite; use `composite(_:)` and `setComposite(_:for:)`, or name "
        + "one of its parts, as in 'place.part'")
    #expect(
      message { _ = try shop.composite("name") }
        == "'name' of 'Shop' is not a composite attribute; use `value(_:as:)` and `setValue(_:for:)`"
    )
  }
}
