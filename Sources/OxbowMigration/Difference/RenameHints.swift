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

  /// Compares two models.
  public init(from before: ManagedObjectModel, to after: ManagedObjectModel) {
    let changes = ModelDifference(from: before, to: after).changes
    let (old, new) = (before.flattened, after.flattened)
    for change in changes where change.kind == .added {
      guard let entity = new.entity(named: change.entity) else { continue }
      if let property = change.property {
        look(at: property, of: entity, before: old, changes)
      } else {
        look(at: entity, before: old, changes)
      }
    }
  }

  private mutating func look(
    at property: String, of entity: EntityDescription, before: ManagedObjectModel,
    _ changes: [ModelChange]
  ) {
    let gone = changes.filter {
      $0.kind == .removed && $0.entity == entity.name && $0.property != nil
    }.compactMap(\.property)
    let item = PropertyKind(property, of: entity)
    if let identifier = item?.identifier, identifier != property {
      return unmatched(identifier, "'\(entity.name).\(property)'", among: gone)
    }
    // The entity may have had another name; what goes is named by the one that it has now.
    let was =
      before.entity(named: entity.name)
      ?? before.entities.first {
        $0.name == changes.first { $0.kind == .renamed && $0.entity == entity.name }?.before
      }
    guard let was, let item,
      let match = gone.first(where: { PropertyKind($0, of: was)?.type == item.type })
    else { return }
    hints.append(
      Hint(
        isUnmatched: false,
        message:
          "'\(entity.name).\(match)' goes, and '\(entity.name).\(property)' of the same type is new",
        advice: "if it is a rename, give the new one the renaming identifier '\(match)' "
          + "(elementID=\"\(match)\"), so that it keeps the data"))
  }

  private mutating func look(
    at entity: EntityDescription, before: ManagedObjectModel, _ changes: [ModelChange]
  ) {
    let gone = changes.filter { $0.kind == .removed && $0.property == nil }.map(\.entity)
    if let identifier = entity.renamingIdentifier, identifier != entity.name {
      return unmatched(identifier, "the entity '\(entity.name)'", among: gone)
    }
    let names = Set(entity.attributes.map(\.name))
    let match = gone.first { name in
      let others = Set(before.entity(named: name)?.attributes.map(\.name) ?? [])
      let common = names.intersection(others).count
      return common > 0 && 2 * common >= max(names.count, others.count)
    }
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
    let near = PersistenceError.nearNames(to: identifier, among: names).first ?? names.first
    hints.append(
      Hint(
        isUnmatched: true,
        message: "\(item) has the renaming identifier '\(identifier)', and nothing before has that "
          + "name or identifier",
        advice: near.map { "did you mean '\($0)', which goes?" }
          ?? "take the identifier out, or write the name that the item had before"))
  }
}

/// What a rename leaves as it is.
private struct PropertyKind {
  let type: String
  let identifier: String?

  init?(_ name: String, of entity: EntityDescription) {
    if let attribute = entity.attributes.first(where: { $0.name == name }) {
      (type, identifier) = (attribute.type.rawValue, attribute.renamingIdentifier)
    } else if let end = entity.relationships.first(where: { $0.name == name }) {
      (type, identifier) = ("to \(end.destination)", end.renamingIdentifier)
    } else {
      return nil
    }
  }
}
