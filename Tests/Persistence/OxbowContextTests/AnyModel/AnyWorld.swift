import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Objects of a drawn model in a store, seen by three contexts: one that changed nothing, one that
/// changed every object, and one that changed half of them.
struct AnyWorld {
  let model: AnyModel
  let coordinator: PersistentStoreCoordinator
  let untouched: ManagedObjectContext
  let touched: ManagedObjectContext
  let halfTouched: ManagedObjectContext

  init(_ random: inout SeededRandom) throws {
    model = AnyModel(&random)
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(model.description, classes: []), at: .inMemory)
    untouched = Self.context(coordinator)
    touched = Self.context(coordinator)
    halfTouched = Self.context(coordinator)
    try fill(&random)
    try touch(touched) { _ in true }
    try touch(halfTouched) { $0.objectID.key % 2 == 0 }
  }

  func context() -> ManagedObjectContext { Self.context(coordinator) }

  private static func context(_ coordinator: PersistentStoreCoordinator) -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, name: "any", owner: .holder)
  }

  // MARK: Objects

  private func fill(_ random: inout SeededRandom) throws {
    let context = Self.context(coordinator)
    for index in model.entities.indices {
      for _ in 0..<Int.random(in: 6...14, using: &random) {
        try insert(index, context, &random)
      }
    }
    for _ in 0..<60 { try link(context, &random) }
    try context.save()
    for index in model.entities.indices {
      for object in try objects(of: index, context).prefix(2) where random.chance(70) {
        try context.delete(object)
      }
    }
    try context.save()
  }

  /// Makes objects changed ones, without changing what is asked for.
  private func touch(
    _ context: ManagedObjectContext, where isTouched: (ManagedObject) -> Bool
  ) throws {
    for root in model.roots {
      for object in try objects(of: root, context) where isTouched(object) {
        try object.setValue(1, for: "touched")
      }
    }
  }

  private func objects(
    of index: Int, _ context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    try context.fetch(FetchRequest<ManagedObject>(entityNamed: model.entities[index].name))
  }

  private func insert(
    _ index: Int, _ context: ManagedObjectContext, _ random: inout SeededRandom
  ) throws {
    guard !model.entities[index].isAbstract else { return }
    let object = try context.insert(entityNamed: model.entities[index].name)
    for leaf in model.entities[index].leaves {
      try set(leaf, of: object, isNew: true, &random)
    }
  }

  /// Inserts, changes, links or deletes an object.
  func change(_ context: ManagedObjectContext, _ random: inout SeededRandom) throws {
    let index = Int.random(in: model.entities.indices, using: &random)
    let objects = try objects(of: index, context)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try insert(index, context, &random)
    case 1 where objects.count > 5:
      if let object = objects.randomElement(using: &random) { try context.delete(object) }
    case 2, 3: try link(context, &random)
    default:
      guard let object = objects.randomElement(using: &random) else { return }
      for leaf in model.entities[index].leaves where random.chance(40) {
        try set(leaf, of: object, isNew: false, &random)
      }
    }
  }

  private func set(
    _ leaf: AnyModel.Leaf, of object: ManagedObject, isNew: Bool, _ random: inout SeededRandom
  ) throws {
    guard !leaf.isDerived else { return }
    if leaf.isOptional, random.chance(25) {
      if !isNew { try object.setValue(nil as String?, for: leaf.name) }
      return
    }
    var value = random.value(of: leaf.type)
    // What is not a number cannot be saved.
    if case .double(let number) = value, number.isNaN { value = .double(1) }
    try object.setAny(value, for: leaf.name)
  }

  /// Sets the objects of a relationship.
  private func link(_ context: ManagedObjectContext, _ random: inout SeededRandom) throws {
    let index = Int.random(in: model.entities.indices, using: &random)
    guard let link = model.entities[index].links.randomElement(using: &random),
      let object = try objects(of: index, context).randomElement(using: &random)
    else { return }
    let others = try objects(of: link.destination, context)
    try object.setObjects(
      random.some(of: others, atMost: link.isToMany ? min(4, others.count) : min(1, others.count)),
      for: link.name)
  }
}

extension ManagedObject {
  fileprivate func setAny(_ value: AttributeValue, for name: String) throws {
    switch value {
    case .string(let value): try setValue(value, for: name)
    case .integer(let value): try setValue(value, for: name)
    case .double(let value): try setValue(value, for: name)
    case .decimal(let value): try setValue(value, for: name)
    case .boolean(let value): try setValue(value, for: name)
    case .date(let value): try setValue(value, for: name)
    case .data(let value): try setValue(value, for: name)
    case .uuid(let value): try setValue(value, for: name)
    case .url(let value): try setValue(value, for: name)
    }
  }
}

// MARK: - Values

extension SeededRandom {
  mutating func one<C: RandomAccessCollection>(of list: C) -> C.Element {
    list[list.index(list.startIndex, offsetBy: Int.random(in: 0..<list.count, using: &self))]
  }

  /// A value of a type; some are at the ends of what the type has.
  mutating func value(of type: AttributeType) -> AttributeValue {
    switch type {
    case .string: .string(one(of: Self.texts))
    case .integer16: .integer(one(of: [-32768, -2, -1, 0, 1, 2, 3, 32767]))
    case .integer32: .integer(one(of: [-2_147_483_648, -1, 0, 1, 2, 3, 2_147_483_647]))
    case .integer64:
      .integer(one(of: [-2, -1, 0, 1, 2, 3, 7, 9_007_199_254_740_993, .max, .min]))
    case .double: .double(one(of: [-1.5, -0.0, 0, 0.5, 1, 2, 1e300, .infinity, -.infinity, .nan]))
    case .float: .double(one(of: [-1.5, 0, 0.5, 1, 3]))
    case .decimal: .decimal(one(of: Self.decimals))
    case .boolean: .boolean(chance(50))
    case .date:
      .date(Date(timeIntervalSinceReferenceDate: one(of: [-1e10, -1, 0, 0.25, 1e9, 6e8])))
    case .uuid:
      .uuid(UUID(uuid: (one(of: [0, 1, 2]), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
    case .uri: .url(URL(filePath: one(of: ["/a", "/b", "/a/b"])))
    default: .data(Data(one(of: [[], [0], [0, 1], [255], [1]])))
    }
  }

  private static let texts = [
    "", "a", "A", "ab", "Ab", "b", "é", "e\u{301}", "zz", "a%b", "a_b", "\u{1F600}", "É", "ß", "SS",
    "ς", "Σ", "\u{212A}", "a*b", "a\nb", "Æ\u{301}b", "\u{301}a", "が", "\"\\'", "Ё", "b\0c", "9",
    "10", "a9", "a10",
  ]

  private static let decimals: [Decimal] = [
    -1, 0, Decimal(5) / 10, 1, 2, 3, 10, 9, Decimal(string: "100000000000000000001") ?? 0,
    Decimal(string: "9007199254740993") ?? 0, Decimal(string: "9007199254740992.5") ?? 0,
    Decimal(string: "99999999999999999999999999999999999999") ?? 0,
  ]
}
