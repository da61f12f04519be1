import OxbowModel
import OxbowTestSupport

/// A model that was drawn: entities with inheritance, attributes of every type, and relationships
/// of every cardinality.
struct AnyModel {
  /// An attribute, or a part of a composite one, by its path.
  struct Leaf {
    let name: String
    let type: AttributeType
    var isOptional = true
    var isTransient = false
    var isDerived = false
  }

  struct Link {
    let name: String
    let destination: Int
    let isToMany: Bool
  }

  struct Entity {
    let name: String
    let parent: Int?
    var isAbstract = false
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    /// What can be named in conditions, inherited ones included.
    var leaves: [Leaf] = []
    var links: [Link] = []
  }

  private(set) var entities: [Entity] = []

  init(_ random: inout SeededRandom) {
    makeEntities(&random)
    for index in entities.indices { makeAttributes(of: index, &random) }
    for number in 0..<Int.random(in: 2...6, using: &random) { link(number, &random) }
    inherit()
    for index in entities.indices where random.chance(35) { derive(in: index, &random) }
  }

  var description: ManagedObjectModel {
    ManagedObjectModel(
      entities: entities.map { entity in
        EntityDescription(
          entity.name, parent: entity.parent.map { entities[$0].name },
          isAbstract: entity.isAbstract, attributes: entity.attributes,
          relationships: entity.relationships)
      })
  }

  /// The entities without those that inherit from others.
  var roots: [Int] { entities.indices.filter { entities[$0].parent == nil } }

  /// An entity and all that inherit from it.
  func family(of index: Int) -> [Int] {
    entities.indices.filter { $0 == index || ancestors(of: $0).contains(index) }
  }

  private func ancestors(of index: Int) -> [Int] {
    guard let parent = entities[index].parent else { return [] }
    return [parent] + ancestors(of: parent)
  }

  // MARK: Drawing

