#if PostgreSQL
  internal import CPostgres
  internal import OxbowFoundation
  internal import OxbowRelational

  /// A connection to a server.
  ///
  /// It speaks in pipelines: statements are sent one behind the other, and their results come in
  /// one round trip. Only rows of a COPY travel by themselves.
  final class ServerConnection: @unchecked Sendable {
    // Sendable by argument: the pool lends it to one thread at a time, under its lock.

    let handle: OpaquePointer
    private let preparing: Preparing

    /// How long the server may be silent while it is waited for; `nil` for as long as it likes.
    var answerMilliseconds: Int?
    private var known = KnownStatements()

    /// How many round trips it has made, and statements sent.
    var roundTrips = 0
    var statements = 0

    /// The pool's generation when it was opened.
    var generation = 0

    /// When it was given back last, in milliseconds.
    var idleSince = 0

    /// Up to where the server, if it is a replica, is known to have replayed the log.
    var replayed: LogPosition?

    /// Whether the server says its timeline, once it was asked for.
    var isTimelineKnown: Bool?

    /// What the fence knows it by, once it has saved.
    var session: SaveSession?

    /// Connects.
    ///
    /// - Throws: ``ServerFailure``, which is without a state if the server was not reached.
    init(
      _ location: ServerAddress, _ preparing: Preparing, answerMilliseconds: Int? = nil
    ) throws(ServerFailure) {
      handle = try Self.connected(location)
      self.preparing = preparing
      self.answerMilliseconds = answerMilliseconds
      PQsetNoticeProcessor(handle, { _, _ in }, nil)
      guard PQenterPipelineMode(handle) == 1, PQsetnonblocking(handle, 1) == 0 else {
        throw ServerFailure("libpq cannot send several statements at once", isLost: true)
      }
    }

    private static func connected(
      _ location: ServerAddress
    ) throws(ServerFailure) -> OpaquePointer {
      guard let handle = location.connect() else {
        throw ServerFailure("libpq has no memory for a connection", isLost: true)
      }
      guard PQstatus(handle) != CONNECTION_OK else { return handle }
      var failure = ServerFailure(ServerFailure.trimmed(PQerrorMessage(handle)), isLost: true)
      if failure.isOfReachedServer, !failure.isOfPassword {
        failure.state = stateOfSecondAttempt(handle)
        if PQstatus(handle) == CONNECTION_OK { return handle }
      }
      PQfinish(handle)
      throw failure
    }

    /// Why a server refuses a connection, which libpq says in the server's language unless it was
    /// asked for the state before; so it has to ask again.
    private static func stateOfSecondAttempt(_ handle: OpaquePointer) -> String? {
      PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
      PQreset(handle)
      PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
      let words = ServerFailure.trimmed(PQerrorMessage(handle))
      let state = words.firstRange(of: ServerFailure.behindSeverity)
        .map { words[$0.upperBound...].prefix(5) }
      return state.flatMap { $0.utf8.count == 5 ? String($0) : nil }
    }

    deinit { PQfinish(handle) }

    /// The number of the server's process, for messages and tests.
    var processID: Int32 { PQbackendPID(handle) }

    /// A setting that the server reports by itself, such as `server_encoding`.
    func setting(_ name: String) -> String? {
      PQparameterStatus(handle, name).map { String(cString: $0) }
    }

    /// The server's version: 150004 for 15.4.
    var serverVersion: Int { Int(PQserverVersion(handle)) }

    /// Whether a transaction is open, or has failed and is not rolled back.
    var isInTransaction: Bool {
      let status = PQtransactionStatus(handle)
      return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    var isUsable: Bool { !isAbandoned && PQstatus(handle) == CONNECTION_OK }

    /// Whether statements were sent whose results were not read: nothing may follow them.
    private var isAbandoned = false

    /// Whether the server has closed it, which shows without asking the server.
    var isClosedByServer: Bool {
      var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 0) != 0 else { return false }
      // A last message comes before the end, and hides it from the first look.
      return PQconsumeInput(handle) == 0 || PQconsumeInput(handle) == 0 || !isUsable
    }
  }

  // MARK: - Notifications

  extension ServerConnection {
    /// Waits until a notification has come, or another descriptor can be read, but not longer than
    /// a time.
    ///
    /// - Throws: ``ServerFailure`` when the connection is lost.
    func waitForNotification(
      milliseconds: Int, orFor descriptor: Int32
    ) throws(ServerFailure) {
      guard !takeNotifications() else { return }
      var descriptors = [
        pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: milliseconds)) > 0,
        descriptors[0].revents != 0
      else { return }
      guard PQconsumeInput(handle) == 1, isUsable else { throw lost() }
      _ = takeNotifications()
    }

    /// Forgets what has come; they say nothing but that.
    private func takeNotifications() -> Bool {
      var isThere = false
      while let notification = PQnotifies(handle) {
        isThere = true
        PQfreemem(notification)
      }
      return isThere
    }
  }

  // MARK: - Statements

  extension ServerConnection {
    /// Runs statements in one round trip, but for copies, and returns their results.
    ///
    /// The first that fails ends those behind it. A transaction that it has begun stays open.
    ///
    /// `rows` gets the rows of the last statement as they arrive, if it gave many last time, each
    /// as the only one of a result that is valid until the next one comes. The statement's own
    /// result has all that `rows` did not get.
    ///
    /// - Throws: ``ServerFailure``, behind some rows perhaps.
    func run(
      _ statements: [ServerStatement], stoppingWhen isStopping: (() -> Bool)? = nil,
      rows: ((ServerResult) -> Void)? = nil
    ) throws(ServerFailure) -> [ServerResult] {
      guard !statements.contains(where: { $0.copy != nil }) else {
        return try runCopying(statements, stoppingWhen: isStopping)
      }
      defer { known.endPipeline() }
      do { return try pipeline(statements, isStopping, rows) } catch {
        if error.isLost { abandon() }
        throw error
      }
    }

    /// Ends the connection, so that the server rolls back what it has, and lets go of its locks
    /// before another connection asks what has become of it.
    func abandon() {
      isAbandoned = true
      let socket = PQsocket(handle)
      if socket >= 0 { _ = shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private func pipeline(
      _ statements: [ServerStatement], _ isStopping: (() -> Bool)?,
      _ rows: ((ServerResult) -> Void)?
    ) throws(ServerFailure) -> [ServerResult] {
      for statement in statements { try requireSendable(statement) }
      roundTrips += 1
      self.statements += statements.count
      var steps: [Step] = []
      var unsent = 0
      for (index, statement) in statements.enumerated() {
        try send(statement, index, &steps)
        // libpq keeps what is not sent in one buffer of at most 2 GB.
        unsent += statement.parameters.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
        guard unsent > 1 << 20 else { continue }
        try flush()
        unsent = 0
      }
      guard PQpipelineSync(handle) == 1 else { throw lost() }
      try flush()
      var wait = ServerWait(statements, isStopping)
      var streamed = 0
      let take = rows.map { rows in
        { (row: ServerResult) in
          streamed += 1
          rows(row)
        }
      }
      let isLong = take != nil && known.isLong(statements.last)
      let results = try receive(steps, statements, isLong ? take : nil, &wait)
      guard results.count == statements.count else {
        throw ServerFailure(
          "\(statements.count) statements have given \(results.count) results", isLost: true)
      }
      if take != nil {
        known.note(rows: streamed + (results.last?.count ?? 0), of: statements.last)
      }
      return results
    }

    private static let parameterLimit = PostgresDialect().capability.parameters

    /// Refuses what libpq would not send, which is not the end of a connection.
    private func requireSendable(_ statement: ServerStatement) throws(ServerFailure) {
      let (count, limit) = (statement.parameters.count, Self.parameterLimit)
      guard count > limit else { return }
      throw ServerFailure("a statement takes up to \(limit) values, and this one has \(count)")
    }

    /// Runs one statement.
    func run(_ text: String, _ parameters: [Parameter] = []) throws(ServerFailure) -> ServerResult {
      try run([ServerStatement(text, parameters)])[0]
    }

    private enum Step {
      case prepare(KnownStatements.Form, name: String)
      case execute(Int, isPrepared: Bool)
    }

    private func send(
      _ statement: ServerStatement, _ index: Int, _ steps: inout [Step]
    ) throws(ServerFailure) {
      let way = preparing.isAllowed ? known.way(of: statement) : .unnamed
      let types = statement.parameters.map { Oid($0.type) }
      let count = Int32(truncatingIfNeeded: types.count)
      var isSent = true
      switch way {
      case .unnamed:
        isSent = withValues(of: statement) { values, lengths, formats in
          PQsendQueryParams(
            handle, statement.text, count, types, values, lengths, formats,
            statement.readsTexts ? 0 : 1)
        }
      case .prepare(let name):
        isSent = PQsendPrepare(handle, name, statement.text, count, types) == 1
        steps.append(.prepare(KnownStatements.Form(statement), name: name))
        isSent = isSent && sendPrepared(name, statement)
      case .prepared(let name): isSent = sendPrepared(name, statement)
      }
      guard isSent else { throw lost() }
      steps.append(.execute(index, isPrepared: way != .unnamed))
    }

    private func sendPrepared(_ name: String, _ statement: ServerStatement) -> Bool {
      withValues(of: statement) { values, lengths, formats in
        PQsendQueryPrepared(
          handle, name, Int32(truncatingIfNeeded: statement.parameters.count), values, lengths,
          formats, statement.readsTexts ? 0 : 1)
      }
    }

    /// Hands the values of parameters to libpq, which copies them.
    private func withValues(
      of statement: ServerStatement,
      _ send: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Int32
    ) -> Bool {
      let parameters = statement.parameters
      let buffers = parameters.map { parameter in
        parameter.bytes.map { bytes in
          // libpq takes texts up to a zero.
          let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: bytes.count + 1, alignment: 1)
          buffer.copyBytes(from: bytes)
          buffer[bytes.count] = 0
          return buffer
        }
      }
      defer { for buffer in buffers { buffer?.deallocate() } }
      let values = buffers.map { buffer in
        buffer?.baseAddress.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
      }
      let lengths = parameters.map { Int32(truncatingIfNeeded: $0.bytes?.count ?? 0) }
      return send(values, lengths, parameters.map { $0.isBinary ? 1 : 0 }) == 1
    }

    func lost() -> ServerFailure {
      ServerFailure(ServerFailure.trimmed(PQerrorMessage(handle)), isLost: true)
    }
  }

  // MARK: - Results

  extension ServerConnection {
    private func receive(
      _ steps: [Step], _ statements: [ServerStatement], _ rows: ((ServerResult) -> Void)?,
      _ wait: inout ServerWait
    ) throws(ServerFailure) -> [ServerResult] {
      var results: [ServerResult] = []
      var failure: ServerFailure?
      var place = 0
      var row: ServerResult?
      let streamed = rows == nil ? nil : steps.count - 1
      // Each time that the results before are read, and nothing of the next statement's.
      if place == streamed { PQsetSingleRowMode(self.handle) }
      while true {
        // What the server has said before it closed the connection says more than the end.
        do { try awaitResult(&wait) } catch { throw failure.map { $0.losing } ?? error }
        guard let handle = PQgetResult(handle) else {
          guard isUsable else { throw failure.map { $0.losing } ?? lost() }
          if place == streamed { PQsetSingleRowMode(self.handle) }
          continue
        }
        switch PQresultStatus(handle) {
        case PGRES_SINGLE_TUPLE:
          let next = row ?? ServerResult(handle)
          if row != nil { next.take(handle) }
          row = next
          rows?(next)
          continue
        case PGRES_PIPELINE_SYNC:
          PQclear(handle)
          guard let failure else { return results }
          throw failure
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
          note(handle, steps, place, &results)
        case PGRES_FATAL_ERROR:
          if failure == nil {
            failure = self.failure(handle, steps, place, statements, wait)
          }
          PQclear(handle)
        default: PQclear(handle)
        }
        place += 1
      }
    }

    /// Keeps the result of a statement; one of a preparation says that the server knows its name.
    private func note(
      _ result: OpaquePointer, _ steps: [Step], _ place: Int, _ results: inout [ServerResult]
    ) {
      guard place < steps.count, case .prepare(let form, let name) = steps[place] else {
        return results.append(ServerResult(result))
      }
      known.note(form, name)
      PQclear(result)
    }

    private func failure(
      _ result: OpaquePointer, _ steps: [Step], _ place: Int, _ statements: [ServerStatement],
      _ wait: ServerWait
    ) -> ServerFailure {
      var failure = ServerFailure(result)
      failure.isLost = !isUsable
      failure.isCancelled =
        failure.state == ServerFailure.ofLongStatement && wait.isStopping?() == true
      if case .execute(let index, let isPrepared)? = place < steps.count ? steps[place] : nil {
        failure.statement = statements[index].text
        failure.isOfPrepared = isPrepared
      }
      if failure.isOfPreparing { known.forgetAll() }
      if failure.isOfOthersStatement { preparing.end() }
      return failure
    }

    /// Prepares statements anew that the server does not keep any more.
    func forgetStatements() { known.forgetAll() }
  }

  extension ServerFailure {
    var losing: ServerFailure {
      var copy = self
      copy.isLost = true
      return copy
    }
  }
#endif
