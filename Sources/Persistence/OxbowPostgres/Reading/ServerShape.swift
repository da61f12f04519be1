#if PostgreSQL
  internal import OxbowModel
  internal import OxbowPlatform
  internal import OxbowRelational

  /// The columns that a select brings for the rows of an entity, as they travel.
  struct ServerShape: Sendable {
    let shape: RowShape

    /// The table, with its schema.
    let table: String

    /// The columns behind SELECT, under the alias `t0`: of rows with values, and of keys and types.
    let list: String
    let referenceList: String

    /// The key, under the alias.
    let key: String

    /// For each entity that can come, by dense index, the columns of its values in the list.
    let columns: [Int: [(place: Int, column: MappedColumn)]]

    init(_ shape: RowShape, _ names: ServerNames) {
      self.shape = shape
      table = names.table(shape.mapping.table)
      key = "t0.\(quoted(shape.mapping.keyColumn))"
      referenceList = shape.referenceList
      list =
        ([shape.headerList]
        + shape.values.map { value in
          let name = "t0.\(quoted(value.column.name))"
          return value.column.codec.serverType == .numeric ? name + "::text" : name
        }).joined(separator: ", ")
      var columns: [Int: [(place: Int, column: MappedColumn)]] = [:]
      for (index, value) in shape.values.enumerated() {
        for entity in value.entities {
          columns[entity, default: []].append((shape.firstValue + index, value.column))
        }
      }
      self.columns = columns
    }

    /// The number of columns of the list.
    var width: Int { shape.firstValue + shape.values.count }
  }

  extension PostgresStore {
    /// The shape of an entity's rows, made once.
    func shape(_ entity: Int, _ includesSubentities: Bool = true) -> ServerShape {
      let key = 2 * entity + (includesSubentities ? 1 : 0)
      if let known = shapes.withLock({ $0[key] }) { return known }
      let shape = ServerShape(
        RowShape(
          of: model.entities[entity], includesSubentities: includesSubentities, in: mapping),
        names)
      shapes.withLock { $0[key] = shape }
      return shape
    }
  }
#endif
