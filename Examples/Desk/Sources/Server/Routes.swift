import CoreMetrics
import Foundation
import Hummingbird
import Oxbow
import ServiceLifecycle

/// Which URL does what.
struct Routes: Sendable {
  let desk: any HelpDesk
  let board: Board
  let coordinator: PersistentStoreCoordinator
  let context: any ObjectContext & Sendable
  let metrics: MetricsPage
  let container: Container

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.get("health", use: health)
    router.get("metrics", use: metricsPage)
    router.get("live", use: live)
    router.addMiddleware {
      MetricsMiddleware()
      Failures()
      UnitOfWork(context: context)
    }
    router.get("tickets") { request, context in
      try desk.list(request.uri.decodeQuery(as: TicketQuery.self, context: context))
    }
    router.get("tickets/:id") { _, context in
      try desk.ticket(context.parameters.require("id", as: UUID.self))
    }
    router.post("tickets") { request, context in
      let ticket = try desk.open(await request.decode(as: NewTicket.self, context: context))
      return EditedResponse(
        status: .created, headers: [.location: "/tickets/\(ticket.id)"], response: ticket)
    }
    router.patch("tickets/:id") { request, context in
      let change = try await request.decode(as: TicketChange.self, context: context)
      return try desk.change(context.parameters.require("id", as: UUID.self), change)
    }
    router.post("tickets/:id/comments") { request, context in
      let comment = try await request.decode(as: NewComment.self, context: context)
      let id = try context.parameters.require("id", as: UUID.self)
      return EditedResponse(status: .created, response: try desk.comment(on: id, comment))
    }
    router.get("agents") { _, _ in try desk.team() }
    router.post("agents") { request, context in
      let agent = try await request.decode(as: AgentValue.self, context: context)
      return EditedResponse(status: .created, response: try desk.hire(agent))
    }
    return router
  }

  @Sendable private func health(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> Response {
    let tree = await container.health()
    var response = try context.responseEncoder.encode(tree, from: request, context: context)
    response.status = tree.health.status == .down ? .serviceUnavailable : .ok
    return response
  }

  @Sendable private func metricsPage(_: Request, _: BasicRequestContext) -> String {
    let statistics = coordinator.statistics
    Gauge(label: "store.statements").record(statistics.statements)
    Gauge(label: "store.saves").record(statistics.saves)
    Gauge(label: "store.commits").record(statistics.commits)
    Gauge(label: "store.log.bytes").record(statistics.logBytes)
    return metrics.text
  }

  /// Server-sent events: the list of the board, until the client or the server ends.
  @Sendable private func live(
    _: Request, _ context: BasicRequestContext
  ) -> Response {
    let encoder = context.responseEncoder
    let body = ResponseBody { writer in
      for await tickets in board.lists().cancelOnGracefulShutdown() {
        let text = String(decoding: try encoder.encode(tickets), as: UTF8.self)
        try await writer.write(ByteBuffer(string: "event: tickets\ndata: \(text)\n\n"))
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: body)
  }
}

extension TicketPage: ResponseEncodable {}
extension TicketDetails: ResponseEncodable {}
extension AgentValue: ResponseEncodable {}
