internal import ArgumentParser
internal import OxbowContainer
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
  let location: String?
  let nearNames: [String]
  let details: [Detail]
  let problems: [ToolFailure]

  /// The whole text for people.
  let description: String

  let exitCode: Int32

  enum CodingKeys: String, CodingKey {
    case code, message, location, nearNames, details, problems
  }

  init(_ error: any Error) {
    switch error {
    case let error as PersistenceError: self.init(error)
    case let error as ContainerError: self.init(error)
    case let error as DocumentError:
      self.init(PersistenceError(.invalidModel, error.message, at: error.location))
    default:
      self.init(PersistenceError(.init(rawValue: "failed"), "\(error)"))
    }
  }

  init(_ error: PersistenceError) {
    code = error.code.rawValue
    message = error.message.printable
    location = error.location?.description.printable
    nearNames = error.nearNames.map(\.printable)
    details = error.details.map { Detail(label: $0.label, text: $0.text.printable) }
    problems = error.problems.map(Self.init)
    description = error.description
    exitCode = Self.exitCode(error.code)
  }

  /// Arguments that no command takes.
  init(usage message: String) {
    code = "usage"
    self.message = message.printable
    location = nil
    (nearNames, details, problems) = ([], [], [])
    description = message
    exitCode = ExitCode.validationFailure.rawValue
  }

  init(_ error: ContainerError) {
    let only = error.problems.count == 1 ? error.problems.first : nil
    code = error.code.rawValue
    message = error.message.printable
    location = error.location?.description.printable
    nearNames = only?.nearNames.map(\.printable) ?? []
    details = only.map { Detail.all(of: $0) } ?? []
    problems =
      only == nil ? error.problems.map { Self(ContainerError($0, task: error.task)) } : []
    description = error.description
    exitCode = 1
  }

  /// The labelled lines behind the message.
  var afterMessage: String {
    let near = nearNames.map { "'\($0)'" }.joined(separator: ", ")
    return details.map { "\n  \($0.label): \($0.text)" }.joined()
      + (near.isEmpty ? "" : "\n  did you mean: \(near)?")
  }

  private static func exitCode(_ code: PersistenceError.Code) -> Int32 {
    switch code {
    case .migrationFile: 65
    case .storeUnreachable, .notAStore, .storeReadOnly, .storeNewer: 69
    case .tooManyFiles: 71
    case .migrationRefused, .migrationDrift, .modelMismatch, .fileChanged: 73
    case .storeLocked: 75
    case .interrupted: 130
    default: 1
    }
  }
}

extension ToolFailure.Detail {
  fileprivate static func all(of problem: ContainerError.Problem) -> [Self] {
    let parts = [
      ("seen", problem.seen), ("expected", problem.expected),
      ("requested by", problem.requestedBy.joined(separator: " → ")), ("next", problem.nextStep),
    ]
    return parts.filter { !$0.1.isEmpty }.map { Self(label: $0.0, text: $0.1.printable) }
  }
}
