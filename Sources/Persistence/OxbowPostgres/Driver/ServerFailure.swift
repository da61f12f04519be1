#if PostgreSQL
  internal import CPostgres

  /// A statement or a connection that failed, as the server or libpq says it.
  struct ServerFailure: Error {
    /// Five letters that say what it is; `nil` where the server had no chance to say it.
    var state: String?

    /// The server's words.
    var message: String
    var detail: String?
    var table: String?
    var constraint: String?

    /// The file of the server's own program that says it, which is the same in each language.
    var source: String?

    /// The character of the statement that it is about, counted from 1.
    var position: Int?

    /// The statement.
    var statement: String?

    /// Whether the server ran a statement that it had kept.
    var isOfPrepared = false

    /// Whether the connection is gone.
    var isLost = false

    /// Whether the read was stopped by its task.
    var isCancelled = false

    /// Why the program has not sent all of a copy; `nil` for a failure of the server.
    private(set) var cause: (any Error)?

    init(_ message: String, isLost: Bool = false) {
      self.message = message
      self.isLost = isLost
    }

    /// What a result of libpq says.
    init(_ result: OpaquePointer) {
      func field(_ code: UnicodeScalar) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
      }
      state = field("C")
      message = field("M") ?? Self.trimmed(PQresultErrorMessage(result))
      detail = field("D")
      table = field("t")
      constraint = field("n")
      source = field("F")
      position = field("P").flatMap { Int($0) }
    }

    /// Says that the program could not go on with a copy.
    init(because cause: any Error) {
      self.init("\(cause)")
      self.cause = cause
    }

    /// Says that rows of a copy are not in the table, as a guard says it of others.
    static func swallowed(_ count: Int) -> ServerFailure {
      ServerFailure("\"oxbow:swallowed:\(count)\"")
    }

    /// A line of libpq's without its end.
    static func trimmed(_ text: UnsafePointer<CChar>?) -> String {
      guard let text else { return "" }
      let lines = String(cString: text).split(separator: "\n").map { line in
        line.drop { $0 == " " || $0 == "\t" }
      }
      return lines.joined(separator: "; ")
    }
  }

  extension ServerFailure {
    /// Whether a lock was waited for too long, or in a circle: later the same statements may go on.
    var isOfLocks: Bool { ["55P03", "40P01", "40001"].contains(state) }

    /// What a guard in a statement has found; `nil` for another failure.
    ///
    /// The server's words around it depend on its language.
    var guardMark: GuardMark? {
      guard let start = message.firstRange(of: "oxbow:") else { return nil }
      let words = message[start.upperBound...].split(separator: ":", maxSplits: 1)
      switch words.first.map({ $0.prefix { $0.isLetter } }) {
      case "conflict": return .conflict
      case "fenced": return .fenced
      case "migrated": return .migrated
      case "swallowed": return .swallowed
      case "acknowledged": return .acknowledged
      default: return nil
      }
    }

    /// Whether others were in the way for a moment, so that the same statements may succeed now: a
    /// deadlock, a conflict of transactions, a statement that the server has forgotten.
    var isPassing: Bool {
      switch state {
      case "40001", "40P01": true
      default: isOfPreparing || isOfPolicies
      }
    }

    /// The state of a statement that was ended because it took too long, or from outside.
    static let ofLongStatement = "57014"

    /// Whether a copy was refused because of policies of the table, which statements take.
    var isOfPolicies: Bool { state == "0A000" && statement?.hasPrefix("COPY") == true }

    /// Whether the server has not the statement that was prepared, has another one by that name, or
    /// would give it other columns.
    var isOfPreparing: Bool { isOfOthersStatement || isOfPrepared && state == "0A000" }

    /// Whether what was prepared is not there, or what was not is: the server has given the
    /// connection to another one, as poolers do.
    var isOfOthersStatement: Bool { state == "26000" || state == "42P05" }

    /// Whether the store cannot be used as it is, which does not pass by itself: its tables are
    /// gone, or the role may not use them.
    var isOfStore: Bool {
      guard let state, !endsConnection, !isOfLocks, !isPassing else { return false }
      return state != Self.ofLongStatement && !state.hasPrefix("53")
    }

    /// What libpq writes between the severity of an error of the server and its words.
    static let behindSeverity = ":  "

    /// Whether a server has refused a connection, and not the way to it.
    var isOfReachedServer: Bool { message.contains(Self.behindSeverity) }

    /// Whether it says in English that a password is wrong: asking again would be a second attempt
    /// for a server that counts them.
    var isOfPassword: Bool { message.contains("password authentication failed") }

    /// Whether a server that was reached has no place for a connection now.
    var isOfFullServer: Bool { state == "53300" }

    /// Whether it is about an entry of an index, and not about a row.
    var isOfIndexEntry: Bool {
      ["index", "nbt", "gist"].contains { source?.hasPrefix($0) == true }
    }

    /// Whether the server or its administrator has ended the connection.
    var endsConnection: Bool {
      isLost || state?.hasPrefix("57P") == true || state == "25P03"
    }
  }

  /// What stops a save inside of its transaction.
  enum GuardMark {
    /// A row has another version, or is gone.
    case conflict
    /// Another connection has decided that the save is not there.
    case fenced
    /// The store's model has changed.
    case migrated
    /// A row was not inserted, without an error.
    case swallowed
    /// A consumer of the history is not where it was.
    case acknowledged
  }
#endif
