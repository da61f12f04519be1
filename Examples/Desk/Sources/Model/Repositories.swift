import Foundation
import Oxbow

@Repository protocol Tickets: Repository<Ticket>, Sendable {
  func first(id: UUID) throws -> Ticket?

  /// The page of the tickets that are asked for, those changed last first.
  @Written func page(_ query: TicketQuery) throws -> Page<Ticket>
}

struct StoredTickets: Tickets, Stored {
  let context: any ObjectContext & Sendable

  func page(_ query: TicketQuery) throws -> Page<Ticket> {
    try page(
      PageRequest(query.page ?? 0, size: TicketQuery.pageSize), where: .and(query.conditions),
      sortedBy: [.descending(\.updated)], prefetching: [\.assignee])
  }
}

extension TicketQuery {
  fileprivate var conditions: [FetchPredicate] {
    get throws {
      var conditions: [FetchPredicate] = []
      if let words {
        conditions.append(
          try .words(["title", "text"], words) || .any("comments", .words("text", words)))
      }
      if let status { conditions.append(.equal("status", status)) }
      if let assignee { conditions.append(.equal("assignee.name", assignee)) }
      return conditions
    }
  }
}

protocol Comments: Repository<Comment>, Sendable {}

struct StoredComments: Comments, Stored {
  let context: any ObjectContext & Sendable
}

@Repository protocol Agents: Repository<Agent>, Sendable {
  func first(name: String) throws -> Agent?
  func find(sortedBy: [SortKey<Agent>]) throws -> [Agent]
}

struct StoredAgents: Agents, Stored {
  let context: any ObjectContext & Sendable
}
