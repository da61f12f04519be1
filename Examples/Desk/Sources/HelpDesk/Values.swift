import Foundation

// What goes in and out as JSON. Objects stay in their request.

/// A question for tickets, from the query of a URL.
struct TicketQuery: Decodable, Sendable {
  static let pageSize = 20

  /// A search for words, with operators: `printer (paper OR toner)`.
  var words: String?
  var status: TicketStatus?
  var assignee: String?
  /// The number of the page; the first one is 0.
  var page: Int?
}

struct NewTicket: Codable, Sendable {
  var title: String
  var text: String?
}

/// What becomes of a ticket; what is absent stays, and `"assignee": null` removes the assignee.
struct TicketChange: Decodable, Sendable {
  var status: TicketStatus?
  var assignee: String??

  private enum Key: CodingKey { case status, assignee }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    status = try values.decodeIfPresent(TicketStatus.self, forKey: .status)
    if values.contains(.assignee) {
      assignee = .some(try values.decodeIfPresent(String.self, forKey: .assignee))
    }
  }
}

struct NewComment: Codable, Sendable {
  var author: String
  var text: String
}

struct AgentValue: Codable, Hashable, Sendable {
  var name: String
}

struct CommentValue: Codable, Hashable, Sendable {
  var author: String
  var text: String
  var written: Date
}

/// A ticket in a list.
struct TicketSummary: Codable, Hashable, Sendable {
  var id: UUID
  var title: String
  var status: TicketStatus
  var assignee: String?
  var comments: Int
  var updated: Date
}

struct TicketPage: Codable, Hashable, Sendable {
  var tickets: [TicketSummary]
  /// How many tickets there are on all pages.
  var total: Int
  /// The number of the next page; nil on the last one.
  var next: Int?
}

/// A ticket with all that belongs to it.
struct TicketDetails: Codable, Hashable, Sendable {
  var id: UUID
  var title: String
  var text: String
  var status: TicketStatus
  var assignee: String?
  var opened: Date
  var updated: Date
  var comments: [CommentValue]
}

extension TicketSummary {
  init(_ ticket: Ticket) {
    self.init(
      id: ticket.id, title: ticket.title, status: ticket.status, assignee: ticket.assignee?.name,
      comments: ticket.commentCount, updated: ticket.updated)
  }
}

extension TicketDetails {
  init(_ ticket: Ticket) {
    self.init(
      id: ticket.id, title: ticket.title, text: ticket.text, status: ticket.status,
      assignee: ticket.assignee?.name, opened: ticket.opened, updated: ticket.updated,
      comments: ticket.comments.map {
        CommentValue(author: $0.author, text: $0.text, written: $0.written)
      })
  }
}
