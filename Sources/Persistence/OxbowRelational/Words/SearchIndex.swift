internal import OxbowModel

/// An index of the words in columns of one table of objects.
package struct SearchIndex: Hashable, Sendable {
  /// The number of the root entity, by which the index is named: the entity may be renamed.
  package var root: Int64

  package var table: String

  /// The columns whose words it has; each is in the column of the index at the same place.
  package var columns: [String]

  package init(root: Int64, table: String, columns: [String]) {
    (self.root, self.table, self.columns) = (root, table, columns)
  }

  /// The name of the table of words.
  package var name: String { SearchTables.state.name + "_\(root)" }

  /// Whether it has the same words; the order of columns is that in which they came.
  package func hasWords(of other: SearchIndex) -> Bool {
    root == other.root && table == other.table && Set(columns) == Set(other.columns)
  }

  /// The names of its own columns: those of an entity may be what FTS5 reserves, like `rank`.
  var ownColumns: [String] { columns.indices.map { "w\($0)" } }
}

extension StoreMapping {
  /// The indexes of words that the model asks for, one for each table.
  package var searchIndexes: [SearchIndex] {
    model.entities.filter { $0.root == $0.index && !entities[$0.index].table.isEmpty }
      .compactMap { root in
        let columns = root.subtree.flatMap { searchedColumns(of: $0) }
        let entity = entities[root.index]
        return columns.isEmpty
          ? nil : SearchIndex(root: entity.number, table: entity.table, columns: columns)
      }
  }

  /// The columns that an entity itself declares as searched by words.
  private func searchedColumns(of entity: Int) -> [String] {
    entities[entity].columns.filter { column in
      let property = model.entities[entity].properties[column.property]
      return column.role == .attribute && property.declaringEntity == entity
        && property.attribute?.search.contains(.words) == true
    }.map(\.name)
  }
}

/// The indexes of words that a store has, as its entities see them.
package struct SearchPlan: Sendable {
  /// The index that has the objects of each entity.
  private let indexes: [SearchIndex?]

  /// The properties of each entity whose words are in its index.
  private let properties: [Set<Int>]

  /// The indexes that have words as this version of Oxbow splits them; for the others, changes are
  /// only noted.
  package let readable: [SearchIndex]

  /// Makes the plan of a store; `nil` when no index is of use.
  package init?(_ stored: [(index: SearchIndex, isCurrent: Bool)], _ mapping: StoreMapping) {
    let indexes = mapping.entities.map { entity in
      stored.first {
        $0.index.root == mapping.entities[entity.root].number && $0.index.table == entity.table
      }?.index
    }
    guard indexes.contains(where: { $0 != nil }) else { return nil }
    properties = zip(mapping.entities, indexes).map { entity, index in
      Set(
        entity.columns.filter { $0.role == .attribute && index?.columns.contains($0.name) == true }
          .map(\.property))
    }
    readable = stored.filter { $0.isCurrent && indexes.contains($0.index) }.map(\.index)
    self.indexes = indexes
  }

  /// The index that has the objects of an entity.
  package func index(of entity: Int) -> SearchIndex? { indexes[entity] }

  /// Whether an index has words of an entity.
  package func hasWords(of entity: Int) -> Bool { !properties[entity].isEmpty }

  /// Whether the words of a property are in an index.
  package func has(_ property: Int, of entity: Int) -> Bool {
    properties[entity].contains(property)
  }

  /// The index that answers for columns of an entity's table, and where it has them; `nil` if the
  /// texts have to be read.
  func index(of entity: Int, with columns: [String]) -> (index: SearchIndex, places: [Int])? {
    guard let index = indexes[entity], readable.contains(index) else { return nil }
    let places = columns.compactMap { index.columns.firstIndex(of: $0) }
    return places.count == columns.count ? (index, places) : nil
  }
}