  private mutating func makeEntities(_ random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let root = entities.count
      entities.append(Entity(name: "E\(root)", parent: nil))
      let children = Int.random(in: 0...2, using: &random)
      for _ in 0..<children {
        let parent = Int.random(in: root..<entities.count, using: &random)
        entities.append(Entity(name: "E\(entities.count)", parent: parent))
      }
      entities[root].isAbstract = children > 0 && random.chance(30)
    }
  }

  static let types: [AttributeType] = [
    .string, .string, .integer16, .integer32, .integer64, .double, .float, .decimal, .boolean,
    .date, .binaryData, .uuid, .uri, .transformable,
  ]

  private mutating func makeAttributes(of index: Int, _ random: inout SeededRandom) {
    let isRoot = entities[index].parent == nil
    if isRoot {
      entities[index].attributes.append(
        AttributeDescription("touched", .integer64, isOptional: true))
    }
    for number in 0..<Int.random(in: isRoot ? 3...8 : 0...2, using: &random) {
      let type = Self.types.randomElement(using: &random) ?? .string
      add(
        AttributeDescription(
          "a\(index)_\(number)", type, isOptional: random.chance(75),
          isTransient: random.chance(4)),
        to: index)
    }
    if random.chance(isRoot ? 30 : 10) { addComposite(to: index, &random) }
  }

  private mutating func add(_ attribute: AttributeDescription, to index: Int) {
    var attribute = attribute
    if attribute.isTransient { attribute.isOptional = true }
    entities[index].attributes.append(attribute)
    entities[index].leaves.append(
      Leaf(
        name: attribute.name, type: attribute.type, isOptional: attribute.isOptional,
        isTransient: attribute.isTransient, isDerived: attribute.derivation != nil))
  }

  private mutating func addComposite(to index: Int, _ random: inout SeededRandom) {
    func part(_ name: String) -> AttributeDescription {
      AttributeDescription(name, Self.types.randomElement(using: &random) ?? .string)
    }
    var parts = [part("x"), part("y")]
    if random.chance(40) {
      parts.append(
        AttributeDescription(composite: "in", of: "Inner\(index)", elements: [part("z")]))
    }
    let name = "c\(index)"
    entities[index].attributes.append(
      AttributeDescription(composite: name, of: "Outer\(index)", isOptional: true, elements: parts))
    for part in parts {
      let inner = part.elements.first
      entities[index].leaves.append(
        Leaf(
          name: name + "." + part.name + (inner.map { "." + $0.name } ?? ""),
          type: inner?.type ?? part.type))
    }
  }

  /// Adds a relationship, in most cases with an inverse.
  private mutating func link(_ number: Int, _ random: inout SeededRandom) {
    let from = Int.random(in: entities.indices, using: &random)
    let to = Int.random(in: entities.indices, using: &random)
    let hasInverse = random.chance(85)
    let (there, back) = ("r\(number)", "s\(number)")
    // Keys that lead nowhere remain where what they lead to is deleted.
    let leavesKeys = random.chance(15)
    func end(_ name: String, _ destination: Int, _ inverse: String?) -> RelationshipDescription {
      let isToMany = random.chance(55)
      return RelationshipDescription(
        name, to: entities[destination].name, inverse: inverse, isToMany: isToMany,
        isOrdered: isToMany && random.chance(35), deleteRule: leavesKeys ? .noAction : .nullify)
    }
    add(end(there, to, hasInverse ? back : nil), to: from, leadingTo: to)
    if hasInverse { add(end(back, from, there), to: to, leadingTo: from) }
  }

  private mutating func add(
    _ relationship: RelationshipDescription, to index: Int, leadingTo destination: Int
  ) {
    entities[index].relationships.append(relationship)
    entities[index].links.append(
      Link(
        name: relationship.name, destination: destination, isToMany: relationship.isToMany))
  }

  /// Gives all entities what their parents have; a parent comes before its children.
  private mutating func inherit() {
    for index in entities.indices {
      guard let parent = entities[index].parent else { continue }
      entities[index].links = entities[parent].links + entities[index].links
      entities[index].leaves = entities[parent].leaves + entities[index].leaves
    }
  }

  /// Adds a derived attribute to an entity and to those that inherit from it.
  private mutating func derive(in index: Int, _ random: inout SeededRandom) {
    guard let attribute = derived(in: index, &random) else { return }
    entities[index].attributes.append(attribute)
    for member in family(of: index) {
      entities[member].leaves.append(
        Leaf(name: attribute.name, type: attribute.type, isDerived: true))
    }
  }

  private func derived(
    in index: Int, _ random: inout SeededRandom
  ) -> AttributeDescription? {
    let name = "d\(index)"
    func attribute(_ type: AttributeType, _ text: String) -> AttributeDescription {
      AttributeDescription(name, type, isOptional: true, derivation: text)
    }
    func sources(of entity: Int) -> [Leaf] {
      entities[entity].leaves.filter {
        !$0.isDerived && !$0.isTransient && !$0.name.contains(".")
      }
    }
    let link = entities[index].links.randomElement(using: &random)
    if let link, link.isToMany {
      let numbers = sources(of: link.destination).filter {
        [.integer16, .integer32, .double].contains($0.type)
      }
      guard random.chance(60), let number = numbers.randomElement(using: &random) else {
        return attribute(.integer32, "\(link.name).@count")
      }
      let type: AttributeType =
        number.type == .integer16 || number.type == .integer32 ? .integer64 : number.type
      return attribute(type, "\(link.name).\(number.name).@sum")
    }
    let way = link.map { random.chance(70) ? $0.name + "." : "" } ?? ""
    let place = way.isEmpty ? index : link?.destination ?? index
    guard let source = sources(of: place).randomElement(using: &random) else { return nil }
    guard source.type == .string, random.chance(60) else {
      return attribute(source.type, way + source.name)
    }
    let form = ["canonical", "lowercase", "uppercase"].randomElement(using: &random) ?? ""
    return attribute(.string, "\(form):(\(way)\(source.name))")
  }
}
