import Foundation
import Oxbow

/// What people do at the desk.
///
/// A call works in the context of its request, and returns values. Those that change something are
/// transactions, by an aspect.
@Proxied(aspects: true) protocol HelpDesk: Sendable {
  func list(_ query: TicketQuery) throws -> TicketPage
  func ticket(_ id: UUID) throws -> TicketDetails
  func open(_ ticket: NewTicket) throws -> TicketDetails
  func change(_ id: UUID, _ change: TicketChange) throws -> TicketDetails
  func comment(on id: UUID, _ comment: NewComment) throws -> TicketDetails
  func team() throws -> [AgentValue]
  func hire(_ agent: AgentValue) throws -> AgentValue
}

extension HelpDeskProxy: HelpDeskForwarding {}

/// Why the desk cannot do something that the store could.
enum DeskError: Error, Hashable {
  case unknownTicket(UUID)
  case unknownAgent(String)
  case closed(UUID)
}

struct StoredHelpDesk: HelpDesk {
  let tickets: any Tickets
  let comments: any Comments
  let agents: any Agents

  func list(_ query: TicketQuery) throws -> TicketPage {
    let page = try tickets.page(query)
    return TicketPage(
      tickets: page.items.map(TicketSummary.init), total: page.totalCount, next: page.next?.number)
  }

  func ticket(_ id: UUID) throws -> TicketDetails { TicketDetails(try existing(id)) }

  func open(_ ticket: NewTicket) throws -> TicketDetails {
    TicketDetails(
      try tickets.insert {
        ($0.id, $0.title, $0.text) = (UUID(), ticket.title, ticket.text ?? "")
        ($0.opened, $0.updated) = (.now, .now)
      })
  }

  func change(_ id: UUID, _ change: TicketChange) throws -> TicketDetails {
    let ticket = try existing(id)
    if let status = change.status { ticket.status = status }
    if let name = change.assignee { ticket.assignee = try name.map(agent) }
    ticket.updated = .now
    return TicketDetails(ticket)
  }

  func comment(on id: UUID, _ comment: NewComment) throws -> TicketDetails {
    let ticket = try existing(id)
    guard ticket.status == .open else { throw DeskError.closed(id) }
    ticket.updated = .now
    try comments.insert {
      ($0.author, $0.text, $0.written) = (comment.author, comment.text, ticket.updated)
      ticket.comments.append($0)
    }
    return TicketDetails(ticket)
  }

  func team() throws -> [AgentValue] {
    try agents.find(sortedBy: [.ascending(\.name)]).map { AgentValue(name: $0.name) }
  }

  func hire(_ agent: AgentValue) throws -> AgentValue {
    try agents.insert { $0.name = agent.name }
    return agent
  }

  private func existing(_ id: UUID) throws -> Ticket {
    guard let ticket = try tickets.first(id: id) else { throw DeskError.unknownTicket(id) }
    return ticket
  }

  private func agent(_ name: String) throws -> Agent {
    guard let agent = try agents.first(name: name) else { throw DeskError.unknownAgent(name) }
    return agent
  }
}
