#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowPlatform
  internal import OxbowRelational

  /// A statement and the values of its parameters, `$1` and so on.
  struct ServerStatement: Sendable {
    var text: String
    var parameters: [Parameter]

    /// Whether the text will come again, so that the server may keep its plan.
    var isKept: Bool

    /// The rows that it copies into a table; `nil` for another statement.
    private(set) var copy: RowCopy?

    /// Whether the results come as texts, for statements whose types are not known before.
    var readsTexts: Bool

    init(
      _ text: String, _ parameters: [Parameter] = [], isKept: Bool = true, readsTexts: Bool = false
    ) {
      self.text = text
      self.parameters = parameters
      self.isKept = isKept
      self.readsTexts = readsTexts
    }

    /// A statement that copies rows, which takes a round trip of its own.
    init(copying copy: RowCopy) {
      self.init("COPY \(copy.table) FROM STDIN", isKept: false)
      self.copy = copy
    }

    // Not prepared: a server that forgets prepared statements must not forget these.
    static let begin = ServerStatement("BEGIN ISOLATION LEVEL READ COMMITTED", isKept: false)
    static let beginReading = ServerStatement(
      "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isKept: false)
    static let commit = ServerStatement("COMMIT", isKept: false)
    static let checkConstraints = ServerStatement("SET CONSTRAINTS ALL IMMEDIATE", isKept: false)
    static let rollback = ServerStatement("ROLLBACK", isKept: false)
  }

  /// Rows for a table, which is named with its columns in parentheses.
  struct RowCopy: Sendable {
    let table: String
    let types: [ServerType]

    /// Hands over the rows, each while the server takes those before it.
    let rows: @Sendable (inout RowSender) throws -> Void

    /// - Throws: ``ServerFailure``, with a cause for what `rows` throws.
    fileprivate func send(_ connection: ServerConnection) throws(ServerFailure) {
      var sender = RowSender(connection, into: table, types, isNew: false)
      do {
        try rows(&sender)
        try sender.finish()
      } catch {
        sender.cancel()
        throw error as? ServerFailure ?? ServerFailure(because: error)
      }
    }
  }

  extension ServerConnection {
    /// Runs statements, those between two copies in one round trip.
    func runCopying(
      _ statements: [ServerStatement], stoppingWhen isStopping: (() -> Bool)?
    ) throws(ServerFailure) -> [ServerResult] {
      var results: [ServerResult] = []
      var rest = statements[...]
      while let place = rest.firstIndex(where: { $0.copy != nil }) {
        let before = Array(rest[..<place])
        if !before.isEmpty { results += try run(before, stoppingWhen: isStopping) }
        try rest[place].copy?.send(self)
        guard let result = ServerResult.empty else { throw lost() }
        results.append(result)
        rest = rest[(place + 1)...]
      }
      return rest.isEmpty ? results : results + (try run(Array(rest), stoppingWhen: isStopping))
    }
  }

  extension ServerStatement {
    /// Limits how long a transaction waits for the locks of others.
    static func lockLimit(milliseconds: Int) -> ServerStatement {
      let limit = min(max(1, milliseconds), Int(Int32.max))
      return ServerStatement("SET LOCAL lock_timeout = \(limit)")
    }
  }

  /// Whether the connections of a pool prepare statements.
  ///
  /// That ends with the first statement that the server turns out not to keep for a connection:
  /// behind a pooler, each would fail once more.
  final class Preparing: Sendable {
    private let state: Lock<Bool>

    init(_ isAllowed: Bool) { state = Lock(isAllowed) }

    var isAllowed: Bool { state.withLock { $0 } }

    func end() { state.withLock { $0 = false } }
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

      /// A name that no other form has: behind a pooler, the server's connection may have
      /// statements of another program, and one that was forgotten is still there.
      func name(_ round: Int) -> String {
        let words = "\(round) \(text) \(types.map(String.init).joined(separator: " "))"
        return "oxbow_" + SHA256.hexadecimalDigits(of: words.utf8).prefix(32)
      }
    }

    private var names: [Form: String] = [:]

    /// How often all names were forgotten.
    private var round = 0

    /// Those that the pipeline under way prepares: if one fails, all behind it are skipped.
    private var pending: [Form: String] = [:]
    private var seen: Set<Form> = []

    /// The texts that gave many rows the last time.
    ///
    /// Each row that is read alone takes the time of a result (docs/performance.md, N/keys).
    private var long: Set<String> = []
    private static let longRows = 1000

    func isLong(_ statement: ServerStatement?) -> Bool {
      statement.map { long.contains($0.text) } ?? false
    }

    mutating func note(rows count: Int, of statement: ServerStatement?) {
      guard let statement else { return }
      guard count > Self.longRows else {
        if !long.isEmpty { long.remove(statement.text) }
        return
      }
      if long.count > Self.limit { long = [] }
      long.insert(statement.text)
    }

    enum Way: Equatable {
      case unnamed
      case prepare(String)
      case prepared(String)
    }

    mutating func way(of statement: ServerStatement) -> Way {
      guard statement.isKept else { return .unnamed }
      let form = Form(statement)
      if let name = names[form] ?? pending[form] { return .prepared(name) }
      guard names.count + pending.count < Self.limit, !seen.insert(form).inserted else {
        if seen.count > 4 * Self.limit { seen = [] }
        return .unnamed
      }
      let name = form.name(round)
      pending[form] = name
      return .prepare(name)
    }

    mutating func endPipeline() { pending = [:] }

    mutating func note(_ form: Form, _ name: String) { names[form] = name }

    mutating func forgetAll() {
      round += 1
      names = [:]
      seen = []
    }
  }
#endif
