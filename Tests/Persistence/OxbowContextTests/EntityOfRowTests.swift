import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// An object is of its row's entity, whatever an ID or a column says (review S-C1).
@Suite struct EntityOfRowTests {
  let zoo: Zoo
  let dog: ManagedObjectID
  let keeper: ManagedObjectID

  init() throws {
    zoo = try Zoo()
    (dog, keeper) = try zoo.fill()
  }

  @Test func `an ID that names the root leads to an object of the row's class`() throws {
    let id = try zoo.id(dog, as: "Animal")
    #expect(id == dog)
    let context = zoo.context()
    let found = try context.existingObject(with: id, as: Animal.self)
    #expect(found is Dog)
    #expect(try context.fetch(FetchRequest<Dog>()).map(\.bark) == ["loud"])
    #expect(try context.fetch(FetchRequest<Dog>()).first === found)
  }

  @Test(arguments: ["Animal", "Animal/Cat"])
  func `a fault of another entity gives way to the row's object and keeps an error`(path: String)
    throws
  {
    let context = zoo.context()
    let fault = try context.object(with: zoo.id(dog, as: path))
    let dogs = try context.fetch(FetchRequest<Dog>())
    #expect(dogs.map(\.bark) == ["loud"])
    #expect(dogs.allSatisfy { type(of: $0) == Dog.self })
    #expect(fault !== dogs.first)
    #expect(try context.object(with: dog) === dogs.first)
    // The fetch is not spoilt by it, and who holds the fault is.
    #expect((fault as? Animal)?.name == "")
    #expect(fault.faultError?.code == .invalidStoredValue)
    #expect(fault.faultError?.message.contains("'Dog/p1'") == true)
    #expect(throws: PersistenceError.self) { try context.save() }
    let error = #expect(throws: PersistenceError.self) { try context.load([fault]) }
    #expect(error?.code == .invalidStoredValue)
  }

  @Test func `a fault of another entity that fires gives way too`() throws {
    let context = zoo.context()
    let fault = try #require(context.object(with: zoo.id(dog, as: "Animal/Cat")) as? Cat)
    #expect(fault.lives == 0)
    #expect(fault.faultError?.code == .invalidStoredValue)
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(try context.object(with: dog) is Dog)
    #expect(try context.fetch(FetchRequest<Animal>()).count == 1)
  }

  @Test func `a fetch in memory finds the row's object too`() throws {
    let context = zoo.context()
    _ = try context.object(with: zoo.id(dog, as: "Animal"))
    try context.insert(Dog.self).bark = "new"
    #expect(Set(try context.fetch(FetchRequest<Dog>()).map(\.bark)) == ["loud", "new"])
  }

  @Test(arguments: ["Dog", "Animal/Keeper", "Nope/Dog", "Animal/Nope"])
  func `an ID whose entities are not those of the model is refused`(path: String) throws {
    let context = zoo.context()
    let error = #expect(throws: PersistenceError.self) {
      try context.object(with: zoo.id(dog, as: path))
    }
    #expect(error?.code == .unknownEntity)
    #expect(context.registeredObject(for: try zoo.id(dog, as: path)) == nil)
    #expect(context.registeredCount == 0)
  }

  @Test func `a type that is beside a key does no harm`() throws {
    try zoo.intrude("UPDATE Keeper SET _guest_type = \(zoo.number(of: "Cat")), _version = 9")
    let context = zoo.context()
    let keeper = try context.existingObject(with: keeper, as: Keeper.self)
    let guest = try #require(keeper.guest)
    #expect(guest.name == "")
    #expect(guest.faultError?.code == .invalidStoredValue)
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(keeper.guest is Dog)
    #expect(keeper.guest?.name == "Laika")
  }

  @Test(arguments: ["NULL", "Keeper"])
  func `a type beside a key that cannot be one leaves the row's own`(type: String) throws {
    let number = type == "NULL" ? type : zoo.number(of: type)
    try zoo.intrude("UPDATE Keeper SET _guest_type = \(number), _version = 9")
    let context = zoo.context()
    let keeper = try context.existingObject(with: keeper, as: Keeper.self)
    #expect(keeper.guest != nil)
    #expect(try context.fetch(FetchRequest<Animal>()).map(\.name) == ["Laika"])
    #expect((keeper.guest as? Dog)?.bark == "loud")
    try context.delete(keeper)
    try context.save()
  }

  @Test(arguments: [false, true])
  func `a row whose type another program changed is an error, and no object of another class`(
    isEdited: Bool
  ) throws {
    let context = zoo.context()
    let held = try context.existingObject(with: dog, as: Dog.self)
    if isEdited { held.name = "Belka" }
    try zoo.intrude(
      "UPDATE Animal SET _type = \(zoo.number(of: "Cat")), lives = 4611686018427387913, bark = NULL, "
        + "_version = _version + 1")
    let error = #expect(throws: PersistenceError.self) { try context.fetch(FetchRequest<Animal>()) }
    #expect(error?.code == .invalidStoredValue)
    #expect(error?.message.contains("the row of 'Dog/p1' is one of 'Cat' by now") == true)
    #expect(error?.objectIDs == [dog])
    #expect(held.bark == "loud")
    #expect(throws: PersistenceError.self) { try context.fetch(FetchRequest<Cat>()) }
    try context.reset()
    #expect(try context.fetch(FetchRequest<Cat>()).map(\.lives) == [4_611_686_018_427_387_913])
    #expect(held.bark == "loud")
  }

  @Test func `a refreshed object whose row is of another type by now keeps an error`() throws {
    let context = zoo.context()
    let held = try context.existingObject(with: dog, as: Dog.self)
    try zoo.intrude(
      "UPDATE Animal SET _type = \(zoo.number(of: "Cat")), lives = 7, _version = _version + 1")
    try context.refresh(held)
    #expect(held.bark == "")
    #expect(held.faultError?.code == .invalidStoredValue)
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(try context.fetch(FetchRequest<Cat>()).map(\.lives) == [7])
  }
}
