internal import OxbowMigration
internal import OxbowModel

/// A model as boxes and lines, or what two models differ in.
struct ModelDrawing {
  /// What a drawing of two models says of one of its pieces.
  enum Mark: String, CaseIterable { case added, changed, removed }

  /// An entity.
  struct Box {
    let name: String
    let isAbstract: Bool
    let mark: Mark?
    let lines: [Line]
  }

  /// An attribute.
  struct Line {
    let text: String
    let mark: Mark?
  }

  /// A relationship and the one that leads back, or an inheritance.
  struct Edge {
    let from: String
    let to: String
    let role: Role
    let mark: Mark?

    enum Role {
      case inheritance
      /// How many of `from` one of `to` has is `nil` where nothing leads back.
      case relationship(label: String, from: Count?, to: Count)
    }
  }

  /// How many objects there are at an end.
  enum Count: String {
    case optional = "0..1"
    case one = "1"
    case many = "0..*"
    case several = "1..*"
  }

  let boxes: [Box]
  let edges: [Edge]

  /// Draws a model, or those of its entities that are called so.
  init(
    _ model: ManagedObjectModel, only names: Set<String> = [], showsAttributes: Bool = true
  ) throws(PersistenceError) {
    try self.init(model, Marks(), names, showsAttributes)
  }

  /// Draws the model after, with what the one before had besides.
  init(
    from before: ManagedObjectModel, to after: ManagedObjectModel
  ) throws(PersistenceError) {
    let changes = ModelDifference(from: before, to: after).changes
    // Another entity may have the name of one that is gone.
    let names = Set(changes.filter { $0.isOfGoneEntity }.map(\.entity))
      .intersection(after.entities.map(\.name))
    try self.init(
      after.with(changes, of: before.labelling(names)), Marks(changes, names), [], true)
  }

  private init(
    _ model: ManagedObjectModel, _ marks: Marks, _ names: Set<String>, _ showsAttributes: Bool
  ) throws(PersistenceError) {
    let all = model.entities.map(\.name)
    for name in names.sorted() where !all.contains(name) {
      throw .unknownEntity(name, among: all)
    }
    let shown = model.entities.filter { names.isEmpty || names.contains($0.name) }
    let shownNames = Set(shown.map(\.name))
    boxes = shown.map { Box($0, marks, showsAttributes) }
    edges = (Edge.inheritances(shown, marks) + Edge.relationships(shown, model, marks))
      .filter { shownNames.contains($0.to) }
  }
}

extension ModelDrawing {
  /// The drawing in a language.
  func text(_ format: DrawingFormat) throws -> String {
    try format.text(mermaid: mermaid, dot: dot).printable
  }
}

// MARK: - What a drawing is made of

extension ModelDrawing.Box {
  fileprivate init(_ entity: EntityDescription, _ marks: Marks, _ showsAttributes: Bool) {
    name = entity.name
    isAbstract = entity.isAbstract
    mark = marks[entity.name]
    let attributes = showsAttributes ? entity.attributes.sorted { $0.name < $1.name } : []
    lines = attributes.map { .init(text: $0.drawn, mark: marks[entity.name, $0.name]) }
  }
}

extension AttributeDescription {
  fileprivate var drawn: String {
    let kind = derivation != nil ? " (derived)" : isTransient ? " (transient)" : ""
    return "\(name): \(type.rawValue)\(isOptional ? "?" : "")\(kind)"
  }
}

extension ModelDrawing.Edge {
  fileprivate static func inheritances(_ entities: [EntityDescription], _ marks: Marks) -> [Self] {
    entities.compactMap { entity in
      guard let parent = entity.parent else { return nil }
      return Self(from: entity.name, to: parent, role: .inheritance, mark: marks[entity.name])
    }
  }

  fileprivate static func relationships(
    _ entities: [EntityDescription], _ model: ManagedObjectModel, _ marks: Marks
  ) -> [Self] {
    var drawn: Set<[String]> = []
    return entities.flatMap { entity in
      entity.relationships.sorted { $0.name < $1.name }.compactMap { relationship -> Self? in
        let back = model.inverse(of: relationship)
        if let back, drawn.contains([back.owner, back.relationship.name]) { return nil }
        drawn.insert([entity.name, relationship.name])
        return Self(entity.name, relationship, back, marks)
      }
    }
  }

