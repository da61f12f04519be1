package import OxbowModel
internal import OxbowStore

/// Says in SQL how the rows of a store are read for the tables of another layout.
package struct TransferGenerator {
  private let source: StoreMapping
  private let target: StoreMapping

  /// Both mappings are of one model.
  package init(from source: StoreMapping, to target: StoreMapping) {
    (self.source, self.target) = (source, target)
  }

  /// The objects of an entity in the order of their keys: key, version, a cell for each column of
  /// the target, then, for each of its keys, the number of the entity of the row that it refers to.
  ///
  /// The cells of entity columns are NULL, because these numbers say it.
  package func rows(of entity: CompiledEntity) -> String {
    let near = source.entities[entity.index]
    let columns = target.entities[entity.index].columns
    let names = [near.keyColumn, near.versionColumn].map { "t.\(quoted($0))" }
    let numbers = columns.filter { $0.role == .key }.map { column in
      number(of: entity.properties[column.property].relationship, cell(column, near))
    }
    return "SELECT \((names + columns.map { cell($0, near) } + numbers).joined(separator: ", ")) "
      + "FROM \(quoted(near.table)) AS t\(typeCondition(near)) ORDER BY t.\(quoted(near.keyColumn))"
  }

  /// How many objects an entity has.
  package func count(of entity: CompiledEntity) -> String {
    let near = source.entities[entity.index]
    return "SELECT count(*) FROM \(quoted(near.table)) AS t\(typeCondition(near))"
  }

  /// The keys of rows that do not belong to any entity below a root; `nil` for a table of one
  /// entity.
  package func strays(below root: CompiledEntity) -> String? {
    let mapped = source.entities[root.index]
    guard let type = mapped.typeColumn.map({ quoted($0) }) else { return nil }
    let numbers = root.concrete.map { "\(source.entities[$0].number)" }.joined(separator: ", ")
    return "SELECT \(quoted(mapped.keyColumn)) FROM \(quoted(mapped.table)) "
      + "WHERE \(type) IS NULL OR \(type) NOT IN (\(numbers)) ORDER BY 1"
  }

  /// The links of a relationship, and how many they are.
  ///
  /// A row is owner, member, the numbers of their entities, then the positions that it has. Rows
  /// of one member follow each other where it has one owner only in the target.
  package func links(of relationship: CompiledRelationship) -> (rows: String, count: String)? {
    guard let join = source.joins[relationship.id] else { return nil }
    let ends = [
      (join.ownerColumn, join.ownerRoot), (join.memberColumn, join.memberRoot),
    ].map { column, root in (cell: "t.\(quoted(column))", root: root) }
    let numbers = ends.map { number(in: source.entities[$0.root], $0.cell) }
    let positions = [join.memberPositionColumn, join.ownerPositionColumn].compactMap(\.self)
    let cells = ends.map(\.cell) + numbers + positions.map { "t.\(quoted($0))" }
    let rows =
      "FROM \(quoted(join.table)) AS t "
      + "WHERE \(ends[0].cell) IS NOT NULL AND \(ends[1].cell) IS NOT NULL"
    let order = linking(relationship)?.isInMember == true ? "2, 1" : "1, 2"
    return (
      "SELECT \(cells.joined(separator: ", ")) \(rows) ORDER BY \(order)", "SELECT count(*) \(rows)"
    )
  }

  // MARK: In the target

  /// Inserts an object: key, version, then one parameter for each column of the target.
  package func insert(_ entity: CompiledEntity) -> String {
    let far = target.entities[entity.index]
    let type = far.typeColumn ?? (isOfCoreData ? CoreDataLayout.typeColumn : nil)
    let names =
      [far.keyColumn, far.versionColumn] + far.columns.map(\.name) + (type.map { [$0] } ?? [])
    let parameters = [String](repeating: "?", count: far.columns.count + 2)
    let values = parameters + (type == nil ? [] : ["\(far.number)"])
    return "\(target.dialect.insert) \(quoted(far.table)) "
      + "(\(names.map(quoted).joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
  }

  private var isOfCoreData: Bool { target.layout == CoreDataLayout.name }

  /// Links two objects: owner, member, then the positions.
  package func linking(
    _ relationship: CompiledRelationship
  ) -> (statement: String, isInMember: Bool)? {
    guard let join = target.joins[relationship.id] else { return nil }
    let far = target.entities[relationship.destination]
    guard join.table == far.table, join.memberColumn == far.keyColumn else {
      return (ChangeGenerator(target.dialect).link(join, moving: []), false)
    }
    let owner = quoted(join.ownerColumn)
    let position = join.memberPositionColumn.map { ", \(quoted($0)) = ?3" } ?? ""
    return (
      "\(target.dialect.update) \(quoted(join.table)) SET \(owner) = ?1\(position) "
        + "WHERE \(quoted(join.memberColumn)) = ?2", true
    )
  }

  /// Gives all positions of a store of Core Data the numbers that it gives to members which are
  /// added one after the other.
  package var orders: [String] {
    let keys = target.entities.flatMap { entity in
      entity.columns.filter { $0.role == .position }.compactMap { position -> String? in
        let key = entity.columns.first { $0.role == .key && $0.property == position.property }
        return key.map { order(entity.table, $0.name, position.name) }
      }
    }
    let links = target.joins.values.flatMap { join in
      [join.fromOwner, join.fromMember].compactMap { end in
        end.positionColumn.map { order(end.table, end.column, $0) }
      }
    }
    return Set(keys + links).sorted()
  }

  private func order(_ table: String, _ owner: String, _ position: String) -> String {
    let (table, owner, position) = (quoted(table), quoted(owner), quoted(position))
    return "\(target.dialect.update) \(table) SET \(position) = n.place FROM (SELECT rowid AS row, "
      + "\(ChangeSet.firstPosition) + \(ChangeSet.positionStep) * (row_number() OVER "
      + "(PARTITION BY \(owner) ORDER BY \(position), rowid) - 1) AS place FROM \(table) "
      + "WHERE \(owner) IS NOT NULL) AS n WHERE \(table).rowid = n.row"
  }

  // MARK: In the source

  private func cell(_ column: MappedColumn, _ near: EntityMapping) -> String {
    let found = near.columns.first { $0.role == column.role && $0.property == column.property }
    guard column.role != .entity, let found else { return "NULL" }
    return "t.\(quoted(found.name))"
  }

  private func number(of relationship: CompiledRelationship?, _ key: String) -> String {
    guard let relationship else { return "NULL" }
    return number(in: source.entities[relationship.destination], key)
  }

  /// The number of the entity of the row with a key; NULL where the row does not exist.
  private func number(in far: EntityMapping, _ key: String) -> String {
    let number = far.typeColumn.map { "f.\(quoted($0))" } ?? "\(far.number)"
    return
      "(SELECT \(number) FROM \(quoted(far.table)) AS f WHERE f.\(quoted(far.keyColumn)) = \(key))"
  }

  private func typeCondition(_ near: EntityMapping) -> String {
    near.typeColumn.map { " WHERE t.\(quoted($0)) = \(near.number)" } ?? ""
  }
}
