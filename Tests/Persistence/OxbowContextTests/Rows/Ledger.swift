import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Accounts and their bookings, written by hand as `@Entity` would.

final class Account: ManagedObject, ModelObject {
  var number: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var bookings: Set<Booking> {
    get { _objects(1) }
    set { _setObjects(1, newValue) }
  }

  class var entityName: String { "Account" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Account", className: "Account",
      attributes: [AttributeDescription("number", .string, isOptional: false)],
      relationships: [
        RelationshipDescription("bookings", to: "Booking", inverse: "account", isToMany: true)
      ])
  }
  class var _propertyNames: [String] { ["number", "bookings"] }
  class var _propertyCount: Int { 2 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Account.number, "number"), (\Account.bookings, "bookings")]
  }
}

class Booking: ManagedObject, ModelObject {
  var amount: Decimal {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var date: Date {
    get { _value(1) }
    set { _setValue(1, newValue) }
  }
  var units: Int {
    get { _value(2) }
    set { _setValue(2, newValue) }
  }
  var weight: Double? {
    get { _optionalValue(3) }
    set { _setValue(3, newValue) }
  }
  var text: String? {
    get { _optionalValue(4) }
    set { _setValue(4, newValue) }
  }
  var account: Account? {
    get { _object(5) }
    set { _setObject(5, newValue) }
  }

  class var entityName: String { "Booking" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Booking", className: "Booking",
      attributes: [
        AttributeDescription("amount", .decimal, isOptional: false),
        AttributeDescription("date", .date, isOptional: false),
        AttributeDescription(
          "units", .integer64, isOptional: false, defaultValue: .integer(1)),
        AttributeDescription("weight", .double, isOptional: true),
        AttributeDescription("text", .string, isOptional: true),
      ],
      relationships: [RelationshipDescription("account", to: "Account", inverse: "bookings")])
  }
  class var _propertyNames: [String] { ["amount", "date", "units", "weight", "text", "account"] }
  class var _propertyCount: Int { 6 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { _keyPathsOfBooking(Booking.self) }

  static func _keyPathsOfBooking<R: Booking>(_: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
    [
      (\R.amount, "amount"), (\R.date, "date"), (\R.units, "units"), (\R.weight, "weight"),
      (\R.text, "text"), (\R.account, "account"),
    ]
  }
}

final class Refund: Booking {
  override class var entityName: String { "Refund" }
  override class var entityDescription: EntityDescription {
    EntityDescription("Refund", className: "Refund", parent: "Booking")
  }
  override class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    _keyPathsOfBooking(Refund.self)
  }
}

/// A store of accounts and bookings in memory.
struct Ledger {
  let coordinator: PersistentStoreCoordinator

  init() throws {
    let types: [any ModelObject.Type] = [Account.self, Booking.self, Refund.self]
    let compiled = try CompiledModel(ManagedObjectModel(types: types), classes: types)
    coordinator = try PersistentStoreCoordinator(compiled, at: .inMemory)
  }

  func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

  /// Two accounts with five bookings in three months, one of them a refund, and a booking of none.
  func fill(_ context: ManagedObjectContext) throws {
    let first = try context.insert(Account.self) { $0.number = "A" }
    let second = try context.insert(Account.self) { $0.number = "B" }
    try book("0.10", "2024-01-05T10:00:00Z", first, context)
    try book("0.20", "2024-01-31T23:30:00Z", first, context)
    try book("100", "2024-02-01T00:00:00Z", first, context)
    try book("7", "2025-01-01T12:00:00Z", second, context)
    let refund = try context.insert(Refund.self)
    refund.amount = -2
    refund.date = try Date("2025-01-02T12:00:00Z", strategy: .iso8601)
    refund.account = second
    try book("5", "2024-01-01T00:00:00Z", nil, context)
  }

  @discardableResult func book(
    _ amount: String, _ date: String, _ account: Account?, _ context: ManagedObjectContext
  ) throws -> Booking {
    let booking = try context.insert(Booking.self)
    booking.amount = Decimal(string: amount) ?? 0
    booking.date = try Date(date, strategy: .iso8601)
    booking.account = account
    return booking
  }
}
