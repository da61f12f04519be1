#if PostgreSQL
  package import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  extension PostgresStore {
    package func reserveKeys(root: Int, count: Int) throws(PersistenceError) -> Range<Int64> {
      try requireWritable()
      let table = mapping.entities[root]
      let number = Int64(max(1, count))
      let statements: [ServerStatement] = [
        modelGuard,
        ServerStatement(
          "UPDATE \(names.keys) SET \"last\" = greatest(\"last\", (SELECT coalesce(max("
            + "\(quoted(table.keyColumn))), 0) FROM \(names.table(table.table)))) + $2 "
            + "WHERE \"root\" = $1 RETURNING \"last\"",
          [.integer(table.number), .integer(number)]),
        .commit,
      ]
      do {
        func reserve() throws -> ServerResult {
          try pool.withConnection { connection in
            let before = [.begin, lockLimit] + names.skipLostKeys(try connection.saysTimeline())
            let results = try connection.run(before + statements)
            return results[results.count - 2]
          }
        }
        let result: ServerResult
        // Of a reservation that is made twice, keys are lost at most.
        do { result = try reserve() } catch let failure as ServerFailure
          where failure.isPassing || failure.endsConnection
        { result = try reserve() }
        guard result.count == 1 else {
          throw PersistenceError(
            .notAStore,
            "'\(MetadataTables.keys.name)' of '\(place)' has no row for '\(table.table)': another "
              + "program removed it; restore a backup")
        }
        let last = result.integer(0, 0)
        return last - number + 1..<last + 1
      } catch let failure as ServerFailure where failure.guardMark == .migrated {
        throw migrated
      } catch { throw PersistenceError(error, "reserving keys in", place) }
    }
  }

  // MARK: - After another server has taken over

  extension ServerNames {
    /// More keys than are handed out in the moment before a server fails.
    private static let lostKeys: Int64 = 1 << 32

    /// The row among those of connections that notes on which timeline keys were given last.
    private static let timelineRow: Int64 = 0

    /// Gives none of the keys again that a server has given whose last commits are lost: programs
    /// know objects by them.
    fileprivate func skipLostKeys(_ saysTimeline: Bool) -> [ServerStatement] {
      guard saysTimeline else { return [] }
      let values: [Parameter] = [.integer(Self.timelineRow)]
      let timeline = ServerConnection.timelineNumber
      let row = "SELECT FROM \(sessions) WHERE \"session\" = $1 AND \"save\""
      return [
        ServerStatement(
          "UPDATE \(keys) SET \"last\" = \"last\" + \(Self.lostKeys) WHERE EXISTS (\(row) <> \(timeline))",
          values),
        ServerStatement(
          "INSERT INTO \(sessions) AS s SELECT $1, 0, \(timeline), 'infinity' WHERE NOT EXISTS "
            + "(\(row) = \(timeline)) "
            + "ON CONFLICT (\"session\") DO UPDATE SET \"save\" = excluded.\"save\"", values),
      ]
    }
  }

  extension ServerConnection {
    /// The number of the server's timeline, which is another one after each takeover.
    fileprivate static let timelineNumber = "('x' || \(timeline))::bit(32)::int8"

    /// Whether the server says its timeline; a connection asks once.
    fileprivate func saysTimeline() throws(ServerFailure) -> Bool {
      if let known = isTimelineKnown { return known }
      let result = try attempt(ServerStatement("SELECT \(Self.timelineNumber)", isKept: false))
      isTimelineKnown = result != nil
      return result != nil
    }

    /// Runs a statement that the server may refuse.
    @discardableResult
    func attempt(_ statement: ServerStatement) throws(ServerFailure) -> ServerResult? {
      do { return try run([statement])[0] } catch {
        guard isUsable else { throw error }
        return nil
      }
    }
  }
#endif
