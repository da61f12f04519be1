internal import OxbowModel

/// An index of the texts in columns of one table of objects.
package struct SearchIndex: Hashable, Sendable {
  /// What an index has of texts; the values are file format.
  package enum Kind: String, Sendable, CaseIterable {
    /// Their words, which answer searches for words.
    case words
    /// The trigrams that they have or had: a filter before conditions on parts of texts.
    case substrings

    var search: AttributeSearch {
      switch self {
      case .words: .words
      case .substrings: .substrings
      }
    }

    /// The version of what this program writes.
    var version: Int {
      switch self {
      case .words: TextWords.version
      case .substrings: TextSkeleton.version
      }
    }
  }

  package var kind: Kind

  /// The number of the root entity, by which the index is named: the entity may be renamed.
  package var root: Int64

  package var table: String

  /// The columns whose texts it has; each is in the column of the index at the same place.
  package var columns: [String]

  package init(_ kind: Kind, root: Int64, table: String, columns: [String]) {
    (self.kind, self.root, self.table, self.columns) = (kind, root, table, columns)
  }

  /// The name of its table.
  package var name: String { MetadataTables.prefix + kind.rawValue + "_\(root)" }

  /// Whether it is made for the same purpose and objects; a root has one of each kind.
  package func hasPlace(of other: SearchIndex) -> Bool { root == other.root && kind == other.kind }

  /// Whether it has the same texts; the order of columns is that in which they came.
  package func hasTexts(of other: SearchIndex) -> Bool {
    hasPlace(of: other) && table == other.table && Set(columns) == Set(other.columns)
  }

  /// The names of its own columns: those of an entity may be what FTS5 reserves, like `rank`.
  var ownColumns: [String] { columns.indices.map { "w\($0)" } }
}

extension StoreMapping {
  /// The search indexes that the model asks for, one of each kind for each table.
  package var searchIndexes: [SearchIndex] {
    model.entities.filter { $0.root == $0.index && !entities[$0.index].table.isEmpty }
      .flatMap { root in
        SearchIndex.Kind.allCases.compactMap { kind in
          let columns = root.subtree.flatMap { searchedColumns(of: $0, kind) }
          let entity = entities[root.index]
          return columns.isEmpty
            ? nil : SearchIndex(kind, root: entity.number, table: entity.table, columns: columns)
        }
      }
  }

  /// The columns that an entity itself declares as searched.
  private func searchedColumns(of entity: Int, _ kind: SearchIndex.Kind) -> [String] {
    entities[entity].columns.filter { column in
      let property = model.entities[entity].properties[column.property]
      return column.role == .attribute && property.declaringEntity == entity
        && property.attribute?.search.contains(kind.search) == true
    }.map(\.name)
  }
}

/// The search indexes that a store has, as its entities see them.
package struct SearchPlan: Sendable {
  /// An index, and the properties of an entity whose texts are in it.
  package struct Part: Sendable {
    /// Its place in ``SearchPlan/indexes``.
    package let place: Int
    package let properties: Set<Int>
  }

  /// The indexes with objects of the model.
  package let indexes: [SearchIndex]

  /// What saves ask of each index, and note for it: texts that are made once, because they take
  /// longer than the statement (docs/performance.md, W).
  package let noting: [(readEnd: String, note: String)]

  /// The indexes that have texts of each entity.
  package let parts: [[Part]]

  /// The indexes that have texts of each entity or of one below it: the ID of an object may name an
  /// entity above its own.
  package let places: [Set<Int>]

  /// Whether rows of each entity come to an index, be it without texts.
  package let isPassed: [Bool]

  /// The indexes that were written as this version of Oxbow writes them; for the others, changes
  /// are only noted.
  package let readable: [SearchIndex]

  /// What asks the readable ones.
  private let selects: [KeySelect]

  /// Makes the plan of a store; `nil` when no index is of use.
  package init?(_ stored: [(index: SearchIndex, isCurrent: Bool)], _ mapping: StoreMapping) {
    let indexes = stored.map(\.index)
    let parts: [[Part]] = mapping.entities.map { entity in
      indexes.indices.compactMap { place in
        let index = indexes[place]
        guard index.root == mapping.entities[entity.root].number, index.table == entity.table
        else { return nil }
        let columns = entity.columns.filter {
          $0.role == .attribute && index.columns.contains($0.name)
        }
        return columns.isEmpty
          ? nil : Part(place: place, properties: Set(columns.map(\.property)))
      }
    }
    self.parts = parts
    places = mapping.model.entities.map { Set($0.subtree.flatMap { parts[$0].map(\.place) }) }
    isPassed = mapping.entities.map { entity in
      indexes.contains {
        $0.table == entity.table && $0.root == mapping.entities[entity.root].number
      }
    }
    let used = Set(parts.joined().map(\.place))
    guard !used.isEmpty else { return nil }
    readable = indexes.indices.filter { stored[$0].isCurrent && used.contains($0) }
      .map { indexes[$0] }
    selects = readable.map { KeySelect($0, mapping.dialect) }
    self.indexes = indexes
    noting = indexes.map { ($0.readEnd, $0.note) }
  }

  /// Whether there is a readable index of a kind.
  func hasIndexes(_ kind: SearchIndex.Kind) -> Bool { readable.contains { $0.kind == kind } }

  /// An index that answers for some columns.
  struct Answer {
    let index: SearchIndex
    let select: KeySelect

    /// Where it has the columns, in their order.
    let places: [Int]
  }

  /// The index that answers for columns of an entity's table; `nil` if the texts have to be read.
  func answer(_ kind: SearchIndex.Kind, of entity: Int, with columns: [String]) -> Answer? {
    let index = parts[entity].lazy.map { indexes[$0.place] }.first { $0.kind == kind }
    guard let index, let place = readable.firstIndex(of: index) else { return nil }
    let places = columns.compactMap { index.columns.firstIndex(of: $0) }
    return places.count == columns.count
      ? Answer(index: index, select: selects[place], places: places) : nil
  }
}
