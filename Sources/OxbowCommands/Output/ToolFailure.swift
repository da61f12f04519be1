internal import OxbowDocuments
internal import OxbowModel

/// An error as the tool reports it.
struct ToolFailure: Encodable {
  struct Detail: Encodable {
    let label: String
    let text: String
  }

  let code: String
  let message: String
  let place: String?
  let details: [Detail]
  let problems: [ToolFailure]

  /// The whole text for people.
  let description: String

  let exitCode: Int32

  enum CodingKeys: CodingKey {
    case code, message, place, details, problems
  }

  init(_ error: any Error) {
    switch error {
    case let error as PersistenceError: self.init(error)
    case let error as DocumentError:
      self.init(PersistenceError(.invalidModel, error.message, at: error.location))
    default:
      self.init(PersistenceError(.init(rawValue: "failed"), "\(error)"))
    }
  }

  init(_ error: PersistenceError) {
    code = error.code.rawValue
    message = error.message.printable
    place = error.location?.description.printable
    details = error.details.map { Detail(label: $0.label, text: $0.text.printable) }
    problems = error.problems.map(Self.init)
    description = error.description
    exitCode = Self.exitCode(error.code)
  }

  private static func exitCode(_ code: PersistenceError.Code) -> Int32 {
    switch code {
    case .migrationFile: 65
    case .storeUnreachable, .notAStore, .storeReadOnly: 69
    case .migrationRefused, .migrationDrift, .modelMismatch: 73
    case .storeLocked: 75
    default: 1
    }
  }
}
