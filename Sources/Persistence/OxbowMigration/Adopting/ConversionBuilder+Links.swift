internal import OxbowModel
internal import OxbowRelational

extension ConversionBuilder {
  mutating func add(_ links: ForeignMatch.Links) {
    let (table, relationship) = (links.table, links.relationship)
    guard let join = mapping.joins[relationship.id],
      let target = mapping.tables.first(where: { $0.name == join.table }),
      let owner = key(links.ownerColumn, of: relationship.entity, table),
      let member = key(links.memberColumn, of: relationship.destination, table)
    else { return }
    let statements = ForeignLinks(
      table, from: (links.ownerColumn, owner), to: (links.memberColumn, member))
    let subject = "'\(model.entities[relationship.entity].name).\(relationship.name)'"
    lose(.links, "rows of '\(table.name)' with one end only", statements.countHalf)
    lose(
      .links, "links of \(subject) that '\(table.name)' has more than once",
      statements.countRepeated)
    fills.append(statements.fill(target, join))
  }

  /// The key of the object at one end of a link.
  private mutating func key(
    _ column: String, of entity: Int, _ table: ForeignSchema.Table
  ) -> String? {
    foreignKey(column, of: table, to: model.entities[entity]).map { key in
      self.key(
        column, key, in: ForeignRows(table), advice: "remove them with the tool that made them")
    }
  }
}
