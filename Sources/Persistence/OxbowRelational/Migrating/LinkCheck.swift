internal import OxbowModel

/// Finds keys that contradict what is beside them: the column with the entity that they lead to,
/// that object's own entity, or the key at the other end of a one-to-one relationship.
///
/// The database checks only whether a key leads to a row at all.
package struct LinkCheck {
  private let mapping: StoreMapping

  package init(mapping: StoreMapping) { self.mapping = mapping }

  /// Describes what is wrong, with the keys of some of the rows; without `written`, all links are
  /// checked.
  package func problems(
    in store: any MigrationReading, written: WrittenColumns? = nil
  ) throws -> [String] {
    try (keyProblems + joinProblems).compactMap { problem in
      let isAffected =
        written.map { written in
          problem.columns.contains { written.contains($0.column, of: $0.table) }
            || problem.lacking.map(written.hasDeleted(from:)) == true
        } ?? true
      guard isAffected else { return nil }
      let count = try store.count(.counted(by: "SELECT count(*) \(problem.rows)"))
      guard count > 0 else { return nil }
      let keys = try store.integers("SELECT \(problem.key) \(problem.rows) ORDER BY 1 LIMIT 5")
      return "\(problem.subject): \(count) (\(keys.map(String.init).joined(separator: ", "))"
        + "\(count > keys.count ? ", …" : ""))"
    }
  }

  private typealias Columns = [(table: String, column: String)]

  private struct Problem {
    let subject: String
    /// The columns that can cause it when they are written.
    let columns: Columns
    /// The table that can cause it when it loses rows.
    var lacking: String?
    /// The rows, from "FROM" on, and the expression that identifies one of them.
    let rows: String
    let key: String
  }

  private func name(_ relationship: CompiledRelationship) -> String {
    "'\(mapping.model.entities[relationship.entity].name).\(relationship.name)'"
  }

  /// The rows "t" of a table with the rows "d" that their keys in a column lead to.
  private func rows(
    of table: String, _ column: String, _ join: String = "JOIN", to other: EntityMapping
  ) -> String {
    "FROM \(quoted(table)) AS t \(join) \(quoted(other.table)) AS d "
      + "ON d.\(quoted(other.keyColumn)) = t.\(quoted(column)) WHERE "
  }

  /// The condition for rows "d" that are not of an entity; `nil` where all are.
  private func isOther(than entity: CompiledEntity) -> String? {
    guard let type = mapping.entities[entity.index].typeColumn, entity.index != entity.root else {
      return nil
    }
    let numbers = entity.concrete.map { mapping.entities[$0].number }.sorted()
    return isNone("d.\(quoted(type))", of: numbers)
  }

  private func typeColumn(of entity: EntityMapping) -> Columns {
    entity.typeColumn.map { [(entity.table, $0)] } ?? []
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

  private func typeProblem(
    _ own: EntityMapping, _ column: MappedColumn, _ relationship: CompiledRelationship
  ) -> Problem? {
    let other = mapping.entities[relationship.destination]
    guard let index = own.column(.entity, ofProperty: column.property), let type = other.typeColumn
    else { return nil }
    let entity = own.columns[index].name
    return Problem(
      subject:
        "objects whose key of \(name(relationship)) and '\(entity)' beside it, the entity of "
        + "the object there, do not agree",
      columns: [(own.table, column.name), (own.table, entity), (other.table, type)],
      rows: rows(of: own.table, column.name, "LEFT JOIN", to: other)
        + "(t.\(quoted(column.name)) IS NULL) <> (t.\(quoted(entity)) IS NULL) "
        + "OR d.\(quoted(type)) <> t.\(quoted(entity))",
      key: "t.\(quoted(own.keyColumn))")
  }

  private func entityProblem(
    _ own: EntityMapping, _ column: MappedColumn, _ relationship: CompiledRelationship
  ) -> Problem? {
    let destination = mapping.model.entities[relationship.destination]
    let other = mapping.entities[destination.index]
    return isOther(than: destination).map { condition in
      Problem(
        subject: "objects whose \(name(relationship)) leads to an object that is not "
          + "\(destination.name)",
        columns: [(own.table, column.name)] + typeColumn(of: other),
        rows: rows(of: own.table, column.name, to: other) + condition,
        key: "t.\(quoted(own.keyColumn))")
    }
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
      rows: rows(of: own.table, column.name, to: other)
        + "d.\(quoted(key)) \(mapping.dialect.different) t.\(quoted(own.keyColumn))",
      key: "t.\(quoted(own.keyColumn))")
  }
}

// MARK: - Join tables

extension LinkCheck {
  private var joinProblems: [Problem] {
    mapping.joins.sorted { $0.value.table < $1.value.table }.flatMap { id, join -> [Problem] in
      let entity = mapping.model.entities[id.entity]
      guard let relationship = entity.properties[id.property].relationship else { return [] }
      let destination = mapping.model.entities[relationship.destination]
      return [
        entityProblem(join, join.ownerColumn, entity),
        entityProblem(join, join.memberColumn, destination), mirrorProblem(join, relationship),
      ].compactMap(\.self)
    }
  }

  private func columns(of join: JoinMapping) -> Columns {
    [(join.table, join.ownerColumn), (join.table, join.memberColumn)]
  }

  private func entityProblem(
    _ join: JoinMapping, _ column: String, _ entity: CompiledEntity
  ) -> Problem? {
    let other = mapping.entities[entity.index]
    return isOther(than: entity).map { condition in
      Problem(
        subject: "links of '\(join.table)' whose '\(column)' is not \(entity.name)",
        columns: columns(of: join) + typeColumn(of: other),
        rows: rows(of: join.table, column, to: other) + condition, key: "t.\(quoted(column))")
    }
  }

  private func mirrorProblem(
    _ join: JoinMapping, _ relationship: CompiledRelationship
  ) -> Problem? {
    guard mapping.model.inverse(of: relationship)?.id == relationship.id else { return nil }
    let (owner, member) = (quoted(join.ownerColumn), quoted(join.memberColumn))
    return Problem(
      subject: "links of '\(join.table)' without the one that leads back",
      columns: columns(of: join), lacking: join.table,
      rows: "FROM \(quoted(join.table)) AS t WHERE NOT EXISTS (SELECT 1 "
        + "FROM \(quoted(join.table)) AS b WHERE b.\(owner) = t.\(member) "
        + "AND b.\(member) = t.\(owner))",
      key: "t.\(owner)")
  }
}
