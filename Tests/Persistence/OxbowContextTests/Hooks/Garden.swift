import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore

/// What the hooks of a garden's objects do and saw, in one test.
final class Script: @unchecked Sendable {
  // Each test that asks has one of its own, on one thread; that of others is forgotten at once.
  @TaskLocal static var bound: Script?

  static var current: Script { bound ?? Script() }

  var seen: [String] = []
  var actions: [String: (ManagedObject) -> Void] = [:]

  /// Notes a hook and does what the test wants of it.
  func run(_ hook: String, _ object: ManagedObject) {
    seen.append("\(hook) \((object as? Plant)?.name ?? "bed")")
    actions[hook]?(object)
  }
}

/// A store of beds and plants in memory, made anew for each test.
struct Garden {
  let coordinator: PersistentStoreCoordinator

  init(history: HistoryRecording = .off) throws {
    let types: [any ModelObject.Type] = [Bed.self, Plant.self, Herb.self]
    let compiled = try CompiledModel(ManagedObjectModel(types: types), classes: types)
    coordinator = try PersistentStoreCoordinator(
      compiled, at: .inMemory, options: .init(history: history))
  }

  func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, name: name)
  }
}

class Plant: ManagedObject, ModelObject, AwakeFromInsertHook, AwakeFromFetchHook, WillSaveHook,
  DidSaveHook, PrepareForDeletionHook, WillTurnIntoFaultHook, ValidationRulesHook
{
  var name: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var height: Int? {
    get { _optionalValue(1) }
    set { _setValue(1, newValue) }
  }
  /// Kept in memory only.
  var caption: String? {
    get { _optionalValue(2) }
    set { _setValue(2, newValue) }
  }
  var bed: Bed? {
    get { _object(3) }
    set { _setObject(3, newValue) }
  }
  var shout: String { name.uppercased() }

  class var entityName: String { "Plant" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Plant", className: "Plant",
      attributes: [
        AttributeDescription("name", .string, isOptional: false, defaultValue: .string("")),
        AttributeDescription(
          "height", .integer64, isOptional: true, rules: AttributeRules(maximum: .integer(1000))),
        AttributeDescription("caption", .string, isOptional: true, isTransient: true),
      ],
      relationships: [RelationshipDescription("bed", to: "Bed", inverse: "plants")])
  }

  class var _propertyNames: [String] { ["name", "height", "caption", "bed"] }
  class var _propertyCount: Int { 4 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { _keyPathsOfPlant(Plant.self) }

  static func _keyPathsOfPlant<R: Plant>(_: R.Type) -> [(keyPath: AnyKeyPath, name: String)] {
    [(\R.name, "name"), (\R.height, "height"), (\R.caption, "caption"), (\R.bed, "bed")]
  }

  class var validationRules: [ValidationRule] {
    [
      ValidationRule(\Plant.name, "notBlank", "is blank") { !$0.isEmpty },
      ValidationRule(\Plant.shout, "quiet", "is shouted") { $0 != "LOUD" },
      ValidationRule(Plant.self, "fits", "is too high for a bed") {
        $0.bed == nil || ($0.height ?? 0) < 100
      },
      ValidationRule(Plant.self, "protected", "is protected", on: .delete) { $0.name != "oak" },
    ]
  }

  func awakeFromInsert() { Script.current.run("awakeFromInsert", self) }
  func awakeFromFetch() { Script.current.run("awakeFromFetch", self) }
  func willSave() { Script.current.run("willSave", self) }
  func didSave() { Script.current.run("didSave", self) }
  func prepareForDeletion() { Script.current.run("prepareForDeletion", self) }
  func willTurnIntoFault() { Script.current.run("willTurnIntoFault", self) }
}

final class Herb: Plant {
  var taste: String? {
    get { _optionalValue(Plant._propertyCount + 0) }
    set { _setValue(Plant._propertyCount + 0, newValue) }
  }

  override class var entityName: String { "Herb" }

  override class var entityDescription: EntityDescription {
    EntityDescription(
      "Herb", className: "Herb", parent: "Plant",
      attributes: [AttributeDescription("taste", .string, isOptional: true)])
  }

  override class var _propertyNames: [String] { Plant._propertyNames + ["taste"] }
  override class var _propertyCount: Int { Plant._propertyCount + 1 }
  override class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    _keyPathsOfPlant(Herb.self) + [(\Herb.taste, "taste")]
  }

  override class var validationRules: [ValidationRule] {
    super.validationRules + [
      ValidationRule(\Herb.taste, "mild", "is too hot") { $0 != "hot" },
      ValidationRule(\Herb.name, "short", "is too long for a herb") { $0.count < 10 },
    ]
  }
}

/// A class without hooks.
final class Bed: ManagedObject, ModelObject {
  var code: String? {
    get { _optionalValue(0) }
    set { _setValue(0, newValue) }
  }
  var plants: Set<Plant> {
    get { _objects(1) }
    set { _setObjects(1, newValue) }
  }

  class var entityName: String { "Bed" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Bed", className: "Bed",
      attributes: [AttributeDescription("code", .string, isOptional: true)],
      relationships: [
        RelationshipDescription(
          "plants", to: "Plant", inverse: "bed", isToMany: true, deleteRule: .cascade)
      ])
  }

  class var _propertyNames: [String] { ["code", "plants"] }
  class var _propertyCount: Int { 2 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Bed.code, "code"), (\Bed.plants, "plants")]
  }
}
