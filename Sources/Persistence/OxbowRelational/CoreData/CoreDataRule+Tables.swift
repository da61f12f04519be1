internal import OxbowModel

// MARK: - The file and the numbers of entities

extension CoreDataRule {
  static let ofFile: [CoreDataRule] = [
    damage(
      "tables", "STRICT or without row IDs, as Core Data makes none",
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND (strict OR wr)"),
    damage(
      "tables", "with foreign keys, as Core Data makes none",
      "SELECT DISTINCT m.name FROM sqlite_schema AS m, pragma_foreign_key_list(m.name)"),
    leftover(
      "auto_vacuum", "not set, as Core Data sets it",
      "SELECT auto_vacuum FROM pragma_auto_vacuum WHERE auto_vacuum NOT IN (1, 2)"),
    leftover(
      "user_version or application_id", "set, as Core Data leaves them",
      "SELECT user_version FROM pragma_user_version WHERE user_version <> 0 "
        + "UNION ALL SELECT application_id FROM pragma_application_id WHERE application_id <> 0"),
    damage(
      "Z_METADATA.Z_VERSION", "not 1", "SELECT Z_VERSION FROM Z_METADATA WHERE Z_VERSION IS NOT 1"),
    damage(
      "Z_METADATA.Z_UUID", "not a UUID in upper case",
      "SELECT Z_UUID FROM Z_METADATA WHERE length(Z_UUID) <> 36 OR Z_UUID GLOB '*[^0-9A-F-]*'"),
  ]

  /// Numbers follow from the names of entities; the last key of an entity below another is 0.
  static func ofNumbers(_ mapping: StoreMapping) -> [CoreDataRule] {
    let own = "FROM Z_PRIMARYKEY WHERE Z_ENT < 16000"
    let kept = mapping.model.entities.filter { !mapping.entities[$0.index].table.isEmpty }
    let ordered = CoreDataLayout.ordered(kept)
    let isWhole = kept.count == mapping.model.entities.count
    // A list of values may have any number, and a compound SELECT only 500 terms.
    let entities = ordered.enumerated().map { place, entity in
      let number = mapping.entities[entity.index].number
      let parent = entity.parent.map { mapping.entities[$0].number } ?? 0
      return "(\(number), \(isWhole ? Int64(place) + 1 : number), \(parent), "
        + "\(enclosed(entity.name, in: "'")))"
    }
    let all =
      "WITH n(number, wanted, parent, name) AS (VALUES \(entities.joined(separator: ", "))) "
      + "SELECT Z_NAME FROM n CROSS JOIN Z_PRIMARYKEY ON Z_ENT = number WHERE "
    return [
      damage(
        "Z_PRIMARYKEY", "Z_ENT, Z_SUPER or Z_MAX is not a whole number",
        "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE typeof(Z_ENT) || typeof(Z_SUPER) || typeof(Z_MAX) "
          + "<> 'integerintegerinteger'"),
      damage(
        "Z_PRIMARYKEY", "an entity twice",
        "SELECT Z_NAME FROM Z_PRIMARYKEY GROUP BY Z_NAME HAVING count(*) > 1"),
      damage(
        "Z_PRIMARYKEY", "a number that is left out before it",
        "SELECT Z_NAME \(own) AND Z_ENT > (SELECT count(*) \(own))"),
      damage(
        "Z_PRIMARYKEY", "a last key of an entity below another",
        "SELECT Z_NAME \(own) AND Z_SUPER <> 0 AND Z_MAX NOT IN (0, -1)"),
      damage(
        "Z_PRIMARYKEY", "another number than the order of names gives, or another parent",
        all + "Z_ENT <> wanted OR Z_SUPER <> parent"),
      leftover(
        "Z_PRIMARYKEY", "under the name that it had before a migration",
        all + "Z_NAME <> name"),
    ]
  }
}

// MARK: - Tables

extension CoreDataRule {
  static func ofTables(_ store: CoreDataTables, _ mapping: StoreMapping) -> [CoreDataRule] {
    let known = Set(mapping.tables.map(\.name))
    let others = store.names.filter { name in
      !known.contains(name) && !["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].contains(name)
        && !["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(name)
        && !name.hasPrefix("ANSCK")
    }
    let strangers = others.map {
      leftover("tables", "of nothing in the model", "SELECT \(enclosed($0, in: "'"))")
    }
    let roots = mapping.model.entities.filter {
      $0.root == $0.index && !mapping.entities[$0.index].table.isEmpty
    }
    return strangers + roots.flatMap { columns(of: $0, mapping) + indexes(of: $0, mapping) }
      + mapping.joins.values.filter { !$0.isMemberKey }.sorted { $0.table < $1.table }
      .flatMap { columns(of: $0) }
  }

  /// The columns of a table of objects, with the types that they are declared with.
  private static func columns(
    of root: CompiledEntity, _ mapping: StoreMapping
  ) -> [CoreDataRule] {
    let table = mapping.entities[root.index].table
    var types = ["Z_PK": "INTEGER", "Z_ENT": "INTEGER", "Z_OPT": "INTEGER"]
    for entity in root.subtree.map({ mapping.model.entities[$0] }) {
      for column in mapping.entities[entity.index].columns {
        let attribute =
          column.role == .attribute ? entity.properties[column.property].attribute : nil
        types[column.name] = attribute?.type.declaredInCoreData ?? "INTEGER"
      }
    }
    for join in mapping.joins.values where join.isMemberKey && join.table == table {
      for name in [join.ownerColumn, join.memberPositionColumn].compactMap(\.self) {
        types[name] = "INTEGER"
      }
    }
    let all = "SELECT name FROM pragma_table_info('\(table)') WHERE "
    let sorted = types.sorted { $0.key < $1.key }
    let names = sorted.map { "'\($0.key)'" }.joined(separator: ", ")
    let declared = sorted.map { "WHEN '\($0.key)' THEN '\($0.value)'" }.joined(separator: " ")
    return [
      damage(
        table, "does not begin with Z_PK, Z_ENT and Z_OPT",
        all + "cid < 3 AND name <> CASE cid WHEN 0 THEN 'Z_PK' WHEN 1 THEN 'Z_ENT' ELSE 'Z_OPT' END"
      ),
      damage(
        table, "a column is NOT NULL or has a default",
        all + "\"notnull\" OR dflt_value IS NOT NULL"),
      damage(table, "a column of nothing in the model", all + "name NOT IN (\(names))"),
      damage(
        table, "a column is declared with another type",
        all + "upper(type) <> CASE name \(declared) ELSE upper(type) END"),
    ]
  }

  /// The columns of a table of links.
  private static func columns(of join: JoinMapping) -> [CoreDataRule] {
    let keys = "('\(join.ownerColumn)', '\(join.memberColumn)')"
    let positions = [join.memberPositionColumn, join.ownerPositionColumn].compactMap(\.self)
    let names = ([join.ownerColumn, join.memberColumn] + positions).map { "'\($0)'" }
    let all = "SELECT name FROM pragma_table_info('\(join.table)') WHERE "
    return [
      damage(
        join.table, "a column of nothing in the model",
        all + "name NOT IN (\(names.joined(separator: ", ")))"),
      damage(join.table, "the primary key is not both keys", all + "(pk > 0) <> (name IN \(keys))"),
      leftover(
        join.table, "without an index from the members",
        "SELECT '\(join.memberColumn)' WHERE \(isWithoutIndex(join.table, join.memberColumn, allowing: join.ownerColumn))"
      ),
    ]
  }
}

// MARK: - Indexes

extension CoreDataRule {
  private static func indexes(
    of root: CompiledEntity, _ mapping: StoreMapping
  ) -> [CoreDataRule] {
    let head = mapping.entities[root.index]
    var columns = head.typeColumn.map { [$0] } ?? []
    for entity in root.subtree.map({ mapping.model.entities[$0] }) {
      columns += mapping.entities[entity.index].columns.filter {
        $0.role == .key && entity.properties[$0.property].declaringEntity == entity.index
      }.map(\.name)
    }
    return columns.map {
      leftover(
        "\(head.table).\($0)", "without an index",
        "SELECT '\($0)' WHERE \(isWithoutIndex(head.table, $0))")
    } + root.subtree.flatMap { constraints(of: mapping.model.entities[$0], mapping) }
  }

  /// Whether no index begins with a column, or with one of two in any order.
  private static func isWithoutIndex(
    _ table: String, _ column: String, allowing other: String? = nil
  ) -> String {
    // That of a primary key begins with the owner.
    let extra = other == nil ? "" : " AND l.origin = 'c'"
    let names = [column, other].compactMap(\.self).map { "'\($0)'" }.joined(separator: ", ")
    return
      "NOT EXISTS (SELECT 1 FROM pragma_index_list('\(table)') AS l, pragma_index_info(l.name) "
      + "AS i WHERE i.seqno = 0 AND i.name IN (\(names))\(extra))"
  }

  /// The unique indexes of constraints.
  private static func constraints(
    of entity: CompiledEntity, _ mapping: StoreMapping
  ) -> [CoreDataRule] {
    let table = mapping.entities[entity.index]
    return entity.description.uniquenessConstraints.compactMap { constraint in
      let columns = constraint.compactMap { name in
        entity.property(named: name).flatMap { table.column(ofProperty: $0.index) }
          .map { table.columns[$0].name }
      }
      guard columns.count == constraint.count else { return nil }
      return damage(
        table.table, "a uniqueness constraint of '\(entity.name)' without its index",
        "SELECT '\(constraint.joined(separator: ", "))' WHERE NOT EXISTS (SELECT 1 FROM "
          + "pragma_index_list('\(table.table)') AS l WHERE l.\"unique\" AND (SELECT "
          + "group_concat(name) FROM (SELECT name FROM pragma_index_info(l.name) ORDER BY seqno)) "
          + "= '\(columns.joined(separator: ","))')")
    }
  }
}
