import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport

/// A store of places, of which only hotels have rooms.
struct Sites {
  let recorder = LogRecorder()
  let coordinator: PersistentStoreCoordinator

  init() throws {
    let types: [any ModelObject.Type] = [Place.self, Hotel.self, Room.self, Guest.self]
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: .inMemory,
      options: SQLiteStoreOptions(logger: recorder.statementLogger))
  }

  func context() -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: coordinator)
    context.faultPolicy = .refuse
    return context
  }

  /// Two hotels with two rooms each, two guests in each room, and a place that is not a hotel.
  func fill() throws {
    let context = context()
    _ = try context.insert(Place.self)
    for _ in 0..<2 {
      let hotel = try context.insert(Hotel.self)
      for _ in 0..<2 {
        let room = try context.insert(Room.self)
        room.hotel = hotel
        room.guests = [try context.insert(Guest.self), try context.insert(Guest.self)]
      }
    }
    try context.save()
  }
}

class Place: ManagedObject, ModelObject {
  class var entityName: String { "Place" }
  class var entityDescription: EntityDescription { EntityDescription("Place", className: "Place") }
  class var _propertyNames: [String] { [] }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [] }
}

final class Hotel: Place {
  var rooms: Set<Room> {
    get { _objects(0) }
    set { _setObjects(0, newValue) }
  }
  override class var entityName: String { "Hotel" }
  override class var entityDescription: EntityDescription {
    EntityDescription(
      "Hotel", className: "Hotel", parent: "Place",
      relationships: [
        RelationshipDescription("rooms", to: "Room", inverse: "hotel", isToMany: true)
      ])
  }
  override class var _propertyNames: [String] { ["rooms"] }
}

final class Room: ManagedObject, ModelObject {
  var hotel: Hotel? {
    get { _object(0) }
    set { _setObject(0, newValue) }
  }
  var guests: Set<Guest> {
    get { _objects(1) }
    set { _setObjects(1, newValue) }
  }
  class var entityName: String { "Room" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Room", className: "Room",
      relationships: [
        RelationshipDescription("hotel", to: "Hotel", inverse: "rooms"),
        RelationshipDescription("guests", to: "Guest", inverse: "room", isToMany: true),
      ])
  }
  class var _propertyNames: [String] { ["hotel", "guests"] }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [] }
}

final class Guest: ManagedObject, ModelObject {
  var room: Room? {
    get { _object(0) }
    set { _setObject(0, newValue) }
  }
  class var entityName: String { "Guest" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Guest", className: "Guest",
      relationships: [RelationshipDescription("room", to: "Room", inverse: "guests")])
  }
  class var _propertyNames: [String] { ["room"] }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [] }
}
