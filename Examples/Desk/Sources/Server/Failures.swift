import Hummingbird
import Oxbow

/// Answers what the desk and the store refuse with the status and the text that a client needs.
///
/// Whatever else fails is logged, and the client learns no more than 500.
struct Failures<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      throw answer(to: error, context)
    }
  }

  private func answer(to error: any Error, _ context: Context) -> any Error {
    if error is any HTTPResponseError { return error }
    if let answer = (error as? DeskError)?.answer ?? (error as? PersistenceError)?.answer {
      return answer
    }
    context.logger.error("a request has failed", metadata: ["error": "\(error)"])
    return HTTPError(.internalServerError, message: "this failed, and was logged")
  }
}

extension DeskError {
  fileprivate var answer: HTTPError {
    switch self {
    case .unknownTicket(let id):
      HTTPError(.notFound, message: "there is no ticket \(id)")
    case .unknownAgent(let name):
      HTTPError(.badRequest, message: "there is no agent named '\(name)'")
    case .closed(let id):
      HTTPError(.conflict, message: "ticket \(id) is closed; open it before you comment on it")
    }
  }
}

extension PersistenceError {
  fileprivate var answer: HTTPError? {
    switch code {
    case .validation:
      HTTPError(.badRequest, message: validationFailures.map(\.message).joined(separator: "; "))
    case .invalidPredicate:
      HTTPError(.badRequest, message: description)
    case .uniquenessViolated:
      HTTPError(.conflict, message: taken)
    case .conflict:
      HTTPError(.conflict, message: "somebody else has changed this meanwhile; read it again")
    case .storeLocked, .tooManyFiles:
      HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: "busy; try again")
    case .storeFull:
      HTTPError(.init(code: 507), message: "the disk is full")
    default: nil
    }
  }

  /// Which values another object has: `name "Ada" is taken`.
  private var taken: String {
    validationFailures.flatMap { failure in
      failure.properties.map { "\($0) \(failure.values[$0] ?? .null) is taken" }
    }.joined(separator: "; ")
  }
}
