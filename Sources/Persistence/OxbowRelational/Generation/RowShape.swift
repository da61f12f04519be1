package import OxbowModel

/// The columns that a select brings for the rows of an entity, with or without those below it.
///
/// Column 0 is the key, 1 the version, then the type where there is one, then the values: the union
/// over all entities that can come. Which of them a row uses, its entity decides.
package struct RowShape: Sendable {
  /// A column of values.
  package struct Value: Sendable {
    package let column: MappedColumn

    /// The entities, by dense index, whose rows use it.
    package let entities: [Int]
  }

  /// Where the rows are.
  package let mapping: EntityMapping

  /// The entities that can come, by dense index.
  package let entities: [Int]

  package let values: [Value]

  /// The columns behind `SELECT`, under the alias `t0`: of rows with values, of their headers (key,
  /// version, type), and of keys and types alone.
  package let list: String
  package let headerList: String
  package let referenceList: String

  /// The number of the first column of values.
  package var firstValue: Int { mapping.typeColumn == nil ? 2 : 3 }

  /// Creates the shape of an entity's rows.
  package init(of entity: CompiledEntity, includesSubentities: Bool, in mapping: StoreMapping) {
    self.mapping = mapping.entities[entity.index]
    entities = includesSubentities ? entity.concrete : entity.isAbstract ? [] : [entity.index]
    var order: [String] = []
    var columns: [String: MappedColumn] = [:]
    var users: [String: [Int]] = [:]
    for entity in entities {
      for column in mapping.entities[entity].columns where column.slot >= 0 {
        if users[column.name] == nil { order.append(column.name) }
        columns[column.name] = column
        users[column.name, default: []].append(entity)
      }
    }
    values = order.compactMap { name in
      columns[name].map { Value(column: $0, entities: users[name] ?? []) }
    }
    let table = self.mapping
    let types = table.typeColumn.map { [$0] } ?? []
    let header = [table.keyColumn, table.versionColumn] + types
    headerList = Self.list(header)
    referenceList = Self.list([table.keyColumn] + types)
    list = Self.list(header + values.map(\.column.name))
  }

  private static func list(_ names: [String]) -> String {
    names.map { "t0.\(quoted($0))" }.joined(separator: ", ")
  }
}

extension StoreMapping {
  /// The condition that rows of a table are of `entities`; empty when all are.
  package func typeCondition(_ shape: RowShape, alias: String) -> String {
    guard let type = shape.mapping.typeColumn else { return "" }
    let all = model.entities[shape.mapping.root].concrete
    guard shape.entities.count < all.count else { return "" }
    let numbers = shape.entities.map { entities[$0].number }.sorted()
    let column = "\(alias).\(quoted(type))"
    return numbers.count == 1 ? "\(column) = \(numbers[0])" : isOne(column, of: numbers)
  }
}
