package import OxbowModel
package import OxbowStore

/// The columns that links and unlinks set, gathered by row, so that a row is written once.
///
/// Chains in one array instead of an array for each row: a save of 100,000 new objects has as many
/// links.
package struct LinkAssignments {
  package struct Cell: Sendable {
    /// The index in the mapping's columns.
    package let column: Int
    /// What is set; NULL when nothing.
    package let value: Int64?
    /// For the key column of an unlink: what must be there now.
    package let expected: Int64?
    /// Whether it comes from an unlink.
    package let isUnlink: Bool
    fileprivate var next: Int32
  }

  private var heads: [ObjectKey: (entity: Int32, head: Int32)] = [:]
  private var list: ContiguousArray<Cell> = []

  package init() {}

  /// Adds what a link or unlink sets in a row; a link that came before wins over an unlink.
  private mutating func add(
    _ reference: ObjectReference, root: Int, column: Int, value: Int64?, expected: Int64? = nil,
    isUnlink: Bool = false
  ) {
    let key = ObjectKey(root: root, key: reference.key)
    let head = heads[key]?.head ?? -1
    var index = head
    while index >= 0 {
      if list[Int(index)].column == column { return }
      index = list[Int(index)].next
    }
    list.append(
      Cell(column: column, value: value, expected: expected, isUnlink: isUnlink, next: head))
    heads[key] = (Int32(reference.entity), Int32(list.count - 1))
  }

  /// Takes what is set in a row, in the order of columns.
  package mutating func take(root: Int, key: Int64) -> [Cell] {
    guard !heads.isEmpty,
      let found = heads.removeValue(forKey: ObjectKey(root: root, key: key))
    else { return [] }
    return chain(from: found.head)
  }

  /// Takes the rows that have not been taken, in the order of their keys.
  package mutating func takeRest() -> [(reference: ObjectReference, cells: [Cell])] {
    let rest = heads.sorted { ($0.key.root, $0.key.key) < ($1.key.root, $1.key.key) }
    heads = [:]
    return rest.map { key, value in
      (ObjectReference(entity: Int(value.entity), key: key.key), chain(from: value.head))
    }
  }

  private func chain(from head: Int32) -> [Cell] {
    var chain: [Cell] = []
    var index = head
    while index >= 0 {
      chain.append(list[Int(index)])
      index = list[Int(index)].next
    }
    return chain.sorted { $0.column < $1.column }
  }
}

// MARK: - Gathering

extension LinkAssignments {
  /// Gathers the links that are kept in keys; rows that are deleted have none.
  ///
  /// `position` says the position of a new link at its place.
  package mutating func gather<E: Error>(
    _ changes: ChangeSet, _ mapping: StoreMapping,
    position: (LinkPlace) throws(E) -> Int64
  ) throws(E) {
    var known: [RelationshipID: LinkColumns?] = [:]
    func columns(_ id: RelationshipID) -> LinkColumns? {
      if let columns = known[id] { return columns }
      let columns = mapping.keyColumns(of: id)
      known[id] = .some(columns)
      return columns
    }
    for link in changes.links {
      guard let columns = columns(link.relationship) else { continue }
      add(link.owner, columns.ownKey, columns.ownEntity, to: link.member, mapping)
      if let column = columns.ownPosition, let place = mapping.place(ofKey: link, columns) {
        add(
          link.owner, root: mapping.entities[link.owner.entity].root, column: column,
          value: try position(place))
      }
      if let key = columns.otherKey {
        add(link.member, key, columns.otherEntity, to: link.owner, mapping)
      }
    }
    for link in changes.unlinks {
      guard let columns = columns(link.relationship) else { continue }
      clear(
        link.owner, columns.ownKey, [columns.ownEntity, columns.ownPosition], from: link.member,
        mapping)
      if let key = columns.otherKey {
        clear(link.member, key, [columns.otherEntity], from: link.owner, mapping)
      }
    }
    if heads.isEmpty { return }
    for delete in changes.deletes {
      _ = take(root: mapping.entities[delete.entity].root, key: delete.key)
    }
  }

  private mutating func add(
    _ row: ObjectReference, _ key: Int, _ entity: Int?, to other: ObjectReference,
    _ mapping: StoreMapping
  ) {
    let root = mapping.entities[row.entity].root
    add(row, root: root, column: key, value: other.key)
    if let entity {
      add(row, root: root, column: entity, value: mapping.entities[other.entity].number)
    }
  }

  private mutating func clear(
    _ row: ObjectReference, _ key: Int, _ others: [Int?], from other: ObjectReference,
    _ mapping: StoreMapping
  ) {
    let root = mapping.entities[row.entity].root
    add(row, root: root, column: key, value: nil, expected: other.key, isUnlink: true)
    for column in others.compactMap(\.self) {
      add(row, root: root, column: column, value: nil, isUnlink: true)
    }
  }
}

extension StoreMapping {
  /// A relationship that links are given of.
  package func canonicalRelationship(_ id: RelationshipID) -> CompiledRelationship {
    let property = model.property(id)
    guard let relationship = property.relationship, relationship.storage.isCanonical else {
      preconditionFailure(
        "links are given from the canonical end; '\(property.name)' is not canonical")
    }
    return relationship
  }

  /// The columns of a canonical relationship that is kept in keys.
  package func keyColumns(of id: RelationshipID) -> LinkColumns? {
    let relationship = canonicalRelationship(id)
    return relationship.storage == .ownKey ? LinkColumns(relationship, self) : nil
  }
}

// MARK: - What rows get

extension EntityMapping {
  /// What an update sets, by the index of the column.
  package func written(
    _ update: ChangeSet.Update, _ links: [LinkAssignments.Cell]
  ) -> [Int: SQLValue] {
    var written = written(links)
    for (property, value) in update.values {
      guard let column = column(ofProperty: property) else { continue }
      written[column] = encoded(value, column)
    }
    return written
  }

  /// What an insert sets, by the index of the column.
  package func written(
    _ insert: ChangeSet.Insert, _ links: [LinkAssignments.Cell]
  ) -> [Int: SQLValue] {
    var written = written(links)
    let values = insert.values
    for (index, column) in columns.enumerated() where column.role == .attribute {
      written[index] = encoded(values[column.property], index)
    }
    return written
  }

  private func written(_ links: [LinkAssignments.Cell]) -> [Int: SQLValue] {
    var written: [Int: SQLValue] = [:]
    for link in links { written[link.column] = link.value.map { .integer($0) } ?? .null }
    return written
  }

  private func encoded(_ value: AttributeValue?, _ column: Int) -> SQLValue {
    value.flatMap { columns[column].codec.encode($0) } ?? .null
  }
}
