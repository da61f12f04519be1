#if PostgreSQL
  internal import CPostgres
  internal import OxbowFoundation

  // Rows of a COPY. It is not allowed among several statements, so the connection leaves its
  // pipeline for it, and is back in it whatever becomes of the copy, unless it is lost.

  // MARK: - To the server

  extension ServerConnection {
    /// Begins to send rows: `COPY … FROM STDIN (FORMAT binary)`.
    func beginSending(_ copy: String) throws(ServerFailure) {
      var wait = ServerWait([], nil)
      try start(copy, PGRES_COPY_IN, &wait)
    }

    /// Sends bytes of rows, as many as libpq takes at once; they need not end with a row.
    ///
    /// An error of the server is noticed by ``endSending(because:)``, and the bytes until then are
    /// sent in vain.
    func send(rows bytes: [UInt8]) throws(ServerFailure) {
      let isTaken = bytes.withUnsafeBytes { bytes in
        PQputCopyData(
          handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(truncatingIfNeeded: bytes.count)) == 1
      }
      guard isTaken else { throw abandoned() }
      do { try flush() } catch {
        abandon()
        throw error
      }
    }

    /// Ends the copy, or lets it fail for a reason.
    ///
    /// - Returns: How many rows the table has received.
    @discardableResult
    func endSending(because reason: String? = nil) throws(ServerFailure) -> Int {
      guard PQputCopyEnd(handle, reason) == 1 else { throw abandoned() }
      return try settle()
    }
  }

  // MARK: - From the server

  extension ServerConnection {
    /// Receives the rows of `COPY … TO STDOUT (FORMAT binary)`; `body` gets one message after the
    /// other.
    ///
    /// What `body` throws ends the copy, and so does `isStopping`.
    func receive(
      _ copy: String, stoppingWhen isStopping: (() -> Bool)? = nil,
      _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
      var wait = ServerWait([], isStopping)
      try start(copy, PGRES_COPY_OUT, &wait)
      do {
        while let message = try next(&wait) {
          defer { PQfreemem(message.baseAddress) }
          try body(UnsafeRawBufferPointer(message))
        }
      } catch let failure as ServerFailure where failure.isLost {
        abandon()
        throw failure
      } catch {
        cancel()
        discard()
        _ = try? settle()
        throw error
      }
      do { try settle() } catch { throw error.cancelled(if: isStopping) }
    }

    /// The next message; `nil` behind the last one, of which the result says why it is.
    private func next(
      _ wait: inout ServerWait
    ) throws(ServerFailure) -> UnsafeMutableRawBufferPointer? {
      while true {
        var start: UnsafeMutablePointer<CChar>?
        let count = PQgetCopyData(handle, &start, 1)
        switch count {
        case 1...: return UnsafeMutableRawBufferPointer(start: start, count: Int(count))
        case -1: return nil
        case 0: try awaitInput(&wait)
        default: throw lost()
        }
      }
    }

    /// Reads what the server had sent before it noticed that the copy was stopped.
    private func discard() {
      var start: UnsafeMutablePointer<CChar>?
      while PQgetCopyData(handle, &start, 0) > 0 { PQfreemem(start) }
    }
  }

  // MARK: - Out of the pipeline, and back

  extension ServerConnection {
    /// A server that sorts first sends nothing meanwhile, and may be stopped then too.
    private func start(
      _ copy: String, _ expected: ExecStatusType, _ wait: inout ServerWait
    ) throws(ServerFailure) {
      roundTrips += 1
      statements += 1
      guard PQexitPipelineMode(handle) == 1, PQsendQuery(handle, copy) == 1 else {
        throw abandoned()
      }
      do {
        try flush()
        try awaitResult(&wait)
      } catch {
        abandon()
        throw error
      }
      guard let result = PQgetResult(handle) else { throw abandoned() }
      let isExpected = PQresultStatus(result) == expected
      var failure = ServerFailure(result)
      PQclear(result)
      guard !isExpected else { return }
      failure.statement = copy
      _ = try settle()
      throw failure.cancelled(if: wait.isStopping)
    }

    /// Reads what is left of the copy's results.
    ///
    /// - Returns: How many rows were copied.
    @discardableResult
    private func settle() throws(ServerFailure) -> Int {
      var (failure, rows) = (ServerFailure?.none, 0)
      var wait = ServerWait([], nil)
      while let handle = try nextResult(&wait) {
        let result = ServerResult(handle)
        switch PQresultStatus(handle) {
        case PGRES_COMMAND_OK: rows = result.changes
        case PGRES_FATAL_ERROR: failure = failure ?? ServerFailure(handle)
        default: break
        }
      }
      guard isUsable, PQenterPipelineMode(handle) == 1 else {
        let failure = failure?.losing ?? lost()
        abandon()
        throw failure
      }
      if let failure { throw failure }
      return rows
    }

    private func nextResult(_ wait: inout ServerWait) throws(ServerFailure) -> OpaquePointer? {
      do { try awaitResult(&wait) } catch {
        abandon()
        throw error
      }
      return PQgetResult(handle)
    }

    private func abandoned() -> ServerFailure {
      let failure = lost()
      abandon()
      return failure
    }
  }

  extension ServerFailure {
    /// The same, as one of a statement that its task has stopped.
    fileprivate func cancelled(if isStopping: (() -> Bool)?) -> ServerFailure {
      var copy = self
      copy.isCancelled = state == ServerFailure.ofLongStatement && isStopping?() == true
      return copy
    }
  }
#endif
