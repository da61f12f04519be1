internal import OxbowDocuments
public import OxbowModel

/// What may have been meant as a rename, and renaming identifiers that name nothing.
public struct RenameHints: Sendable {
  /// One thing to look at.
  public struct Hint: Sendable, Hashable {
    /// Whether an identifier names nothing; otherwise something may be a rename.
    public let isUnmatched: Bool
    /// What was seen.
    public let message: String
    /// What to do.
    public let advice: String
  }

  /// The hints, sorted by entity.
  public private(set) var hints: [Hint] = []

  private var nearNames = NearNamesBudget()

  /// Compares two models.
  public init(from before: ManagedObjectModel, to after: ManagedObjectModel) {
    let changes = ModelDifference(from: before, to: after).changes
    let lost = LostItems(changes, before: before.flattened)
    let entities = Dictionary(after.flattened.entities.map { ($0.name, $0) }) { first, _ in first }
    var properties: [String: PropertyKinds] = [:]
    for change in changes where change.kind == .added {
      guard let entity = entities[change.entity] else { continue }
      guard let property = change.property else {
        look(at: entity, lost)
        continue
      }
      let kinds = properties[entity.name] ?? PropertyKinds(of: entity)
      properties[entity.name] = kinds
      look(at: property, of: entity.name, kinds[property], lost)
    }
  }

  private mutating func look(
    at property: String, of entity: String, _ item: PropertyKinds.Kind?, _ lost: LostItems
  ) {
    if let identifier = item?.identifier, identifier != property {
      return unmatched(
        identifier, "'\(entity).\(property)'", among: lost.properties[entity] ?? [])
    }
    guard let item, let match = lost.firstByType[entity]?[item.type] else { return }
    hints.append(
      Hint(
        isUnmatched: false,
        message: "'\(entity).\(match)' goes, and '\(entity).\(property)' of the same type is new",
        advice: "if it is a rename, give the new one the renaming identifier '\(match)' "
          + "(elementID=\"\(match)\"), so that it keeps the data"))
  }

  private mutating func look(at entity: EntityDescription, _ lost: LostItems) {
    if let identifier = entity.renamingIdentifier, identifier != entity.name {
      return unmatched(
        identifier, "the entity '\(entity.name)'", among: lost.entities.map(\.name))
    }
    let names = Set(entity.attributes.map(\.name))
    let match = lost.entities.first { _, others in
      let common = names.intersection(others).count
      return common > 0 && 2 * common >= max(names.count, others.count)
    }?.name
    guard let match else { return }
    hints.append(
      Hint(
        isUnmatched: false,
        message:
          "the entity '\(match)' goes, and '\(entity.name)' with much the same attributes is new",
        advice: "if it is a rename, give the new one the renaming identifier '\(match)' "
          + "(elementID=\"\(match)\"), so that it keeps the data"))
  }

  private mutating func unmatched(_ identifier: String, _ item: String, among names: [String]) {
    let near = nearNames.nearNames(to: identifier, among: names).first ?? names.first
    hints.append(
      Hint(
        isUnmatched: true,
        message: "\(item) has the renaming identifier '\(identifier)', and nothing before has that "
          + "name or identifier",
        advice: near.map { "did you mean '\($0)', which goes?" }
          ?? "take the identifier out, or write the name that the item had before"))
  }
}

private struct LostItems {
  /// The properties, by the name that their entity has now.
  private(set) var properties: [String: [String]] = [:]

  /// The first property of each type, by entity.
  private(set) var firstByType: [String: [String: String]] = [:]

  private(set) var entities: [(name: String, attributes: Set<String>)] = []

  init(_ changes: [ModelChange], before: ManagedObjectModel) {
    let old = Dictionary(before.entities.map { ($0.name, $0) }) { first, _ in first }
    var names: [String: String] = [:]
    for change in changes {
      switch (change.kind, change.property) {
      case (.removed, nil):
        let attributes = old[change.entity]?.attributes.map(\.name) ?? []
        entities.append((change.entity, Set(attributes)))
      case (.removed, let property?): properties[change.entity, default: []].append(property)
      case (.renamed, nil): names[change.entity] = change.before
      default: break
      }
    }
    for (entity, properties) in properties {
      // The entity may have had another name; what goes is named by the one that it has now.
      guard let was = old[entity] ?? names[entity].flatMap({ old[$0] }) else { continue }
      let kinds = PropertyKinds(of: was)
      firstByType[entity] = Dictionary(
        properties.compactMap { name in kinds[name].map { ($0.type, name) } }
      ) { first, _ in first }
    }
  }
}

/// What a rename of a property leaves as it is, for the properties of an entity.
private struct PropertyKinds {
  struct Kind {
    let type: String
    let identifier: String?
  }

  private var kinds: [String: Kind] = [:]

  init(of entity: EntityDescription) {
    for end in entity.relationships {
      kinds[end.name] = Kind(type: "to \(end.destination)", identifier: end.renamingIdentifier)
    }
    for attribute in entity.attributes {
      kinds[attribute.name] = Kind(
        type: attribute.type.rawValue, identifier: attribute.renamingIdentifier)
    }
  }

  subscript(name: String) -> Kind? { kinds[name] }
}
