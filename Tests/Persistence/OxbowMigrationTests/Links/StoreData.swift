import OxbowMigration
import OxbowModel
import OxbowRelational
import OxbowSQLite

/// Writes and reads the objects of a store by the names of its model, without a context: links are
/// read from every place where the store keeps them.
struct StoreData {
  let lab: any MigrationLab
  let model: CompiledModel
  let mapping: StoreMapping

  init(_ lab: any MigrationLab, _ model: ManagedObjectModel) throws {
    self.lab = lab
    let compiled = try CompiledModel(model)
    self.model = compiled
    let records = try lab.database.read { try $0.state()?.entities } ?? []
    mapping = EntityNumbering.mapping(of: compiled, records, in: lab.database.dialect)
  }

  /// The statements that insert objects with these keys; keys are unique in a hierarchy.
  func inserting(_ entity: String, _ keys: [Int64], _ values: [String: String] = [:]) throws
    -> String
  {
    let entity = try model.requireEntity(named: entity)
    let map = mapping.entities[entity.index]
    return keys.map { key in
      var columns = [quoted(map.keyColumn), quoted(map.versionColumn)]
      var texts = ["\(key)", "1"]
      if let type = map.typeColumn {
        columns.append(quoted(type))
        texts.append("\(map.number)")
      }
      for (name, value) in values {
        guard let property = entity.property(named: name),
          let column = map.column(ofProperty: property.index)
        else { continue }
        columns.append(quoted(map.columns[column].name))
        texts.append(value)
      }
      return "INSERT INTO \(quoted(map.table)) (\(columns.joined(separator: ", "))) "
        + "VALUES (\(texts.joined(separator: ", ")));"
    }.joined(separator: "\n")
  }

  /// The values of an attribute of all objects of an entity, by key; as SQL texts.
  func values(_ entity: String, _ name: String) throws -> [Int64: String] {
    let entity = try model.requireEntity(named: entity)
    let map = mapping.entities[entity.index]
    let property = try entity.requireProperty(named: name)
    let column = map.columns[map.column(ofProperty: property.index) ?? 0].name
    let types = map.typeColumn.map { "WHERE \(quoted($0)) = \(map.number)" } ?? ""
    return try pairs(
      "SELECT \(quoted(map.keyColumn)), \(quoted(column)) FROM \(quoted(map.table)) \(types)")
  }

  private func pairs(_ sql: String) throws -> [Int64: String] {
    var result: [Int64: String] = [:]
    for row in try lab.rows(sql) {
      let parts = row.split(separator: "|", maxSplits: 1).map(String.init)
      result[Int64(parts[0]) ?? 0] = parts[1]
    }
    return result
  }
}

// MARK: - Links

extension StoreData {
  func relationship(_ entity: String, _ name: String) throws -> CompiledRelationship? {
    try model.requireEntity(named: entity).property(named: name)?.relationship
  }

  /// The statements that write links, given from one end, into each place that keeps them.
  ///
  /// The places in both orders are those in the lists.
  func linking(_ end: CompiledRelationship, _ links: [(from: Int64, to: Int64)]) -> String {
    let inverse = model.inverse(of: end)
    if let join = mapping.join(of: end) {
      let other = mapping.joins.values.first { $0.table == join.table }
        .map { $0.fromOwner == join ? $0.fromMember : $0.fromOwner }
      return links.enumerated().map { place, link in
        var columns = [(join.column, link.from), (join.otherColumn, link.to)]
        if let column = join.positionColumn { columns.append((column, Int64(5000 + place))) }
        if let column = other?.positionColumn { columns.append((column, Int64(5000 + place))) }
        return "INSERT INTO \(quoted(join.table)) "
          + "(\(columns.map { quoted($0.0) }.joined(separator: ", "))) "
          + "VALUES (\(columns.map { "\($0.1)" }.joined(separator: ", ")));"
      }.joined(separator: "\n")
    }
    return links.enumerated().map { place, link in
      (end.isToMany ? "" : updating(end, link.from, link.to, place))
        + (inverse.map { $0.isToMany ? "" : updating($0, link.to, link.from, place) } ?? "")
    }.joined(separator: "\n")
  }

  private func updating(
    _ end: CompiledRelationship, _ from: Int64, _ to: Int64, _ place: Int
  ) -> String {
    let map = mapping.entities[end.entity]
    let target = mapping.entities[end.destination]
    let values = map.columns.filter { $0.property == end.property }.map { column in
      switch column.role {
      case .entity:
        "\(quoted(column.name)) = (SELECT _type FROM \(quoted(target.table)) WHERE _id = \(to))"
      case .position: "\(quoted(column.name)) = \(5000 + place)"
      default: "\(quoted(column.name)) = \(to)"
      }
    }
    return "UPDATE \(quoted(map.table)) SET \(values.joined(separator: ", ")) WHERE _id = \(from);"
  }

  /// The links as one end sees them, in its order, by the key that one looks from.
  func links(_ end: CompiledRelationship) throws -> [Int64: [Int64]] {
    var result: [Int64: [Int64]] = [:]
    for row in try lab.rows(query(end)) {
      let parts = row.split(separator: "|").compactMap { Int64($0) }
      result[parts[0], default: []].append(parts[1])
    }
    return result
  }

  private func query(_ end: CompiledRelationship) -> String {
    if let join = mapping.join(of: end) {
      let order = join.positionColumn.map { quoted($0) + ", " } ?? ""
      return "SELECT \(quoted(join.column)), \(quoted(join.otherColumn)) "
        + "FROM \(quoted(join.table)) ORDER BY 1, \(order) 2"
    }
    if end.isToMany, let inverse = model.inverse(of: end) {
      let map = mapping.entities[inverse.entity]
      let columns = map.columns.filter { $0.property == inverse.property }
      guard let key = columns.first(where: { $0.role == .key }) else {
        return "SELECT 1 WHERE 1 = 0"
      }
      let order = columns.first { $0.role == .position }.map { quoted($0.name) + ", " } ?? ""
      return "SELECT \(quoted(key.name)), _id FROM \(quoted(map.table)) "
        + "WHERE \(quoted(key.name)) IS NOT NULL ORDER BY 1, \(order) 2"
    }
    let map = mapping.entities[end.entity]
    guard let key = map.column(ofProperty: end.property) else { return "SELECT 1 WHERE 1 = 0" }
    return "SELECT _id, \(quoted(map.columns[key].name)) FROM \(quoted(map.table)) "
      + "WHERE \(quoted(map.columns[key].name)) IS NOT NULL ORDER BY 1"
  }

  /// The keys whose number of an entity beside them is not that of the object.
  func wrongEntities(_ end: CompiledRelationship) throws -> [String] {
    let map = mapping.entities[end.entity]
    let target = mapping.entities[end.destination]
    let columns = map.columns.filter { $0.property == end.property }
    guard let key = columns.first(where: { $0.role == .key }),
      let type = columns.first(where: { $0.role == .entity })
    else { return [] }
    return try lab.rows(
      "SELECT s._id FROM \(quoted(map.table)) AS s LEFT JOIN \(quoted(target.table)) AS t "
        + "ON t._id = s.\(quoted(key.name)) "
        + "WHERE t._type \(mapping.dialect.different) s.\(quoted(type.name))")
  }
}
