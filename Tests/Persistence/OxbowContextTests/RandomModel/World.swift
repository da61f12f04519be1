import OxbowModel

/// A model to play in: entities and the ends of their relationships, as plain values.
///
/// Names of properties are unique in a world, so a name says which end is meant. Self-written on
/// purpose: the oracle must not take its view of a model from the code under test.
struct World: Sendable {
  let name: String
  let entities: [Entity]
  let ends: [End]

  /// Attributes of which no two objects have the same value.
  var unique: [(entity: String, attribute: String)] = []

  struct Entity: Sendable {
    let name: String
    var parent: String?
    var isAbstract = false
    var attributes: [Attribute] = []
  }

  struct Attribute: Sendable {
    let name: String
    let initial: Value
    let choices: [Value]
    var isOptional: Bool { choices.contains(.none) }
  }

  /// One end of a relationship.
  struct End: Sendable {
    let index: Int
    let entity: String
    let name: String
    let destination: String
    let inverse: Int?
    let arity: Arity
    let rule: DeleteRule

    var isToMany: Bool { arity != .one }
    var isOrdered: Bool { arity == .list }
  }

  enum Arity: Sendable { case one, set, list }

  /// An end as a world is written down: `("Folder", "files", .set, "File", "folder", .nullify)`.
  typealias Draft = (
    entity: String, name: String, arity: Arity, destination: String, inverse: String?,
    rule: DeleteRule
  )

  init(_ name: String, _ entities: [Entity], _ drafts: [Draft]) {
    self.name = name
    self.entities = entities
    ends = drafts.enumerated().map { index, draft in
      End(
        index: index, entity: draft.entity, name: draft.name, destination: draft.destination,
        inverse: draft.inverse.flatMap { name in drafts.firstIndex { $0.name == name } },
        arity: draft.arity, rule: draft.rule)
    }
  }
}

extension World {
  init(_ name: String, _ entities: [Entity], _ ends: [End]) {
    self.name = name
    self.entities = entities
    self.ends = ends
  }

  func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }

  /// An entity and those above it, itself first.
  func lineage(of name: String) -> [String] {
    sequence(first: name) { entity($0)?.parent }.map { $0 }
  }

  func root(of name: String) -> String { lineage(of: name).last ?? name }

  func isKind(_ name: String, of other: String) -> Bool { lineage(of: name).contains(other) }

  /// The entities of which there can be objects.
  var concrete: [String] { entities.filter { !$0.isAbstract }.map(\.name) }

  func attributes(of name: String) -> [Attribute] {
    lineage(of: name).flatMap { entity($0)?.attributes ?? [] }
  }

  func ends(of name: String) -> [End] {
    let lineage = lineage(of: name)
    return ends.filter { lineage.contains($0.entity) }
  }

  func inverse(of end: End) -> End? { end.inverse.map { ends[$0] } }

  /// Whether links are in rows of their own.
  func isJoined(_ end: End) -> Bool {
    end.isToMany && (inverse(of: end)?.isToMany ?? true)
  }

  /// Whether the store refuses a key that leads nowhere.
  func isNetted(_ end: End) -> Bool { !end.isToMany && inverse(of: end)?.rule != .noAction }

  /// The model for Oxbow.
  var model: ManagedObjectModel {
    ManagedObjectModel(
      entities: entities.map { entity in
        EntityDescription(
          entity.name, parent: entity.parent, isAbstract: entity.isAbstract,
          attributes: entity.attributes.map(\.description),
          relationships: ends.filter { $0.entity == entity.name }.map { end in
            RelationshipDescription(
              end.name, to: end.destination, inverse: inverse(of: end)?.name,
              isToMany: end.isToMany, isOrdered: end.isOrdered, deleteRule: end.rule)
          },
          uniquenessConstraints: unique.filter { $0.entity == entity.name }.map { [$0.attribute] })
      })
  }
}

extension World.Attribute {
  fileprivate var description: AttributeDescription {
    let types = choices.compactMap(\.type)
    return AttributeDescription(
      name, types.first ?? .string, isOptional: isOptional, defaultValue: initial.attribute)
  }
}

/// A value of an attribute.
enum Value: Sendable, Codable {
  case none
  case text(String)
  case whole(Int64)
  case truth(Bool)
  case real(Double)

  var type: AttributeType? {
    switch self {
    case .none: nil
    case .text: .string
    case .whole: .integer64
    case .truth: .boolean
    case .real: .double
    }
  }

  var attribute: AttributeValue? {
    switch self {
    case .none: nil
    case .text(let text): .string(text)
    case .whole(let number): .integer(number)
    case .truth(let truth): .boolean(truth)
    case .real(let number): .double(number)
    }
  }
}

extension Value: Equatable {
  /// Texts are the same when their bytes are.
  static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.none, .none): true
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.whole(let a), .whole(let b)): a == b
    case (.truth(let a), .truth(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    default: false
    }
  }
}

extension Value: CustomStringConvertible {
  var description: String {
    switch self {
    case .none: "nil"
    case .text(let text): "\"\(text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())\""
    case .whole(let number): "\(number)"
    case .truth(let truth): "\(truth)"
    case .real(let number): "\(number)"
    }
  }
}
