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
        .begin, lockLimit, modelGuard,
        ServerStatement(
          "UPDATE \(names.keys) SET \"last\" = greatest(\"last\", (SELECT coalesce(max("
            + "\(quoted(table.keyColumn))), 0) FROM \(names.table(table.table)))) + $2 "
            + "WHERE \"root\" = $1 RETURNING \"last\"",
          [.integer(table.number), .integer(number)]),
        .commit,
      ]
      do {
        func reserve() throws -> [ServerResult] {
          try pool.withConnection { try $0.run(statements) }
        }
        let results: [ServerResult]
        // Of a reservation that is made twice, keys are lost at most.
        do { results = try reserve() } catch let failure as ServerFailure
          where failure.isPassing || failure.endsConnection
        { results = try reserve() }
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
