internal import OxbowModel
internal import OxbowRelational

/// Finds keys that do not agree with what is beside them: with the column of the entity that they
/// lead to, with that object's entity, with the key at the other end of a one-to-one relationship.
///
/// The database looks only whether a key leads to a row at all.
struct LinkCheck {
  let mapping: StoreMapping

  /// What is wrong, in words, with the keys of some of the rows; of all links, or of those that
  /// were written.
  func problems(
    in store: any MigrationReading, written: WrittenColumns? = nil
  ) throws -> [String] {
    try (keyProblems + joinProblems).compactMap { problem in
      guard
        written.map({ written in
          problem.columns.contains { written.contains($0.column, of: $0.table) }
        }) ?? true
      else { return nil }
      let count = try store.count(.counted(by: "SELECT count(*) \(problem.rows)"))
      guard count > 0 else { return nil }
      let keys = try store.integers("SELECT \(problem.key) \(problem.rows) ORDER BY 1 LIMIT 5")
      return "\(problem.subject): \(count) (\(keys.map(String.init).joined(separator: ", "))"
        + "\(count > keys.count ? ", …" : ""))"
    }
  }

  private struct Problem {
    let subject: String
    /// The columns whose writing can make it.
    let columns: [(table: String, column: String)]
    /// The rows, from "FROM" on, and what names one of them.
    let rows: String
    let key: String
  }
}

// MARK: - Keys

extension LinkCheck {
  private var keyProblems: [Problem] {
    mapping.model.entities.flatMap { entity -> [Problem] in
      let own = mapping.entities[entity.index]
      return own.columns.filter { $0.role == .key }.flatMap { column -> [Problem] in
        let property = entity.properties[column.property]
        guard property.declaringEntity == entity.index, let relationship = property.relationship
        else { return [] }
        return [
          typeProblem(own, column, relationship), entityProblem(own, column, relationship),
          inverseProblem(own, column, relationship),
        ].compactMap(\.self)
      }
    }
  }

  private func name(_ relationship: CompiledRelationship) -> String {
    "'\(mapping.model.entities[relationship.entity].name).\(relationship.name)'"
  }

  /// A row "t" and the row "d" that its key leads to.
  private func led(_ own: EntityMapping, _ column: MappedColumn, _ other: EntityMapping) -> String {
    "FROM \(quoted(own.table)) AS t JOIN \(quoted(other.table)) AS d "
      + "ON d.\(quoted(other.keyColumn)) = t.\(quoted(column.name))"
  }

  private func typeProblem(
    _ own: EntityMapping, _ column: MappedColumn, _ relationship: CompiledRelationship
  ) -> Problem? {
    guard let index = own.column(.entity, ofProperty: column.property),
      let type = mapping.entities[relationship.destination].typeColumn
    else { return nil }
    let other = mapping.entities[relationship.destination]
    let entity = own.columns[index].name
    return Problem(
      subject:
        "objects whose key of \(name(relationship)) and '\(entity)' beside it, the entity of "
        + "the object there, do not agree",
      columns: [(own.table, column.name), (own.table, entity), (other.table, type)],
      rows: "FROM \(quoted(own.table)) AS t LEFT JOIN \(quoted(other.table)) AS d "
        + "ON d.\(quoted(other.keyColumn)) = t.\(quoted(column.name)) "
        + "WHERE (t.\(quoted(column.name)) IS NULL) <> (t.\(quoted(entity)) IS NULL) "
        + "OR d.\(quoted(type)) <> t.\(quoted(entity))",
      key: "t.\(quoted(own.keyColumn))")
  }

  private func entityProblem(
    _ own: EntityMapping, _ column: MappedColumn, _ relationship: CompiledRelationship
  ) -> Problem? {
    let destination = mapping.model.entities[relationship.destination]
    guard let term = otherEntities("d", than: destination) else { return nil }
    let other = mapping.entities[destination.index]
    return Problem(
      subject: "objects whose \(name(relationship)) leads to an object that is not "
        + "\(destination.name)",
      columns: [(own.table, column.name)] + typeColumn(of: other),
      rows: "\(led(own, column, other)) WHERE \(term)", key: "t.\(quoted(own.keyColumn))")
  }

  /// What meets the rows of a table that are not of an entity; `nil` where all are.
  private func otherEntities(_ row: String, than entity: CompiledEntity) -> String? {
    guard let type = mapping.entities[entity.index].typeColumn, entity.index != entity.root else {
      return nil
    }
    let numbers = entity.concrete.map { mapping.entities[$0].number }.sorted()
    return "\(row).\(quoted(type)) NOT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }

  private func typeColumn(of entity: EntityMapping) -> [(table: String, column: String)] {
    entity.typeColumn.map { [(entity.table, $0)] } ?? []
  }

  private func inverseProblem(
    _ own: EntityMapping, _ column: MappedColumn, _ relationship: CompiledRelationship
  ) -> Problem? {
    guard relationship.isOneToOne, let inverse = mapping.model.inverse(of: relationship) else {
      return nil
    }
    let other = mapping.entities[inverse.entity]
    guard let index = other.column(.key, ofProperty: inverse.property) else { return nil }
    let key = other.columns[index].name
    return Problem(
      subject: "objects whose \(name(relationship)) leads to one whose \(name(inverse)) does not "
        + "lead back",
      columns: [(own.table, column.name), (other.table, key)],
      rows: "\(led(own, column, other)) WHERE d.\(quoted(key)) IS NOT t.\(quoted(own.keyColumn))",
      key: "t.\(quoted(own.keyColumn))")
  }
}

// MARK: - Links in tables of their own

extension LinkCheck {
  private var joinProblems: [Problem] {
    mapping.joins.sorted { $0.value.table < $1.value.table }.flatMap { id, join -> [Problem] in
      let entity = mapping.model.entities[id.entity]
      guard let relationship = entity.properties[id.property].relationship else { return [] }
      let destination = mapping.model.entities[relationship.destination]
      return [
        wrong(join, join.ownerColumn, entity), wrong(join, join.memberColumn, destination),
        mirrorProblem(join, relationship),
      ].compactMap(\.self)
    }
  }

  private func columns(of join: JoinMapping) -> [(table: String, column: String)] {
    [(join.table, join.ownerColumn), (join.table, join.memberColumn)]
  }

  private func wrong(_ join: JoinMapping, _ column: String, _ entity: CompiledEntity) -> Problem? {
    guard let term = otherEntities("d", than: entity) else { return nil }
    let other = mapping.entities[entity.index]
    return Problem(
      subject: "links of '\(join.table)' whose '\(column)' is not \(entity.name)",
      columns: columns(of: join) + typeColumn(of: other),
      rows: "FROM \(quoted(join.table)) AS t JOIN \(quoted(other.table)) AS d "
        + "ON d.\(quoted(other.keyColumn)) = t.\(quoted(column)) WHERE \(term)",
      key: "t.\(quoted(column))")
  }

  private func mirrorProblem(
    _ join: JoinMapping, _ relationship: CompiledRelationship
  ) -> Problem? {
    guard mapping.model.inverse(of: relationship)?.id == relationship.id else { return nil }
    let (owner, member) = (quoted(join.ownerColumn), quoted(join.memberColumn))
    return Problem(
      subject: "links of '\(join.table)' without the one that leads back",
      columns: columns(of: join),
      rows: "FROM \(quoted(join.table)) AS t WHERE NOT EXISTS (SELECT 1 "
        + "FROM \(quoted(join.table)) AS b WHERE b.\(owner) = t.\(member) "
        + "AND b.\(member) = t.\(owner))",
      key: "t.\(owner)")
  }
}