  private init(
    _ entity: String, _ relationship: RelationshipDescription, _ back: RelationshipEnd?,
    _ marks: Marks
  ) {
    from = entity
    to = relationship.destination
    let isItsOwn = back?.owner == entity && back?.relationship.name == relationship.name
    let label = isItsOwn ? nil : back?.relationship.name
    role = .relationship(
      label: ([relationship.name, label].compactMap(\.self)).joined(separator: " / "),
      from: back.map { .init($0.relationship) }, to: .init(relationship))
    mark =
      marks[entity, relationship.name] ?? back.flatMap { marks[$0.owner, $0.relationship.name] }
  }
}

extension ModelDrawing.Count {
  fileprivate init(_ relationship: RelationshipDescription) {
    if relationship.isToMany {
      self = relationship.minimumCount > 0 && !relationship.isOptional ? .several : .many
    } else {
      self = relationship.isOptional ? .optional : .one
    }
  }
}

/// A relationship with the entity that declares it.
private typealias RelationshipEnd = (owner: String, relationship: RelationshipDescription)

extension ManagedObjectModel {
  /// The relationship that leads back, which a parent of the destination may declare.
  fileprivate func inverse(of relationship: RelationshipDescription) -> RelationshipEnd? {
    guard let name = relationship.inverse else { return nil }
    let line = entity(named: relationship.destination).map(entities.byName.line) ?? []
    return line.lazy.compactMap { entity in
      entity.relationships.first { $0.name == name }.map { (entity.name, $0) }
    }.first
  }

  /// This model with other names for some of its entities.
  fileprivate func labelling(_ names: Set<String>) -> Self {
    var entities = self.entities
    for number in entities.indices {
      entities[number].name = entities[number].name.labelled(names)
      entities[number].parent = entities[number].parent?.labelled(names)
      for place in entities[number].relationships.indices {
        let destination = entities[number].relationships[place].destination
        entities[number].relationships[place].destination = destination.labelled(names)
      }
    }
    return Self(entities: entities)
  }

  /// This model with what changes have removed from the one before.
  fileprivate func with(_ changes: [ModelChange], of before: ManagedObjectModel) -> Self {
    let removed = changes.filter { $0.kind == .removed }
    let names = Set(self.entities.map(\.name))
    let gone = removed.filter(\.isOfGoneEntity).compactMap {
      before.entity(named: $0.entity.labelled(names))
    }
    let formerNames = changes.filter { $0.kind == .renamed && $0.subject == .entity }
    var entities = self.entities
    for number in entities.indices {
      let name = entities[number].name
      let formerName = formerNames.first { $0.entity == name }?.before ?? name
      guard let former = before.entity(named: formerName) else { continue }
      let names = Set(removed.filter { $0.entity == name }.compactMap(\.property))
      entities[number].attributes += former.attributes.filter { names.contains($0.name) }
      entities[number].relationships += former.relationships.filter { names.contains($0.name) }
    }
    return Self(entities: entities + gone)
  }
}

extension ModelChange {
  fileprivate var isOfGoneEntity: Bool { kind == .removed && subject == .entity }
}

extension String {
  /// The name of an entity that is gone, or what tells it from the one that has its name now.
  fileprivate func labelled(_ taken: Set<String>) -> String {
    taken.contains(self) ? self + " (before)" : self
  }
}

/// What two models differ in, by entity and property.
private struct Marks {
  private var marks: [[String]: ModelDrawing.Mark] = [:]

  /// `taken` has the names of entities that are gone and that others have now.
  init(_ changes: [ModelChange] = [], _ taken: Set<String> = []) {
    for change in changes {
      let mark: ModelDrawing.Mark =
        switch change.kind {
        case .added: .added
        case .removed: .removed
        case .renamed, .moved, .changed: .changed
        }
      switch (change.subject, change.property) {
      case (.entity, _):
        marks[[change.isOfGoneEntity ? change.entity.labelled(taken) : change.entity]] = mark
      case (.attribute, let name?), (.relationship, let name?):
        marks[[change.entity, name]] = marks[[change.entity, name]] ?? mark
      case (_, _): marks[[change.entity]] = marks[[change.entity]] ?? .changed
      }
    }
  }

  subscript(names: String...) -> ModelDrawing.Mark? { marks[names] }
}
