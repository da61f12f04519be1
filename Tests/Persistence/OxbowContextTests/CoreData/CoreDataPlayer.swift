import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport

/// Random edits of a store of any model, in one context.
struct CoreDataPlayer {
  let context: ManagedObjectContext
  var random: SeededRandom
  private(set) var saves = 0
  private(set) var refused: [String: Int] = [:]

  /// Entities with fewer objects than this get more.
  private static let wanted = 30

  init(_ coordinator: PersistentStoreCoordinator, _ random: SeededRandom) {
    context = ManagedObjectContext(coordinator: coordinator)
    self.random = random
  }

  private var entities: [CompiledEntity] {
    context.coordinator.model.entities.filter { !$0.description.isAbstract }
  }

  /// Makes some edits and saves them; what the model's rules refuse is taken back.
  ///
  /// - Returns: Whether it was saved.
  mutating func save(edits: Int? = nil) throws -> Bool {
    do {
      for _ in 0..<(edits ?? Int.random(in: 1...6, using: &random)) { try edit() }
      try context.save()
      saves += 1
      return true
    } catch let error as PersistenceError {
      // What has no inverse may still lead to what was deleted.
      let isReferred = error.code == .conflict && error.objectIDs.isEmpty
      let isMerged = mayConflict && Self.expectedOfOthers.contains(error.code)
      guard isReferred || isMerged || Self.expected.contains(error.code) else { throw error }
      refused["\(error.code)", default: 0] += 1
      try context.rollback()
      return false
    }
  }

  private static let expected: Set<PersistenceError.Code> = [.validation, .uniquenessViolated]

  /// Whether other contexts save too, so that objects change, and are gone.
  var mayConflict = false

  /// A policy that would write what others have deleted is refused, because no key is used again.
  private static let expectedOfOthers: Set<PersistenceError.Code> = [
    .conflict, .rowGone, .unsupported,
  ]

  mutating func edit() throws {
    guard let entity = entities.randomElement(using: &random) else { return }
    let objects = try some(of: entity)
    let target = objects.randomElement(using: &random)
    switch (Int.random(in: 0..<100, using: &random), target) {
    case (0..<25, _), (_, nil): try insert(entity)
    case (25..<50, let object?): try change(object, few: true)
    case (50..<88, let object?): try relink(object)
    case (_, let object?): try delete(object)
    }
  }

  private func compiled(_ object: ManagedObject) throws -> CompiledEntity {
    try context.coordinator.model.requireEntity(named: object.entityName)
  }

  private func some(of entity: CompiledEntity) throws -> [ManagedObject] {
    var request = FetchRequest<ManagedObject>(entityNamed: entity.name)
    request.limit = Self.wanted
    return try context.fetch(request)
  }

  private mutating func insert(_ entity: CompiledEntity) throws {
    let object = try context.insert(entityNamed: entity.name)
    try change(object, few: false)
    for property in entity.relationships {
      guard let relationship = property.relationship,
        !relationship.mayBeEmpty || random.chance(40)
      else { continue }
      try relink(object, property)
    }
  }

  private mutating func delete(_ object: ManagedObject) throws {
    try context.delete(object)
  }

  // MARK: Values

  private mutating func change(_ object: ManagedObject, few: Bool) throws {
    let entity = try compiled(object)
    for property in entity.properties where property.slot >= 0 {
      guard let attribute = property.attribute, attribute.derivation == nil,
        !few || random.chance(30)
      else { continue }
      if attribute.isOptional, random.chance(25) {
        try object.setAttribute(nil, for: property.name)
      } else if let value = value(of: attribute) {
        try object.setAttribute(value, for: property.name)
      }
    }
  }

  private mutating func value(of attribute: AttributeDescription) -> AttributeValue? {
    let number = Int64.random(in: -500...500, using: &random)
    switch attribute.type {
    case .integer16, .integer32: return .integer(number)
    case .integer64: return .integer(number << Int64.random(in: 0...40, using: &random))
    case .boolean: return .boolean(random.chance(50))
    case .double: return .double(Double(number) / 7)
    case .float: return .double(Double(Float(number) / 7))
    case .decimal: return .decimal(Decimal(number) / 100)
    case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(number) / 4))
    case .string: return .string(String(repeating: "ä\(number) ", count: 1 + Int(abs(number) % 4)))
    case .uuid: return .uuid(uuid())
    case .uri: return URL(string: "https://example.org/\(number)").map { .url($0) }
    case .binaryData, .transformable: return .data(Data(bytes(Int(abs(number)))))
    default: return nil
    }
  }

  private mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private mutating func uuid() -> UUID {
    let b = bytes(16)
    return UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]
      ))
  }

  // MARK: Links

  private mutating func relink(_ object: ManagedObject) throws {
    let properties = try compiled(object).relationships
    if let property = properties.randomElement(using: &random) { try relink(object, property) }
  }

  private mutating func relink(_ object: ManagedObject, _ property: CompiledProperty) throws {
    guard let relationship = property.relationship, !relationship.description.isTransient else {
      return
    }
    let model = context.coordinator.model
    let others = try some(of: model.entities[relationship.destination])
    if !relationship.isToMany {
      let isEmptied = relationship.mayBeEmpty && random.chance(20)
      let other = isEmptied ? nil : others.randomElement(using: &random)
      return try object.setObjects(other.map { [$0] } ?? [], for: property.name)
    }
    var members = try object.objects(property.name)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: members.shuffle(using: &random)
    case 1: members.removeAll { _ in random.chance(40) }
    case 2:
      if !members.isEmpty {
        members.insert(
          members.removeLast(), at: Int.random(in: 0...members.count, using: &random))
      }
    default:
      for other in random.some(of: others, atMost: 3) where !members.contains(other) {
        members.insert(other, at: Int.random(in: 0...members.count, using: &random))
      }
    }
    try object.setObjects(members, for: property.name)
  }
}

/// What a context sees of a store, a line for each object.
func coreDataContents(_ context: ManagedObjectContext) throws -> [String] {
  var lines: [String] = []
  for entity in context.coordinator.model.entities where entity.root == entity.index {
    let objects = try context.fetch(FetchRequest<ManagedObject>(entityNamed: entity.name))
    for object in objects {
      let entity = try context.coordinator.model.requireEntity(named: object.entityName)
      lines.append(line(object, entity))
    }
  }
  return lines.sorted()
}

private func line(_ object: ManagedObject, _ entity: CompiledEntity) -> String {
  var parts = ["\(object.objectID)"]
  for property in entity.properties {
    guard let relationship = property.relationship else {
      guard property.slot >= 0 else { continue }
      // The file of a large value may be missing.
      let value = try? object.attribute(property.name)
      parts.append("\(property.name)=\(value.map { "\($0)" } ?? "none")")
      continue
    }
    guard !relationship.description.isTransient else { continue }
    let ids = ((try? object.objects(property.name)) ?? []).map { "\($0.objectID)" }
    let listed = relationship.isOrdered ? ids : ids.sorted()
    parts.append("\(property.name)=[\(listed.joined(separator: " "))]")
  }
  return parts.joined(separator: " ")
}
