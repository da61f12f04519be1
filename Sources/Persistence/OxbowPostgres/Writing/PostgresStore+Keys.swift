#if PostgreSQL
  package import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  extension PostgresStore {
    package func reserveKeys(root: Int, count: Int) throws(PersistenceError) -> Range<Int64> {
      try requireWritable()
      let table = mapping.entities[root]
      let number = Int64(max(1, count))
      // A later save that is durable makes this durable, too: the log of a server is one sequence.
      let statements: [ServerStatement] = [
        .begin, ServerStatement("SET LOCAL synchronous_commit = off"), modelGuard,
        ServerStatement(
          "UPDATE \(names.keys) SET \"last\" = greatest(\"last\", (SELECT coalesce(max("
            + "\(quoted(table.keyColumn))), 0) FROM \(names.table(table.table)))) + $2 "
            + "WHERE \"root\" = $1 RETURNING \"last\"",
          [.integer(table.number), .integer(number)]),
        .commit,
      ]
      do {
        let results = try pool.withConnection { connection in
          do { return try connection.run(statements) } catch let failure as ServerFailure
            where failure.isPassing
          {
            try connection.rollBack()
            return try connection.run(statements)
          }
        }
        guard results[3].count == 1 else {
          throw PersistenceError(
            .notAStore,
            "'\(MetadataTables.keys.name)' of '\(place)' has no row for '\(table.table)': another "
              + "program removed it; restore a backup")
        }
        let last = results[3].integer(0, 0)
        return last - number + 1..<last + 1
      } catch let failure as ServerFailure where failure.guardMark == .migrated {
        throw migrated
      } catch { throw PersistenceError(error, "reserving keys in", place) }
    }
  }
#endif
