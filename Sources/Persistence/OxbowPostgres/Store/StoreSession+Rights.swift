#if PostgreSQL
  internal import OxbowRelational

  extension StoreSession {
    /// Gives what `body` makes to those who may use the store: a table and a sequence belong to the
    /// role that makes them, and without this to that role alone.
    ///
    /// A role gets the rights that it has in the table which every save writes, so that a role that
    /// may only read the store may only read what is new.
    func sharingNewTables<R>(_ body: () throws -> R) throws -> R {
      let before = Set(try relations().map(\.number))
      let result = try body()
      let new = try relations().filter { !before.contains($0.number) }
      guard !new.isEmpty else { return result }
      for (role, rights) in try sharedRights() {
        try share(new.filter { !$0.isSequence }, rights.joined(separator: ", "), role)
        if rights.contains("INSERT") { try share(new.filter(\.isSequence), "USAGE", role) }
      }
      return result
    }

    private func share(_ relations: [Relation], _ rights: String, _ role: String) throws {
      guard let first = relations.first else { return }
      let list = relations.map { names.table($0.name) }.joined(separator: ", ")
      try execute("GRANT \(rights) ON \(first.isSequence ? "SEQUENCE " : "")\(list) TO \(role)")
    }

    private struct Relation {
      let number: Int64
      let name: String
      let isSequence: Bool
    }

    private func relations() throws -> [Relation] {
      try rows(
        "SELECT c.oid::int8, c.relname, (c.relkind = 'S')::int4 FROM pg_catalog.pg_class AS c "
          + "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
          + "WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'S') ORDER BY 1",
        [.text(names.schema)]
      ).compactMap { row in
        guard let number = row[0].integerValue, let name = row[1].textValue else { return nil }
        return Relation(number: number, name: name, isSequence: row[2].integerValue == 1)
      }
    }

    /// What each role may do with the store's rows, by the role as statements name it.
    private func sharedRights() throws -> [(role: String, rights: [String])] {
      try rows(
        "SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END, "
          + "string_agg(a.privilege_type, ' ' ORDER BY a.privilege_type) "
          + "FROM pg_catalog.pg_class AS c, "
          + "aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) AS a "
          + "WHERE c.oid = \(SQLValue.text(names.sessions).literal)::regclass "
          + "AND pg_get_userbyid(a.grantee) <> current_user "
          + "AND a.privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE') GROUP BY 1 ORDER BY 1",
        []
      ).compactMap { row in
        guard let role = row[0].textValue, let rights = row[1].textValue else { return nil }
        return (role, rights.split(separator: " ").map(String.init))
      }
    }
  }
#endif
