#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// What links and unlinks set in rows, gathered by row, so that a row is written once.
  struct LinkAssignments {
    struct Cell {
      /// The index in the mapping's columns.
      let column: Int
      let value: Int64?

      /// For the key of an unlink: what must be there now.
      var expected: Int64?
      var isUnlink = false
    }

    private struct Row {
      let reference: ObjectReference
      var cells: [Int: Cell] = [:]
    }

    private var rows: [ObjectKey: Row] = [:]

    /// Adds a cell; a link that came before wins over an unlink.
    private mutating func add(_ reference: ObjectReference, _ root: Int, _ cell: Cell) {
      let key = ObjectKey(root: root, key: reference.key)
      if rows[key, default: Row(reference: reference)].cells[cell.column] == nil {
        rows[key, default: Row(reference: reference)].cells[cell.column] = cell
      }
    }

    /// Takes what is set in a row, in the order of columns.
    mutating func take(_ key: ObjectKey) -> [Cell] {
      rows.removeValue(forKey: key).map { $0.cells.values.sorted { $0.column < $1.column } } ?? []
    }

    /// Takes the rows that have not been taken, in the order of their keys.
    mutating func takeRest() -> [(reference: ObjectReference, cells: [Cell])] {
      let rest = rows.sorted { ($0.key.root, $0.key.key) < ($1.key.root, $1.key.key) }
      rows = [:]
      return rest.map {
        ($0.value.reference, $0.value.cells.values.sorted { $0.column < $1.column })
      }
    }
  }

  // MARK: - Gathering

  extension LinkAssignments {
    /// Gathers the links that are kept in keys; rows that are deleted have none.
    init(
      _ changes: ChangeSet, _ mapping: StoreMapping, _ positions: inout LinkPositions
    ) throws(PersistenceError) {
      for link in changes.links {
        guard let columns = mapping.keyColumns(of: link.relationship) else { continue }
        add(link.owner, columns.ownKey, columns.ownEntity, to: link.member, mapping)
        if let key = columns.otherKey {
          add(link.member, key, columns.otherEntity, to: link.owner, mapping)
        }
        if let column = columns.ownPosition, let place = positions.place(ofKey: link, mapping) {
          add(
            link.owner, mapping.entities[link.owner.entity].root,
            Cell(column: column, value: try positions.take(place)))
        }
      }
      for link in changes.unlinks {
        guard let columns = mapping.keyColumns(of: link.relationship) else { continue }
        clear(
          link.owner, columns.ownKey, [columns.ownEntity, columns.ownPosition], from: link.member,
          mapping)
        if let key = columns.otherKey {
          clear(link.member, key, [columns.otherEntity], from: link.owner, mapping)
        }
      }
      for delete in changes.deletes {
        _ = take(ObjectKey(root: mapping.entities[delete.entity].root, key: delete.key))
      }
    }

    private mutating func add(
      _ row: ObjectReference, _ key: Int, _ entity: Int?, to other: ObjectReference,
      _ mapping: StoreMapping
    ) {
      let root = mapping.entities[row.entity].root
      add(row, root, Cell(column: key, value: other.key))
      if let entity {
        add(row, root, Cell(column: entity, value: mapping.entities[other.entity].number))
      }
    }

    private mutating func clear(
      _ row: ObjectReference, _ key: Int, _ others: [Int?], from other: ObjectReference,
      _ mapping: StoreMapping
    ) {
      let root = mapping.entities[row.entity].root
      add(row, root, Cell(column: key, value: nil, expected: other.key, isUnlink: true))
      for column in others.compactMap(\.self) {
        add(row, root, Cell(column: column, value: nil, isUnlink: true))
      }
    }
  }

  extension StoreMapping {
    /// The columns of a canonical relationship that is kept in keys.
    func keyColumns(of id: RelationshipID) -> LinkColumns? {
      guard let relationship = model.property(id).relationship, relationship.storage == .ownKey
      else {
        return nil
      }
      return LinkColumns(relationship, self)
    }

    /// The directions in which a link is kept: a relationship that is its own inverse has two.
    func directions(of link: ChangeSet.Link) -> [(owner: ObjectReference, member: ObjectReference)]
    {
      let relationship = model.property(link.relationship).relationship
      let inverse = relationship.flatMap { model.inverse(of: $0) }
      let isOwn = inverse?.id == relationship?.id && relationship != nil
      return isOwn && link.owner != link.member
        ? [(link.owner, link.member), (link.member, link.owner)] : [(link.owner, link.member)]
    }
  }
#endif
