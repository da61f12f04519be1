#if PostgreSQL
  internal import CPostgres
  internal import OxbowFoundation
  internal import OxbowPlatform

  // No call waits for ever. The kernel finds out that a host has vanished; that a server is there
  // and says nothing, or that something between swallows what it says, is found out here.

  /// How the results of a pipeline are waited for.
  struct ServerWait {
    /// Whether the caller no longer wants the results.
    let isStopping: (() -> Bool)?

    /// Whether the server may be asked to end what it does.
    ///
    /// A commit that waits for a replica would be there at once, and only on that server.
    let mayCancel: Bool

    /// Whether the server was asked, which happens once.
    fileprivate var isCancelled = false
    fileprivate var lastHeard = System.milliseconds

    init(_ statements: [ServerStatement], _ isStopping: (() -> Bool)?) {
      self.isStopping = isStopping
      mayCancel = !statements.contains { $0.text == ServerStatement.commit.text }
    }

    fileprivate var silence: Int { System.milliseconds - lastHeard }

    fileprivate mutating func hear() { lastHeard = System.milliseconds }
  }

  extension ServerConnection {
    /// How long the server may take to receive a cancellation, and then to end the statement.
    private static let cancelMilliseconds = 3000

    /// Sends all that waits, and takes in meanwhile what the server answers: a server whose answers
    /// are not read would stop reading.
    func flush() throws(ServerFailure) {
      var lastMoved = System.milliseconds
      while true {
        let code = PQflush(handle)
        if code == 0 { return }
        guard code == 1 else { throw lost() }
        let events = look(for: POLLIN | POLLOUT, milliseconds: 1000)
        if events != 0 { lastMoved = System.milliseconds }
        if events & POLLIN != 0, !takeIn() { throw lost() }
        try limit(silence: System.milliseconds - lastMoved, answerMilliseconds)
      }
    }

    /// Waits for the next result.
    func awaitResult(_ wait: inout ServerWait) throws(ServerFailure) {
      while PQisBusy(handle) == 1 { try awaitInput(&wait) }
    }

    /// Waits for a part of an answer, for a moment.
    func awaitInput(_ wait: inout ServerWait) throws(ServerFailure) {
      let pause = wait.isStopping == nil ? min(1000, answerMilliseconds ?? 1000) : 20
      if look(for: POLLIN, milliseconds: pause) != 0 { wait.hear() }
      guard takeIn() else { throw lost() }
      try judge(&wait)
    }

    /// Ends a wait that the caller does not want, or that has been too long.
    private func judge(_ wait: inout ServerWait) throws(ServerFailure) {
      if wait.isCancelled {
        let longest = answerMilliseconds.map { min($0, Self.cancelMilliseconds) }
        return try limit(silence: wait.silence, longest)
      }
      let isOverdue = answerMilliseconds.map { wait.silence > $0 } ?? false
      guard isOverdue || wait.isStopping?() == true else { return }
      guard wait.mayCancel else { return try limit(silence: wait.silence, answerMilliseconds) }
      wait.isCancelled = true
      guard cancel() else { throw silent() }
      wait.hear()
    }

    private func limit(silence: Int, _ longest: Int?) throws(ServerFailure) {
      if let longest, silence > longest { throw silent() }
    }

    private func silent() -> ServerFailure {
      ServerFailure(
        "the server has not answered in time ('answerMilliseconds' is how long it may be silent)",
        isLost: true)
    }

    private func look(for events: Int32, milliseconds: Int) -> Int32 {
      var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
      return poll(&descriptor, 1, Int32(clamping: max(1, milliseconds))) > 0
        ? Int32(descriptor.revents) : 0
    }

    /// Takes in what has arrived.
    ///
    /// TLS may keep half of a record back from the socket, which a second look takes.
    private func takeIn() -> Bool {
      PQconsumeInput(handle) == 1 && (PQsslInUse(handle) == 0 || PQconsumeInput(handle) == 1)
    }

    /// Asks the server to end the statement that runs; returns when the server has read it, so that
    /// it never meets a later statement.
    ///
    /// - Returns: Whether the connection can be used further: not if the server may read it later.
    @discardableResult
    func cancel() -> Bool {
      guard let handle = PQgetCancel(handle) else { return true }
      return CancelRequest(handle).send(milliseconds: Self.cancelMilliseconds)
    }
  }

  /// A cancellation on its way, for which libpq waits as long as the server takes: on a thread of
  /// its own.
  private final class CancelRequest: @unchecked Sendable {
    // Sendable by argument: only the thread that sends it uses the handle, until the end.

    private let handle: OpaquePointer
    private let isOver = Monitor(false)

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQfreeCancel(handle) }

    /// - Returns: Whether it was received or refused in that time.
    func send(milliseconds: Int) -> Bool {
      let isRunning = runInBackground { [self] in
        var words = [CChar](repeating: 0, count: 256)
        _ = PQcancel(handle, &words, Int32(words.count))
        isOver.update { $0 = true }
      }
      return isRunning && isOver.wait(milliseconds: milliseconds) { $0 ? true : nil } == true
    }
  }
#endif
