#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// A new row, and the keys that links set in it.
  struct NewRow: Sendable {
    let insert: ChangeSet.Insert
    let links: [LinkAssignments.Cell]

    init(_ insert: ChangeSet.Insert, links: [LinkAssignments.Cell]) {
      self.insert = insert
      self.links = links
    }
  }

  /// Makes values of objects what columns of a server have.
  struct RowEncoder: Sendable {
    let store: PostgresStore

    /// The server takes up to 1 GiB for a value, with all that is around it.
    static let largestValue = 1_000_000_000

    /// Key, version, and a value for each column of the table.
    func row(_ new: NewRow, _ table: EntityMapping) throws(PersistenceError) -> [SQLValue] {
      let (insert, values) = (new.insert, new.insert.values)
      var row: [SQLValue] = [.integer(insert.key), .integer(insert.version)]
      row.reserveCapacity(table.columns.count + 3)
      for (index, column) in table.columns.enumerated() {
        guard column.role == .attribute else {
          let key = new.links.first { $0.column == index }?.value
          row.append(try encoded(key: key, column, insert.reference))
          continue
        }
        row.append(try encoded(values[column.property], column, insert.reference))
      }
      try checkSize(of: row, insert.reference)
      return row
    }

    /// A value as its column has it.
    func encoded(
      _ value: AttributeValue?, _ column: MappedColumn, _ reference: ObjectReference
    ) throws(PersistenceError) -> SQLValue {
      guard let value else {
        guard !column.isDeclaredRequired else { throw missing(column, reference) }
        return .null
      }
      guard let stored = column.codec.encode(value) else {
        throw cannotStore(value, column, reference)
      }
      guard stored.byteCount <= Self.largestValue else { throw tooBig(stored, column, reference) }
      return stored
    }

    /// A row travels in one message, and so do all its values when it is read.
    func checkSize(
      of row: [SQLValue], _ reference: ObjectReference
    ) throws(PersistenceError) {
      let bytes = row.reduce(0) { $0 + $1.byteCount }
      guard bytes > Self.largestValue else { return }
      throw refusal(reference) { id in
        "the values of '\(id)' have \(bytes) bytes together, and a store on a server takes up to a "
          + "thousand million for an object; nothing was saved: keep large values in files, and the "
          + "files' names in the store"
      }
    }

    func encoded(
      key: Int64?, _ column: MappedColumn, _ reference: ObjectReference
    ) throws(PersistenceError) -> SQLValue {
      guard let key else {
        guard !column.isDeclaredRequired else { throw missing(column, reference) }
        return .null
      }
      return .integer(key)
    }

    private func name(_ column: MappedColumn, _ reference: ObjectReference) -> String {
      let properties = store.model.entities[reference.entity].properties
      return column.property < properties.count ? properties[column.property].name : column.name
    }

    private func missing(_ column: MappedColumn, _ reference: ObjectReference) -> PersistenceError {
      refusal(reference) { id in
        "'\(id)' has no value for '\(name(column, reference))', where the model requires one; nothing "
          + "was saved"
      }
    }

    private func cannotStore(
      _ value: AttributeValue, _ column: MappedColumn, _ reference: ObjectReference
    ) -> PersistenceError {
      refusal(reference) { id in
        "the value of '\(name(column, reference))' of '\(id)' cannot be stored: the column needs "
          + "\(column.codec.need), and \(value) is not one; nothing was saved"
      }
    }

    private func tooBig(
      _ value: SQLValue, _ column: MappedColumn, _ reference: ObjectReference
    ) -> PersistenceError {
      refusal(reference) { id in
        "the value of '\(name(column, reference))' of '\(id)' has \(value.byteCount) bytes, and a store "
          + "takes up to a thousand million; nothing was saved: keep it in a file, and the file's name "
          + "in the store"
      }
    }

    /// An object that cannot be saved, for a reason.
    private func refusal(
      _ reference: ObjectReference, _ reason: (ManagedObjectID) -> String
    ) -> PersistenceError {
      let id = store.id(reference)
      return PersistenceError(.validation, reason(id), objectIDs: [id])
    }
  }
#endif
