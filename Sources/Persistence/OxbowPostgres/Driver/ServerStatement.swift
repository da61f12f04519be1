#if PostgreSQL
  /// A statement and the values of its parameters, `$1` and so on.
  struct ServerStatement: Sendable {
    var text: String
    var parameters: [Parameter]

    /// Whether the text will come again, so that the server may keep its plan.
    var isKept: Bool

    init(_ text: String, _ parameters: [Parameter] = [], isKept: Bool = true) {
      self.text = text
      self.parameters = parameters
      self.isKept = isKept
    }

    static let begin = ServerStatement("BEGIN ISOLATION LEVEL READ COMMITTED")
    static let beginReading = ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    static let commit = ServerStatement("COMMIT")
    static let rollback = ServerStatement("ROLLBACK")
  }

  /// The statements that a connection has met: a text that comes twice is prepared.
  struct KnownStatements {
    /// A server keeps so many for a connection.
    private static let limit = 256

    /// A text, and the types of its parameters: the same text may have others.
    struct Form: Hashable {
      let text: String
      let types: [UInt32]

      init(_ statement: ServerStatement) {
        text = statement.text
        types = statement.parameters.map(\.type)
      }
    }

    private var names: [Form: String] = [:]
    private var seen: Set<Form> = []
    private var number = 0

    enum Way {
      case unnamed
      case prepare(String)
      case prepared(String)
    }

    mutating func way(of statement: ServerStatement) -> Way {
      guard statement.isKept else { return .unnamed }
      let form = Form(statement)
      if let name = names[form] { return .prepared(name) }
      guard names.count < Self.limit, !seen.insert(form).inserted else {
        if seen.count > 4 * Self.limit { seen = [] }
        return .unnamed
      }
      number += 1
      return .prepare("oxbow_\(number)")
    }

    mutating func note(_ form: Form, _ name: String) { names[form] = name }

    mutating func forgetAll() {
      names = [:]
      seen = []
    }
  }
#endif
