import Foundation
import HummingbirdTesting
import Oxbow
import OxbowTesting
import Testing

@testable import desk

/// The desk over HTTP; each test finds sixty tickets, Ada and Bob.
@Suite(
  .objectContext {
    try PersistentContainer(.temporary, types: DeskModel.types)
  } prepared: { store in
    try await store.perform { context in
      let agents = try ["Ada", "Bob"].map { name in
        try context.insert(Agent.self) { $0.name = name }
      }
      for number in UInt8(0)..<60 {
        let ticket = try context.insert(Ticket.self)
        ticket.id = ticketID(number)
        (ticket.title, ticket.text) = ("Printer \(number)", "It prints only half of the page.")
        ticket.opened = Date(timeIntervalSince1970: 1_000_000 + Double(number))
        ticket.updated = ticket.opened
        ticket.assignee = agents[Int(number % 2)]
        for text in ["Is there toner?", "There is, number \(number)."] {
          ticket.comments.append(
            try context.insert(desk.Comment.self) {
              ($0.author, $0.text, $0.written) = ("Ada", text, ticket.opened)
            })
        }
      }
      try context.save()
    }
  }, .timeLimit(.minutes(30)))
struct TicketTests {
  // MARK: Reading

  @Test(.statements(atMost: 3), .noLoopedFetches, .noFullScans)
  func `a page of tickets takes three statements`() async throws {
    try await DeskClient.with { desk, _ in
      let page: TicketPage = try await desk.send(.get, "/tickets")
      #expect(page.tickets.map(\.title) == (40..<60).reversed().map { "Printer \($0)" })
      #expect(page.total == 60)
      #expect(page.next == 1)
      #expect(page.tickets.allSatisfy { $0.comments == 2 && $0.assignee != nil })
    }
  }

  @Test(.noLoopedFetches, .noFullScans) func `pages end, and conditions narrow them`() async throws
  {
    try await DeskClient.with { desk, _ in
      let last: TicketPage = try await desk.send(.get, "/tickets?page=2")
      #expect(last.tickets.last?.title == "Printer 0")
      #expect(last.next == nil)
      let adas: TicketPage = try await desk.send(.get, "/tickets?assignee=Ada&status=open")
      #expect(adas.total == 30)
      let none: TicketPage = try await desk.send(.get, "/tickets?status=closed")
      #expect(none.tickets.isEmpty)
    }
  }

  @Test(.statements(atMost: 3), .noLoopedFetches)
  func `a ticket with its comments takes three statements`() async throws {
    let id = ticketID(7)
    try await DeskClient.with { desk, _ in
      let ticket: TicketDetails = try await desk.send(.get, "/tickets/\(id)")
      #expect(ticket.title == "Printer 7")
      #expect(ticket.assignee == "Bob")
      #expect(ticket.comments.map(\.text) == ["Is there toner?", "There is, number 7."])
    }
  }

  @Test(.noLoopedFetches, .noFullScans)
  func `a search finds words of tickets and of comments`() async throws {
    try await DeskClient.with { desk, _ in
      let found: TicketPage = try await desk.send(.get, "/tickets?words=toner%20AND%20number%207")
      #expect(found.tickets.isEmpty)
      let comments: TicketPage = try await desk.send(.get, "/tickets?words=%22number%207%22")
      #expect(comments.tickets.map(\.title) == ["Printer 7"])
      let texts: TicketPage = try await desk.send(.get, "/tickets?words=half%20print*&page=1")
      #expect(texts.total == 60)
    }
  }

  // MARK: Writing

