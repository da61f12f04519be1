/// Links that go while their relationship stays, because one of its ends cannot have them any more.
package struct ClearedLinks: Hashable, Sendable {
  /// The table that keeps the links, and the columns of its two ends.
  package var table: String
  package var owner: String
  package var member: String

  /// The columns that say nothing afterwards; empty for a table of links, whose rows go.
  package var cleared: [String]

  /// The statement that reads owner and member of the links.
  package var links: String

  package init(
    table: String, owner: String, member: String, cleared: [String], links: String
  ) {
    (self.table, self.owner, self.member) = (table, owner, member)
    (self.cleared, self.links) = (cleared, links)
  }

  /// The statement that takes the links away; it runs while all earlier tables are there.
  package var statement: String {
    let condition = " WHERE (\(quoted(owner)), \(quoted(member))) IN (\(links))"
    guard !cleared.isEmpty else { return "DELETE FROM \(quoted(table))" + condition }
    let values = cleared.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
    return "UPDATE \(quoted(table)) SET \(values)" + condition
  }
}
