import Hummingbird
import Oxbow

/// Gives each request a context of its own, on threads of the store.
struct UnitOfWork<Context: RequestContext>: RouterMiddleware {
  let context: any ObjectContext & Sendable

  func handle(
    _ request: Request, context requestContext: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    try await context.withTaskContext { try await next(request, requestContext) }
  }
}
