import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store of accounts, made anew for each test.
struct Bank {
  let coordinator: PersistentStoreCoordinator

  init(at location: StoreLocation = .inMemory) throws {
    coordinator = try PersistentStoreCoordinator(try Self.model(), at: location)
  }

  static func model() throws -> CompiledModel {
    let types: [any ModelObject.Type] = [Branch.self, Deposit.self, Savings.self]
    return try CompiledModel(ManagedObjectModel(types: types), classes: types)
  }

  func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, name: name)
  }

  /// An account that is saved, and its ID.
  func account(_ fill: (Deposit) -> Void = { _ in }) throws -> ManagedObjectID {
    let context = context("bank")
    let account = try context.insert(Deposit.self)
    fill(account)
    try context.save()
    return account.objectID
  }

  /// What a fresh context finds of an account.
  func stored<R>(_ id: ManagedObjectID, _ read: (Deposit) -> R) throws -> R {
    let context = context("observer")
    return read(try context.existingObject(with: id, as: Deposit.self))
  }
}

/// The code of the error that something throws.
func refusal(_ body: () throws -> Void) -> PersistenceError.Code? {
  do { try body() } catch { return (error as? PersistenceError)?.code }
  return nil
}

final class Branch: ManagedObject, ModelObject {
  var name: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var total: Int? { _optionalValue(1) }
  var accounts: Set<Deposit> {
    get { _objects(2) }
    set { _setObjects(2, newValue) }
  }

  class var entityName: String { "Branch" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Branch", className: "Branch",
      attributes: [
        AttributeDescription("name", .string, defaultValue: .string("")),
        AttributeDescription(
          "total", .integer64, isOptional: true, derivation: "accounts.balance.@sum"),
      ],
      relationships: [
        RelationshipDescription("accounts", to: "Deposit", inverse: "branch", isToMany: true)
      ])
  }
  class var _propertyNames: [String] { ["name", "total", "accounts"] }
  class var _propertyCount: Int { 3 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Branch.name, "name"), (\Branch.total, "total"), (\Branch.accounts, "accounts")]
  }
}

class Deposit: ManagedObject, ModelObject {
  var holder: String? {
    get { _optionalValue(0) }
    set { _setValue(0, newValue) }
  }
  var balance: Int {
    get { _value(1) }
    set { _setValue(1, newValue) }
  }
  var small: Int16 {
    get { _value(2) }
    set { _setValue(2, newValue) }
  }
  var medium: Int32 {
    get { _value(3) }
    set { _setValue(3, newValue) }
  }
  var ratio: Double {
    get { _value(4) }
    set { _setValue(4, newValue) }
  }
  var weight: Float {
    get { _value(5) }
    set { _setValue(5, newValue) }
  }
  var price: Decimal {
    get { _value(6) }
    set { _setValue(6, newValue) }
  }
  var bonus: Int? {
    get { _optionalValue(7) }
    set { _setValue(7, newValue) }
  }
  /// Of which no two accounts have the same.
  var number: Int? {
    get { _optionalValue(8) }
    set { _setValue(8, newValue) }
  }
  var branch: Branch? {
    get { _object(9) }
    set { _setObject(9, newValue) }
  }

  class var entityName: String { "Deposit" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Deposit", className: "Deposit",
      attributes: [
        AttributeDescription("holder", .string, isOptional: true),
        AttributeDescription("balance", .integer64, defaultValue: .integer(0)),
        AttributeDescription("small", .integer16, defaultValue: .integer(0)),
        AttributeDescription(
          "medium", .integer32, defaultValue: .integer(0),
          rules: AttributeRules(maximum: .integer(1000))),
        AttributeDescription("ratio", .double, defaultValue: .double(0)),
        AttributeDescription("weight", .float, defaultValue: .double(0)),
        AttributeDescription("price", .decimal, defaultValue: .decimal(0)),
        AttributeDescription("bonus", .integer64, isOptional: true),
        AttributeDescription("number", .integer64, isOptional: true),
      ],
      relationships: [RelationshipDescription("branch", to: "Branch", inverse: "accounts")],
      uniquenessConstraints: [["number"]])
  }
  class var _propertyNames: [String] {
    [
      "holder", "balance", "small", "medium", "ratio", "weight", "price", "bonus", "number",
      "branch",
    ]
  }
  class var _propertyCount: Int { 10 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { _keyPathsOfDeposit(Deposit.self) }
  static func _keyPathsOfDeposit<R: Deposit>(_: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
    [
      (\R.holder, "holder"), (\R.balance, "balance"), (\R.small, "small"), (\R.medium, "medium"),
      (\R.ratio, "ratio"), (\R.weight, "weight"), (\R.price, "price"), (\R.bonus, "bonus"),
      (\R.number, "number"), (\R.branch, "branch"),
    ]
  }
}

final class Savings: Deposit {
  override class var entityName: String { "Savings" }
  override class var entityDescription: EntityDescription {
    EntityDescription("Savings", className: "Savings", parent: "Deposit")
  }
  override class var _propertyNames: [String] { super._propertyNames }
  override class var _propertyCount: Int { 10 }
  override class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    _keyPathsOfDeposit(Savings.self)
  }
}
