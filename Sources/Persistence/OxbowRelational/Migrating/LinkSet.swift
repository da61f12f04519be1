package import OxbowModel
internal import OxbowStore

/// Links between two objects, as one table keeps them before a migration.
///
/// `owner` and `member` are the ends as the relationship afterwards sees them, wherever the table
/// has them: a table of objects has a link in the row of one end, a table of links has both.
package struct LinkSource: Hashable, Sendable {
  package var table: String
  package var owner: LinkEnd
  package var member: LinkEnd

  package init(table: String, owner: LinkEnd, member: LinkEnd) {
    (self.table, self.owner, self.member) = (table, owner, member)
  }

  /// The same links seen from the other end.
  package var reversed: LinkSource { LinkSource(table: table, owner: member, member: owner) }
}

/// One end of links that a table keeps.
package struct LinkEnd: Hashable, Sendable {
  /// Where the number of an object's entity is.
  package enum Entity: Hashable, Sendable {
    /// There is one entity only.
    case number(Int64)
    /// In a column of the table itself.
    case column(String)
    /// In the object's own row.
    case row(table: String, key: String, type: String)
  }

  /// The column with the object's key.
  package var key: String

  /// The column with the object's position among those that the other end's object leads to.
  package var position: String?
  package var entity: Entity

  /// The numbers of the entities that count; `nil` for all.
  package var types: [Int64]?

  package init(key: String, position: String? = nil, entity: Entity, types: [Int64]? = nil) {
    (self.key, self.position, self.entity, self.types) = (key, position, entity, types)
  }
}

/// All links that a relationship gets, from one or more sources.
package struct LinkSet: Hashable, Sendable {
  package enum Column: String, Hashable, Sendable {
    case owner, member
    case ownerEntity = "owner_entity"
    case memberEntity = "member_entity"
    case ownerPosition = "owner_position"
    case memberPosition = "member_position"
  }

  package var sources: [LinkSource]

  package init(_ sources: [LinkSource]) { self.sources = sources }

  /// The number of links, each once.
  package func count(in dialect: any Dialect) -> String {
    "SELECT count(*) FROM \(dialect.rows(of: pairs(in: dialect)))"
  }

  /// The number of owners with more than one link.
  package func repeatedOwners(in dialect: any Dialect) -> String {
    let groups =
      "SELECT 1 FROM \(dialect.rows(of: pairs(in: dialect))) GROUP BY \"owner\" "
      + "HAVING count(*) > 1"
    return "SELECT count(*) FROM \(dialect.rows(of: groups))"
  }

  /// The number of links but one of each owner.
  package func surplus(in dialect: any Dialect) -> String {
    let groups =
      "SELECT count(*) AS \"links\" FROM \(dialect.rows(of: pairs(in: dialect))) "
      + "GROUP BY \"owner\""
    return "SELECT coalesce(sum(\"links\" - 1), 0) FROM \(dialect.rows(of: groups))"
  }

  /// The keys of all owners.
  package func owners(in dialect: any Dialect) -> String {
    "SELECT \"owner\" FROM \(dialect.rows(of: pairs(in: dialect)))"
  }

  private func pairs(in dialect: any Dialect) -> String {
    sources.map { $0.statement([.owner, .member], in: dialect) }.joined(separator: " UNION ")
  }

  /// The statement that reads the columns; an order that no source has begins as the keys are.
  package func select(_ columns: [Column], in dialect: any Dialect) -> String {
    let list = columns.map { "\(expression($0, dialect)) AS \"\($0.rawValue)\"" }
      .joined(separator: ", ")
    let needed = Set(columns).union([.owner, .member]).sorted { $0.rawValue < $1.rawValue }
    if sources.count == 1 {
      return "SELECT \(list) FROM \(dialect.rows(of: sources[0].statement(needed, in: dialect)))"
    }
    let parts = sources.enumerated().map {
      $0.element.statement(needed, part: $0.offset, in: dialect)
    }
    return "SELECT \(list) FROM \(dialect.rows(of: parts.joined(separator: " UNION ALL "))) "
      + "GROUP BY \"owner\", \"member\""
  }

  private func expression(_ column: Column, _ dialect: any Dialect) -> String {
    let isOne = sources.count == 1
    let name = quoted(column.rawValue)
    switch column {
    case .owner, .member: return name
    case .ownerEntity, .memberEntity: return isOne ? name : "max(\(name))"
    case .ownerPosition:
      return isOne && sources[0].owner.position != nil
        ? name : newPosition(name, of: "owner", among: "member", dialect)
    case .memberPosition:
      return isOne && sources[0].member.position != nil
        ? name : newPosition(name, of: "member", among: "owner", dialect)
    }
  }

  /// Sorted by the earlier positions, then by keys.
  private func newPosition(
    _ position: String, of key: String, among other: String, _ dialect: any Dialect
  ) -> String {
    let order =
      sources.count == 1 ? "" : "min(\"part\"), min(\(position))\(dialect.missingFirst), "
    return newPositions(of: quoted(other), orderedBy: order + quoted(key))
  }
}