  @Test(.noLoopedFetches) func `a ticket is opened, given to somebody, commented on and closed`()
    async throws
  {
    try await DeskClient.with { desk, _ in
      let new: TicketDetails = try await desk.send(
        .post, "/tickets", #"{"title": "No paper", "text": "Tray 2"}"#, status: .created)
      let place = "/tickets/\(new.id)"
      #expect((new.status, new.assignee) == (.open, nil))
      let given: TicketDetails = try await desk.send(.patch, place, #"{"assignee": "Ada"}"#)
      #expect(given.assignee == "Ada")
      _ = try await desk.send(
        .post, "\(place)/comments", #"{"author": "Ada", "text": "On its way."}"#, status: .created,
        as: TicketDetails.self)
      let closed: TicketDetails = try await desk.send(
        .patch, place, #"{"status": "closed", "assignee": null}"#)
      #expect((closed.status, closed.assignee) == (.closed, nil))
      #expect(closed.comments.map(\.text) == ["On its way."])
      #expect(try await desk.send(.get, place, as: TicketDetails.self) == closed)
    }
  }

  @Test func `comments that arrive at once are all kept`() async throws {
    let id = ticketID(3)
    try await DeskClient.with { desk, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<16 {
          group.addTask {
            _ = try await desk.send(
              .post, "/tickets/\(id)/comments", #"{"author": "Bob", "text": "\#(number)"}"#,
              status: .created, as: TicketDetails.self)
          }
        }
        try await group.waitForAll()
      }
      let ticket: TicketDetails = try await desk.send(.get, "/tickets/\(id)")
      #expect(Set(ticket.comments.dropFirst(2).map(\.text)) == Set((0..<16).map(String.init)))
    }
  }

  // MARK: What is refused

  @Test(arguments: [
    (#"{"text": "no title"}"#, "Coding key `title` not found."),
    (#"{"title": "#, "The given data was not valid input: "),
    (#"{"title": ""}"#, "title"),
    (#"{"title": 7}"#, "Type mismatch for `title` key, expected `String` type."),
  ]) func `a ticket that cannot be is a bad request, which says why`(body: String, text: String)
    async throws
  {
    try await DeskClient.with { desk, _ in
      let message = try await desk.refusal(.post, "/tickets", body, status: .badRequest)
      #expect(message.contains(text))
    }
  }

  @Test func `a search that cannot be read is a bad request, which shows where`() async throws {
    try await DeskClient.with { desk, _ in
      let message = try await desk.refusal(.get, "/tickets?words=rust%20OR", status: .badRequest)
      #expect(message.hasPrefix("the search cannot be read at column 8"))
      _ = try await desk.refusal(.get, "/tickets?page=-1", status: .badRequest)
      _ = try await desk.refusal(.get, "/tickets?status=lost", status: .badRequest)
    }
  }

  @Test func `what does not exist is not found`() async throws {
    let (id, known) = (UUID(), ticketID(1))
    try await DeskClient.with { desk, _ in
      let message = try await desk.refusal(.get, "/tickets/\(id)", status: .notFound)
      #expect(message == "there is no ticket \(id)")
      _ = try await desk.refusal(.patch, "/tickets/\(id)", "{}", status: .notFound)
      _ = try await desk.refusal(.get, "/tickets/seven", status: .badRequest)
      let unknown = try await desk.refusal(
        .patch, "/tickets/\(known)", #"{"assignee": "Eve"}"#, status: .badRequest)
      #expect(unknown == "there is no agent named 'Eve'")
    }
  }

  @Test func `what contradicts the store is a conflict, and nothing is saved`() async throws {
    let id = ticketID(1)
    try await DeskClient.with { desk, _ in
      let taken = try await desk.refusal(.post, "/agents", #"{"name": "Ada"}"#, status: .conflict)
      #expect(taken == #"name "Ada" is taken"#)
      #expect(try await desk.send(.get, "/agents", as: [AgentValue].self).count == 2)
      _ = try await desk.send(
        .patch, "/tickets/\(id)", #"{"status": "closed"}"#, as: TicketDetails.self)
      let closed = try await desk.refusal(
        .post, "/tickets/\(id)/comments", #"{"author": "Ada", "text": "?"}"#, status: .conflict)
      #expect(closed.contains("is closed"))
    }
  }
}

/// The ID of a ticket that tests find.
private func ticketID(_ number: UInt8) -> UUID {
  UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
}
