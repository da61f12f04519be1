extension Database {
  /// Changes the database in a transaction that changes of other threads may share.
  ///
  /// Each is atomic by itself: when `body` throws, what it did is rolled back, and the others are
  /// committed. `body` may be called again, and on another thread, while this one waits.
  ///
  /// `isDurable` is asked when a commit reports an I/O error: whether what `body` did last is in
  /// the database, or `nil` when that cannot be known.
  package func commit(
    _ body: @escaping @Sendable (Connection) throws -> Void,
    isDurable: @escaping @Sendable (Connection) -> Bool?
  ) throws {
    if commits.leadIfFree() { return try leadAtOnce(body, isDurable: isDurable) }
    let change = SharedCommit(body, isDurable: isDurable)
    commits.add(change)
    if let outcome = change.outcome() { return try outcome.get() }
    try lead(change)
  }

  /// Makes a change without having waited for a leader, and then those that came meanwhile.
  ///
  /// No other thread knows of the change unless others wait by the time that the writer is free, so
  /// it needs no `SharedCommit` (docs/performance.md, P/save).
  private func leadAtOnce(
    _ body: @escaping @Sendable (Connection) throws -> Void,
    isDurable: @escaping @Sendable (Connection) -> Bool?
  ) throws {
    defer { commits.resign() }
    let outcome = try writeLeading { connection in
      let group = CommitGroup(connection: connection)
      let others = commits.takeAll()
      if !others.isEmpty {
        let own = SharedCommit(body, isDurable: isDurable)
        if group.run([own] + others) { goOn(group) }
        if let outcome = own.outcome() { return outcome }
      }
      let (outcome, goesOn) = group.alone({ try body(connection) }, isDurable: isDurable)
      if goesOn { goOn(group) }
      return outcome
    }
    try outcome.get()
  }

  /// Commits what came while the leader's own change was made.
  private func goOn(_ group: CommitGroup) {
    for _ in 1..<Self.turnsOfALeader where commits.count > 0 {
      guard group.run(commits.takeAll()) else { break }
    }
  }

  /// How often a thread commits what waits before another one does it; after the first time its own
  /// change is saved.
  private static let turnsOfALeader = 4

  /// Commits all that wait, and then what came meanwhile: another leader would have to wake up
  /// first.
  private func lead(_ own: SharedCommit) throws {
    defer { commits.resign() }
    do {
      try writeLeading { connection in
        let group = CommitGroup(connection: connection)
        // Who waits for another program in vain has no time for the changes of others.
        if group.run(commits.takeAll()) { goOn(group) }
      }
    } catch {
      // The writer was not free in time: no change was tried, and each waits as long as it would
      // have waited alone.
      commits.remove(own)
      throw error
    }
    try own.outcome()?.get()
  }

  /// Lends the writer to the one that leads.
  ///
  /// Where the writer is not free in time, those that have waited for most of the time hear it as
  /// well, rather than each after a time of its own, one after the other.
  private func writeLeading<R>(_ body: (Connection) throws -> R) throws -> R {
    do { return try write(body) } catch {
      for change in commits.takeOverdue(milliseconds: configuration.busyMilliseconds) {
        change.end(.failure(error))
      }
      throw error
    }
  }

  /// The changes that wait for the writer.
  package var waitingCommits: Int { commits.allCount }
}

/// Runs changes in one transaction, on the connection that writes.
struct CommitGroup {
  let connection: Connection

  /// Runs all of them.
  ///
  /// - Returns: `false` when another program kept the database locked: no change was at fault, and
  ///   each has waited as long as it would have waited alone.
  func run(_ changes: [SharedCommit]) -> Bool {
    if changes.isEmpty { return true }
    if changes.count == 1 { return alone(changes[0]) }
    var ran: [Ran] = []
    do {
      try connection.transaction(.write) {
        for change in changes { ran.append((change, try inSavepoint(change))) }
      }
      for (change, outcome) in ran { change.end(outcome) }
    } catch let error as SQLiteError where error.isOutcomeUnknown {
      end(ran, error)
    } catch let error as SQLiteError where error.code.primary == .busy {
      for change in changes { change.end(.failure(error)) }
      return false
    } catch {
      // Nothing is saved. What failed for all may be the fault of one.
      for change in changes { _ = alone(change) }
    }
    return true
  }

  /// A change that was run in a transaction, and how it went there.
  private typealias Ran = (change: SharedCommit, outcome: Result<Void, any Error>)

  /// Runs a change so that its failure is its own.
  ///
  /// - Throws: What ended the whole transaction: a full disk, a trigger that rolls back. A
  ///   statement sent after that would commit by itself, so there is none.
  private func inSavepoint(_ change: SharedCommit) throws -> Result<Void, any Error> {
    try connection.run("SAVEPOINT change")
    do { try change.run(connection) } catch {
      guard connection.isInTransaction else { throw error }
      try connection.run("ROLLBACK TO change")
      try connection.run("RELEASE change")
      return .failure(error)
    }
    try connection.run("RELEASE change")
    return .success(())
  }

  private func alone(_ change: SharedCommit) -> Bool {
    let (outcome, goesOn) = alone(
      { try change.run(connection) }, isDurable: change.isDurable)
    change.end(outcome)
    return goesOn
  }

  /// Makes a change in a transaction of its own.
  ///
  /// - Returns: How it went, and whether others can be committed: not while another program keeps
  ///   the database locked.
  func alone(
    _ body: () throws -> Void, isDurable: (Connection) -> Bool?
  ) -> (outcome: Result<Void, any Error>, goesOn: Bool) {
    do {
      try connection.transaction(.write, body)
      return (.success(()), true)
    } catch let error as SQLiteError where error.isOutcomeUnknown {
      return (error.outcome(isDurable(connection)), true)
    } catch {
      return (.failure(error), (error as? SQLiteError)?.code.primary != .busy)
    }
  }

  /// Ends changes whose common commit reported an I/O error.
  ///
  /// When it is not in the store, each gets that error: what one failed on may have been the change
  /// of another, which is gone.
  private func end(_ ran: [Ran], _ error: SQLiteError) {
    let written = ran.last { (try? $0.outcome.get()) != nil }?.change
    let common = written?.outcome(after: error, connection) ?? .failure(error)
    for (change, own) in ran { change.end(common.flatMap { own }) }
  }
}
