internal import ArgumentParser
internal import OxbowMigration
internal import OxbowModel

struct ModelShowCommand: ToolCommand {
  static let words = "model show"
  static let configuration = help(
    abstract: "Shows the merged model: entities, properties, hash.")

  @OptionGroup var documents: ModelPaths
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> ModelShowResult {
    let model = try ManagedObjectModel(contentsOf: documents.paths)
    try model.validate()
    return ModelShowResult(model)
  }
}

struct ModelShowResult: ToolResult {
  struct Attribute: Encodable {
    let name: String
    let type: String
    let optional: Bool
    let transient: Bool
    let defaultValue: String?
    let renamingIdentifier: String?
  }

  struct Relationship: Encodable {
    let name: String
    let destination: String
    let inverse: String?
    let toMany: Bool
    let ordered: Bool
    let optional: Bool
    let deleteRule: String
    let renamingIdentifier: String?
  }

  struct Entity: Encodable {
    let name: String
    let className: String?
    let parent: String?
    let abstract: Bool
    let hash: String
    let renamingIdentifier: String?
    let attributes: [Attribute]
    let relationships: [Relationship]
    let unique: [[String]]
    let indexes: [String: [String]]
  }

  let hash: String
  let entities: [Entity]

  private let model: ManagedObjectModel

  enum CodingKeys: CodingKey {
    case hash, entities
  }

  init(_ model: ManagedObjectModel) {
    self.model = model
    hash = model.versionHash
    entities = model.entities.map(Entity.init)
  }
}

extension ModelShowResult.Entity {
  fileprivate init(_ entity: EntityDescription) {
    name = entity.name
    className = entity.className
    parent = entity.parent
    abstract = entity.isAbstract
    hash = entity.versionHash
    renamingIdentifier = entity.renamingIdentifier
    attributes = entity.attributes.sorted { $0.name < $1.name }.map {
      .init(
        name: $0.name, type: $0.type.rawValue, optional: $0.isOptional, transient: $0.isTransient,
        defaultValue: $0.defaultValue?.description, renamingIdentifier: $0.renamingIdentifier)
    }
    relationships = entity.relationships.sorted { $0.name < $1.name }.map {
      .init(
        name: $0.name, destination: $0.destination, inverse: $0.inverse, toMany: $0.isToMany,
        ordered: $0.isOrdered, optional: $0.isOptional, deleteRule: $0.deleteRule.rawValue,
        renamingIdentifier: $0.renamingIdentifier)
    }
    unique = entity.uniquenessConstraints
    indexes = Dictionary(
      entity.fetchIndexes.map { ($0.name, $0.elements.map(\.property)) },
      uniquingKeysWith: { first, _ in first })
  }
}

// MARK: - For people

extension ModelShowResult {
  var lines: [String] {
    ["model \(hash)"] + model.entities.flatMap { [""] + lines(for: $0) }
  }

  private func lines(for entity: EntityDescription) -> [String] {
    var facts: [String] = []
    if let parent = entity.parent { facts.append("inherits from \(parent)") }
    if entity.isAbstract { facts.append("abstract") }
    if let name = entity.className { facts.append("class \(name)") }
    if let name = entity.renamingIdentifier { facts.append("was \(name)") }
    var table = Table()
    for attribute in entity.attributes.sorted(by: { $0.name < $1.name }) {
      table.add(
        attribute.name, attribute.summary + was(attribute.renamingIdentifier, attribute.name))
    }
    for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
      table.add(
        relationship.name,
        relationship.summary + ", on delete \(relationship.deleteRule.rawValue)"
          + was(relationship.renamingIdentifier, relationship.name))
    }
    let title = entity.name + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
    return [title.oneLine] + table.lines(indentation: 2)
      + entity.uniquenessConstraints.map { "  unique (\($0.joined(separator: ", ")))" }
      + entity.fetchIndexes.map {
        "  index \($0.name) (\($0.elements.map(\.property).joined(separator: ", ")))"
          + ($0.isRTree ? ", RTree" : "")
      }
  }

  private func was(_ identifier: String?, _ name: String) -> String {
    guard let identifier, identifier != name else { return "" }
    return ", was \(identifier)"
  }
}
