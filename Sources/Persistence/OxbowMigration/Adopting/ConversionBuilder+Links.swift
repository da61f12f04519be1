internal import OxbowModel
internal import OxbowRelational

extension ConversionBuilder {
  mutating func add(_ links: ForeignMatch.Links) {
    let table = links.table
    guard let join = mapping.joins[links.relationship.id],
      let target = mapping.tables.first(where: { $0.name == join.table }),
      let owner = end(links.ownerColumn, links.relationship.entity, links),
      let member = end(links.memberColumn, links.relationship.destination, links)
    else { return }
    let (ownerKey, memberKey) = (column("t", links.ownerColumn), column("t", links.memberColumn))
    let isWhole = "\(ownerKey) IS NOT NULL AND \(memberKey) IS NOT NULL"
    let distinct =
      "(SELECT \(owner) AS \"o\", \(member) AS \"m\", min(\(table.isWithoutRowID ? "1" : order(of: table, "t"))) AS \"n\" FROM "
      + "\(quoted(table.name)) AS \"t\" WHERE \(isWhole) GROUP BY 1, 2)"
    let subject = "'\(model.entities[links.relationship.entity].name).\(links.relationship.name)'"
    lose(
      .links, "rows of '\(table.name)' with one end only",
      count(table, where: "\(ownerKey) IS NULL OR \(memberKey) IS NULL"))
    lose(
      .links, "links of \(subject) that '\(table.name)' has more than once",
      "SELECT (\(count(table, where: isWhole))) - (SELECT count(*) FROM \(distinct))")
    var columns = [(join.ownerColumn, "\"o\""), (join.memberColumn, "\"m\"")]
    if let position = join.memberPositionColumn {
      columns.append((position, positions(of: "\"o\"", orderedBy: "\"n\"")))
    }
    if let position = join.ownerPositionColumn {
      columns.append((position, positions(of: "\"m\"", orderedBy: "\"n\"")))
    }
    fills.append(
      TableConversion.Fill(
        table: target, columns: columns.map(\.0),
        select: "SELECT \(columns.map(\.1).joined(separator: ", ")) FROM \(distinct)",
        count: "SELECT count(*) FROM \(distinct)"))
  }

  /// The key of the object at one end of a link.
  mutating func end(
    _ name: String, _ entity: Int, _ links: ForeignMatch.Links
  ) -> String? {
    guard let foreignKey = foreignKey(name, of: links.table, to: model.entities[entity]) else {
      return nil
    }
    let old = column("t", name)
    let new = lookup(old, foreignKey)
    check(
      count(links.table, where: "\(old) IS NOT NULL AND \(new) IS NULL"),
      "rows of '\(links.table.name)' whose '\(name)' leads to no row of "
        + "'\(foreignKey.parent.table.name)'",
      advice: "remove them with the tool that made them")
    return new
  }
}
