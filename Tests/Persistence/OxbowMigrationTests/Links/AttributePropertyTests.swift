import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

// Attributes at random levels of a hierarchy, declared at other levels and under other names
// afterwards; the argument of a failing case is its seed.
@Suite struct AttributePropertyTests {
  @Test(arguments: 0..<150)
  func `values follow the properties that an entity has (review M2, M22)`(seed: Int) throws {
    try Self.check(LevelChange(seed), try Lab())
  }

  static func check(_ change: LevelChange, _ lab: some MigrationLab) throws {
    try lab.fill(change.before, "")
    let data = try StoreData(lab, change.before)
    for (entity, values) in change.values {
      let key = LevelChange.key(entity)
      try lab.run(try data.inserting(entity, [key], values.mapValues { "\($0)" }))
    }
    if change.loses {
      #expect(lab.message { _ = try lab.infer(change.after) }.contains("values of"), "\(change)")
    }
    _ = try lab.infer(change.after, allowsLoss: change.loses)
    #expect(try lab.differences(from: change.after) == [], "\(change)")
    let after = try StoreData(lab, change.after)
    for entity in LevelChange.parents.keys.sorted() {
      for (name, value) in change.expected(entity) {
        let found = try after.values(entity, name)[LevelChange.key(entity)]
        #expect(found == value.map { "\($0)" } ?? "NULL", "\(entity).\(name) in \(change)")
      }
    }
    // What no entity can see is not there either.
    let columns = try lab.columns(of: "R").filter { !$0.hasPrefix("_") }
    let cells = try columns.map { column in
      try lab.rows("SELECT count(\"\(column)\") FROM \"R\"").first ?? ""
    }
    let visible = LevelChange.parents.keys.flatMap { change.expected($0).values }
      .count { $0 != nil }
    #expect(cells.compactMap { Int($0) }.reduce(0, +) == visible, "\(change)")
  }
}

struct LevelChange: CustomStringConvertible {
  static let parents: [String: String?] = ["R": nil, "A": "R", "B": "R", "C": "A"]

  struct Attribute {
    var name: String
    var identifier: String?
    var defaultValue: Int64?
  }

  private var old: [String: [Attribute]] = [:]
  private var new: [String: [Attribute]] = [:]
  private(set) var values: [String: [String: Int64]] = [:]

  static func key(_ entity: String) -> Int64 {
    Int64(parents.keys.sorted().firstIndex(of: entity) ?? 0) + 1
  }

  init(_ seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    for name in ["x", "y"] { place(name, in: \.old, &random) }
    for name in ["x", "y", "z"] { place(name, in: \.new, &random) }
    rename(&random)
    for entity in Self.parents.keys.sorted() {
      values[entity] = [:]
      for attribute in effective(old, entity) where random.chance(70) {
        values[entity]?[attribute.name] = Int64.random(in: 1...1000, using: &random)
      }
    }
  }

  /// Declares a name at levels none of which inherits it from another.
  private mutating func place(
    _ name: String, in side: WritableKeyPath<Self, [String: [Attribute]]>,
    _ random: inout SeededRandom
  ) {
    for entity in ["R", "A", "B", "C"] where random.chance(35) {
      guard !effective(self[keyPath: side], entity).contains(where: { $0.name == name })
      else { continue }
      let value = random.chance(30) ? Int64.random(in: 2000...3000, using: &random) : nil
      self[keyPath: side][entity, default: []].append(
        Attribute(name: name, identifier: nil, defaultValue: value))
    }
  }

  /// Gives each name of before to at most one attribute as its identifier.
  private mutating func rename(_ random: inout SeededRandom) {
    for identifier in ["x", "y"] where random.chance(50) {
      let entities = new.keys.sorted()
      guard let entity = entities.randomElement(using: &random),
        let index = new[entity]?.indices.randomElement(using: &random)
      else { continue }
      new[entity]?[index].identifier = identifier
    }
  }

  private func effective(_ side: [String: [Attribute]], _ entity: String) -> [Attribute] {
    let inherited = (Self.parents[entity] ?? nil).map { effective(side, $0) } ?? []
    return inherited + (side[entity] ?? [])
  }

  var before: ManagedObjectModel { model(old) }
  var after: ManagedObjectModel { model(new) }

  private func model(_ side: [String: [Attribute]]) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: Self.parents.map { name, parent in
        EntityDescription(
          name, parent: parent,
          attributes: (side[name] ?? []).map {
            AttributeDescription(
              $0.name, .integer64, isOptional: true,
              defaultValue: $0.defaultValue.map(AttributeValue.integer),
              renamingIdentifier: $0.identifier)
          })
      })
  }

  var description: String {
    func text(_ side: [String: [Attribute]]) -> String {
      side.sorted { $0.key < $1.key }.flatMap { entity, attributes in
        attributes.map { attribute in
          "\(entity).\(attribute.name)" + (attribute.identifier.map { " was \($0)" } ?? "")
            + (attribute.defaultValue.map { " = \($0)" } ?? "")
        }
      }.joined(separator: ", ")
    }
    return "\(text(old)) → \(text(new)); \(values)"
  }
}

// MARK: - What must be there

extension LevelChange {
  /// The attribute before of each attribute after that an entity has.
  private func pairs(_ entity: String) -> [String: String] {
    let names = Set(effective(old, entity).map(\.name))
    var pairs: [String: String] = [:]
    for attribute in effective(new, entity) {
      if let identifier = attribute.identifier, names.contains(identifier) {
        pairs[attribute.name] = identifier
      }
    }
    for attribute in effective(new, entity)
    where pairs[attribute.name] == nil && names.contains(attribute.name)
      && !pairs.values.contains(attribute.name)
    {
      pairs[attribute.name] = attribute.name
    }
    return pairs
  }

  func expected(_ entity: String) -> [String: Int64?] {
    let pairs = pairs(entity)
    var result: [String: Int64?] = [:]
    for attribute in effective(new, entity) {
      result[attribute.name] =
        .some(pairs[attribute.name].map { values[entity]?[$0] } ?? attribute.defaultValue)
    }
    return result
  }

  var loses: Bool {
    Self.parents.keys.contains { entity in
      let kept = Set(pairs(entity).values)
      return values[entity]?.keys.contains { !kept.contains($0) } == true
    }
  }
}
