internal import OxbowModel
internal import OxbowRelational

/// How a database of another tool would become a store.
package struct ForeignPlan: Sendable, Encodable {
  package struct Column: Sendable, Encodable {
    package let name: String

    /// Describes what it becomes: "Book.title (String)", "the key"; empty without a target.
    package let targets: [String]
  }

  package struct Table: Sendable, Encodable {
    package let name: String
    package let rows: Int

    /// The entity of its objects, or the relationship of its links as "Entity.name".
    package var entity: String?
    package var relationship: String?
    package let columns: [Column]
  }

  package let tables: [Table]

  /// The entities that no table has objects of.
  package let newEntities: [String]

  /// What has no target; what there is nothing of is not among it.
  package let losses: [ForeignLoss]

  /// What names do not say but may have been meant: "books=Book".
  package let hints: [String]

  package let model: String

  init(_ builder: ConversionBuilder, losses: [ForeignLoss]) {
    let match = builder.match
    let model = builder.model
    tables = builder.schema.tables.filter { $0.kind != .shadow }.map { table in
      if let objects = match.objects(of: table.name) { return Self.table(objects) }
      if let links = match.links.first(where: { $0.table.name == table.name }) {
        return Self.table(links, model)
      }
      return Table(name: table.name, rows: table.rows, columns: [])
    }
    let known = Set(
      match.objects.flatMap { objects in
        model.entities.filter { objects.entity.isKind(of: $0) }.map(\.name)
      })
    let rest = model.entities.map(\.name).filter { !known.contains($0) }
    newEntities = rest
    hints = match.rest.flatMap { table in
      rest.filter { ForeignName.isPlural(table.name, of: $0) }.map { "\(table.name)=\($0)" }
    }
    self.losses = losses
    self.model = model.versionHash
  }

  private static func table(_ objects: ForeignMatch.Objects) -> Table {
    let entity = objects.entity
    let columns = objects.table.columns.map { column in
      let properties = objects.columns.filter { $0.value == column.name }.keys.sorted()
      return Column(
        name: column.name,
        targets: (column.name == objects.table.keyColumn ? ["the key"] : [])
          + properties.map { words(entity.properties[$0], of: entity) })
    }
    return Table(
      name: objects.table.name, rows: objects.table.rows, entity: entity.name, columns: columns)
  }

  private static func words(_ property: CompiledProperty, of entity: CompiledEntity) -> String {
    let type = property.attribute.map { " (\($0.type.rawValue))" } ?? ""
    return "\(entity.name).\(property.name)\(type)"
  }

  private static func table(_ links: ForeignMatch.Links, _ model: CompiledModel) -> Table {
    let relationship = links.relationship
    let owner = model.entities[relationship.entity].name
    let member = model.entities[relationship.destination].name
    let columns = links.table.columns.map { column in
      switch column.name {
      case links.ownerColumn: Column(name: column.name, targets: ["the key of \(owner)"])
      case links.memberColumn: Column(name: column.name, targets: ["the key of \(member)"])
      default: Column(name: column.name, targets: [])
      }
    }
    return Table(
      name: links.table.name, rows: links.table.rows, relationship: "\(owner).\(relationship.name)",
      columns: columns)
  }
}
