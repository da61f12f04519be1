import Foundation
import Oxbow

/// What somebody has asked the desk for.
@Entity(
  unique: [["id"]],
  indexes: [
    FetchIndexDescription("byUpdate", elements: [.init("updated", isAscending: false)]),
    FetchIndexDescription(
      "byStatus", elements: [.init("status"), .init("updated", isAscending: false)]),
  ])
final class Ticket: ManagedObject {
  /// What the ticket is called outside.
  var id: UUID
  @Attribute(rules: AttributeRules(minimumLength: 1, maximumLength: 200), search: .words)
  var title: String
  @Attribute(search: .words) var text: String = ""
  var status: TicketStatus = .open
  var opened: Date
  /// When the ticket was last changed or commented on.
  var updated: Date
  @Attribute(derivation: "comments.@count") var commentCount: Int
  @Relationship(inverse: \.tickets) var assignee: Agent?
  @Relationship(.cascade, inverse: \.ticket) var comments: [Comment] = []
}

enum TicketStatus: String, AttributeConvertible, Codable {
  case open, closed
}

/// Something that was said about a ticket.
@Entity final class Comment: ManagedObject {
  var author: String
  @Attribute(rules: AttributeRules(minimumLength: 1), search: .words) var text: String
  var written: Date
  @Relationship(inverse: \.comments, optional: false) var ticket: Ticket?
}

/// Somebody who works at the desk.
@Entity(unique: [["name"]]) final class Agent: ManagedObject {
  @Attribute(rules: AttributeRules(minimumLength: 1, maximumLength: 80)) var name: String
  @Relationship(inverse: \.assignee) var tickets: Set<Ticket> = []
}

/// The model of the store.
enum DeskModel {
  static let types: [any ModelObject.Type] = [Ticket.self, Comment.self, Agent.self]
}
