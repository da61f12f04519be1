import Foundation
import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

/// Values that another program wrote and none of the model's types has (review G-X-6, S-E).
@Suite struct StoredValueTests {
  let zoo: Zoo
  let dog: ManagedObjectID

  init() throws {
    zoo = try Zoo()
    dog = try zoo.fill().dog
  }

  @Test func `a raw value without a case is an error, of the getter and of the next call`() throws {
    try zoo.intrude("UPDATE Animal SET mood = 'grumpy'")
    let context = zoo.context()
    let animal = try #require(context.fetch(FetchRequest<Animal>()).first)
    #expect(animal.mood == .calm)
    let error = try #require(animal.faultError)
    #expect(error.code == .invalidStoredValue)
    #expect(
      error.message
        == "'mood' of 'Dog/p1' is \"grumpy\", which is not a value of 'Mood'; correct the row in the store, "
        + "or add the case to 'Mood'")
    #expect(animal.name == "Laika")
    #expect(code { try context.save() } == .invalidStoredValue)
    #expect(code { _ = try animal.value("mood", as: Mood.self) } == .invalidStoredValue)
    #expect(try animal.value("mood", as: String.self) == "grumpy")
    #expect(code { _ = try animal.value("mood", as: Int.self) } == .unknownProperty)
  }

  @Test func `so is one of an optional attribute, and one beside an edit`() throws {
    try zoo.intrude("UPDATE Animal SET lastMood = 'grumpy'")
    let context = zoo.context()
    let animal = try #require(context.fetch(FetchRequest<Animal>()).first)
    #expect(animal.lastMood == nil)
    #expect(code { try context.save() } == .invalidStoredValue)
    animal.name = "Belka"
    #expect(animal.lastMood == nil)
    #expect(code { try context.save() } == .invalidStoredValue)
    animal.lastMood = .wild
    #expect(animal.lastMood == .wild)
    try context.save()
    #expect(try zoo.context().fetch(FetchRequest<Animal>()).map(\.lastMood) == [.wild])
  }

  @Test func `a raw value that has a case is no error`() throws {
    let context = zoo.context()
    let animal = try #require(context.fetch(FetchRequest<Animal>()).first)
    #expect(animal.mood == .wild)
    #expect(animal.lastMood == nil)
    #expect(animal.faultError == nil)
    try context.save()
  }

  @Test(arguments: [
    ("Animal", "weight = 1e300", "a REAL in the range of 32 bits"),
    ("Keeper", "hours = '1234567890123456789012345678901234567890.5'", "up to 38 digits"),
    ("Keeper", "hours = '0.1234567890123456789012345678901234567891'", "up to 38 digits"),
    ("Keeper", "hours = '340282366920938463463374607431768211456'", "up to 38 digits"),
    ("Keeper", "hours = '0.00000000000000000000000000000000000001e-100'", "up to 38 digits"),
    ("Keeper", "since = 9e999", "a REAL of seconds since 2001"),
  ])
  func `a number that would be cut is an error of the fetch`(
    table: String, value: String, needed: String
  ) throws {
    try zoo.intrude("UPDATE \(table) SET \(value)")
    let request = FetchRequest<ManagedObject>(entityNamed: table)
    let error = #expect(throws: PersistenceError.self) { try zoo.context().fetch(request) }
    #expect(error?.code == .invalidStoredValue)
    #expect(error?.message.contains(needed) == true)
  }

  @Test(arguments: [
    "340282366920938463463374607431768211455", "1e127", "-0.5", "00012.50000", "1e-128", "0e5",
    "12345678901234567890123456789012345678", "123456789012345678901234567890123456789",
    "3402823669209384634633746074317682114550000000000000000000000000000000000000000000000",
    "0.00000000000000000000000000000000000000000000000000000000000000000000000000000000001",
  ])
  func `a decimal number that fits is read as it is`(text: String) throws {
    try zoo.intrude("UPDATE Keeper SET hours = '\(text)'")
    let keeper = try #require(zoo.context().fetch(FetchRequest<Keeper>()).first)
    #expect(keeper.hours == Decimal(string: text))
    #expect(keeper.hours?.isNaN == false)
  }

  @Test(arguments: [Decimal.greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude])
  func `the extreme decimal numbers are read as they were saved`(number: Decimal) throws {
    let context = zoo.context()
    try #require(context.fetch(FetchRequest<Keeper>()).first).hours = number
    try context.save()
    #expect(try zoo.context().fetch(FetchRequest<Keeper>()).first?.hours == number)
  }

  @Test func `an object is a constant of a predicate`() throws {
    let context = zoo.context()
    let animal = try #require(context.fetch(FetchRequest<Animal>()).first)
    let cat = try context.insert(Cat.self)
    for _ in 0..<2 {
      let found = try context.fetch(FetchRequest<Keeper>(where: .equal("guest", animal)))
      #expect(found.map(\.name) == ["Vera"])
      #expect(try context.count(FetchRequest<Keeper>(where: .equal("guest", cat))) == 0)
      #expect(try context.count(FetchRequest<Keeper>(where: .oneOf("guest", [animal]))) == 1)
      try context.save()
    }
  }
}