/// The position of a link at the end of an order.
///
/// - Throws: ``PersistenceError`` with code `invalidStoredValue` behind the largest numbers.
package func nextPosition(behind last: Int64?) throws(PersistenceError) -> Int64 {
  guard let last else { return ChangeSet.firstPosition }
  let (next, overflows) = last.addingReportingOverflow(ChangeSet.positionStep)
  guard !overflows else {
    throw PersistenceError(
      .invalidStoredValue,
      "the last object of an order has the position \(last) in the store, and no number is left "
        + "behind it; nothing was changed: another program wrote it: correct the position, or set "
        + "the objects of the order anew")
  }
  return next
}

/// Returns the expression that numbers the members of each owner, as an order begins in a store.
func newPositions(of owner: String, orderedBy order: String) -> String {
  "\(ChangeSet.firstPosition) + \(ChangeSet.positionStep) * "
    + "(row_number() OVER (PARTITION BY \(owner) ORDER BY \(order)) - 1)"
}

// MARK: - Statements

extension LinkSource {
  /// The statement that counts the links of which none of some pairs of entities is true; links of
  /// entities that are not in `known` do not count.
  package func countUnfit(_ regions: [Region], known: Region) -> String {
    "SELECT count(*) \(unfit(regions, known: known))"
  }

  /// The statement that reads owner and member of those links.
  package func selectUnfit(_ regions: [Region], known: Region) -> String {
    "SELECT \(key(owner)), \(key(member)) \(unfit(regions, known: known))"
  }

  /// The statement that reads owner and member of all links but the first of each owner, by its
  /// order, where it has one, and by the members' keys.
  package func selectSurplus(in dialect: any Dialect) -> String {
    let links = statement([.owner, .member, .memberPosition], in: dialect)
    let places =
      "SELECT \"owner\", \"member\", row_number() OVER "
      + "(PARTITION BY \"owner\" ORDER BY \"member_position\" NULLS LAST, \"member\") AS \"place\" "
      + "FROM \(dialect.rows(of: links))"
    return "SELECT \"owner\", \"member\" FROM \(dialect.rows(of: places)) WHERE \"place\" > 1"
  }

  private func unfit(_ regions: [Region], known: Region) -> String {
    let fits = regions.map { "(\(conditions($0).joined(separator: " AND ")))" }
    let terms =
      baseTerms + conditions(known) + ["(\(fits.joined(separator: " OR "))) IS NOT TRUE"]
    return "FROM \(from) WHERE \(terms.joined(separator: " AND "))"
  }

  /// Entities of owners and members, by number.
  package struct Region: Hashable, Sendable {
    package var owners: [Int64]
    package var members: [Int64]

    package init(owners: [Int64], members: [Int64]) {
      self.owners = owners
      self.members = members
    }
  }

  fileprivate func statement(
    _ columns: [LinkSet.Column], part: Int? = nil, in dialect: any Dialect
  ) -> String {
    var list = columns.map { "\(expression($0, dialect)) AS \"\($0.rawValue)\"" }
    if let part { list.append("\(part) AS \"part\"") }
    let terms = baseTerms + [types(owner, "o"), types(member, "m")].compactMap(\.self)
    return "SELECT \(list.joined(separator: ", ")) FROM \(from) "
      + "WHERE \(terms.joined(separator: " AND "))"
  }

  private var baseTerms: [String] {
    [owner, member].map { "\(key($0)) IS NOT NULL" }
  }

  private func conditions(_ region: Region) -> [String] {
    [
      isOne(entity(owner, "o"), of: region.owners),
      isOne(entity(member, "m"), of: region.members),
    ]
  }

  private func types(_ end: LinkEnd, _ alias: String) -> String? {
    end.types.map { isOne(entity(end, alias), of: $0) }
  }

  private func expression(_ column: LinkSet.Column, _ dialect: any Dialect) -> String {
    let none = dialect.literal(.null, as: .integer)
    return switch column {
    case .owner: key(owner)
    case .member: key(member)
    case .ownerEntity: entity(owner, "o")
    case .memberEntity: entity(member, "m")
    case .ownerPosition: owner.position.map { "l.\(quoted($0))" } ?? none
    case .memberPosition: member.position.map { "l.\(quoted($0))" } ?? none
    }
  }

  private func key(_ end: LinkEnd) -> String { "l.\(quoted(end.key))" }

  private func entity(_ end: LinkEnd, _ alias: String) -> String {
    switch end.entity {
    case .number(let number): "\(number)"
    case .column(let column): "l.\(quoted(column))"
    case .row(_, _, let type): "\(alias).\(quoted(type))"
    }
  }

  private var from: String {
    quoted(table) + " AS l" + joined(owner, "o") + joined(member, "m")
  }

  private func joined(_ end: LinkEnd, _ alias: String) -> String {
    guard case .row(let table, let column, _) = end.entity else { return "" }
    return " LEFT JOIN \(quoted(table)) AS \(alias) ON \(alias).\(quoted(column)) = \(key(end))"
  }
}