/// Enumerations that declare nothing but their raw type, and a type that is written out.
@Suite struct AttributeTypeTests {
  enum Text: String, AttributeConvertible {
    case first = "a"
    case second = "b"
  }
  enum Number: Int16, AttributeConvertible { case five = 5, six }
  enum Single: String, AttributeConvertible { case only }
  enum Listed: String, AttributeConvertible, CaseIterable {
    case one, two
    static var allCases: [Listed] { [.two, .one] }
  }
  enum Zero: Int, AttributeConvertible { case negative = -1, none = 0 }
  struct Code: RawRepresentable, AttributeConvertible, Equatable { let rawValue: String }
  enum Own: String, AttributeConvertible {
    case a, b
    static var attributePlaceholder: Own { .b }
  }

  /// As the documentation of `AttributeConvertible` shows it.
  struct Celsius: AttributeConvertible, Hashable {
    var degrees: Double
    init(degrees: Double) { self.degrees = degrees }
    static var attributeType: AttributeType { .double }
    static var attributePlaceholder: Celsius { Celsius(degrees: 0) }
    init?(attributeValue: AttributeValue) {
      guard case .double(let degrees) = attributeValue else { return nil }
      self.degrees = degrees
    }
    var attributeValue: AttributeValue { .double(degrees) }
  }

  @Test func `an enumeration has a placeholder without declaring one`() {
    #expect(Text.attributePlaceholder == .first)
    #expect(Number.attributePlaceholder == .five)
    #expect(Single.attributePlaceholder == .only)
    #expect(Listed.attributePlaceholder == .two)
    #expect(Zero.attributePlaceholder == .none)
    #expect(Code.attributePlaceholder == Code(rawValue: ""))
    #expect(Own.attributePlaceholder == .b)
    #expect(Text.attributeType == .string)
  }
  @Test func `a type that is written out is an attribute and a constant`() throws {
    let model = try CompiledModel(
      ManagedObjectModel(entities: [
        EntityDescription(
          "Place", attributes: [AttributeDescription("heat", Celsius.attributeType)])
      ]))
    let context = ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator(model, at: .inMemory))
    try context.insert(entityNamed: "Place").setValue(Celsius(degrees: 21.5), for: "heat")
    try context.save()
    try context.reset()
    let warm = FetchRequest<ManagedObject>(
      entityNamed: "Place", where: .equal("heat", Celsius(degrees: 21.5)))
    let place = try #require(context.fetch(warm).first)
    #expect(try place.value("heat") == Celsius(degrees: 21.5))
    let heat: Celsius = place._value(0)
    #expect(heat == Celsius(degrees: 21.5))
  }

  @Test func `a case of an enumeration is a constant`() {
    #expect(FetchPredicate.equal("genre", Text.second) == .equal("genre", "b"))
    #expect(FetchPredicate.oneOf("genre", [Number.six]) == .oneOf("genre", [6]))
  }
}
