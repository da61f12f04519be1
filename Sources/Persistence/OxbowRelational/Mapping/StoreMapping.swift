package import OxbowModel

/// Which table and column keeps what of a model.
///
/// Model, tables and mapping are three things: an entity description never knows a column name, and
/// a table never knows an entity. A mapping is made by a layout (`PlainLayout`) for one model and
/// one store, because each store keeps its own numbers for entities.
package final class StoreMapping: Sendable {
  package let model: CompiledModel

  /// The language of the store's engine.
  package let dialect: any Dialect

  /// The layout's name and version, kept in the store.
  package let layout: String
  package let layoutVersion: Int

  /// All tables of objects and links, in the order of their creation.
  package let tables: [TableSchema]

  /// Every entity by its dense index.
  package let entities: [EntityMapping]

  /// The join tables by canonical relationship.
  package let joins: [RelationshipID: JoinMapping]

  /// Whether the writer of a save computes derived attributes; in Core Data's stores triggers do.
  package var computesDerivedValues: Bool { layout == PlainLayout.name }

  /// How many tables are behind that of each entity.
  private let depths: [Int]

  package init(
    model: CompiledModel, dialect: any Dialect, layout: String, layoutVersion: Int,
    tables: [TableSchema], entities: [EntityMapping], joins: [RelationshipID: JoinMapping]
  ) {
    self.model = model
    self.dialect = dialect
    self.layout = layout
    self.layoutVersion = layoutVersion
    self.tables = tables
    self.entities = entities
    self.joins = joins
    var depths = TableDepths(of: tables)
    self.depths = entities.map { depths.depth(of: $0.table) }
  }

  /// Whether rows of one root entity are deleted before those of another: those that refer to
  /// others go first.
  package func precedes(_ root: Int, _ other: Int) -> Bool {
    (-depths[root], root) < (-depths[other], other)
  }

  /// The join table of a relationship seen from one of its ends, or `nil` when it has none.
  package func join(of relationship: CompiledRelationship) -> JoinMapping.End? {
    if let join = joins[relationship.id] { return join.fromOwner }
    guard let inverse = model.inverse(of: relationship) else { return nil }
    return joins[inverse.id]?.fromMember
  }

  /// Whether the store keeps the links of a to-many relationship; it keeps none of transient ones.
  package func keeps(_ relationship: CompiledRelationship) -> Bool {
    if join(of: relationship) != nil { return true }
    guard let inverse = model.inverse(of: relationship) else { return false }
    return entities[inverse.entity].column(ofProperty: inverse.property) != nil
  }

  /// The join tables that have rows for objects of `root`'s table, with the column that names them.
  package func joinEnds(ofRoot root: Int) -> [JoinMapping.End] {
    joins.values.sorted { $0.table < $1.table }.flatMap { join in
      (join.ownerRoot == root ? [join.fromOwner] : [])
        // With the row of a member, the key of its owner is gone.
        + (join.memberRoot == root && !join.isMemberKey ? [join.fromMember] : [])
    }
  }
}

/// Where the objects of one entity are kept.
package final class EntityMapping: Sendable {
  /// The dense index of the entity and of its root.
  package let entity: Int
  package let root: Int

  /// The number that the store keeps for the entity.
  package let number: Int64

  package let table: String
  package let keyColumn: String
  package let versionColumn: String

  /// The column of the entity's number, where the table has objects of several entities.
  package let typeColumn: String?

  /// The column in which an insert writes the entity's number, whether it is read or not.
  package let numberColumn: String?

  /// All columns of the entity but key, version and type.
  ///
  /// A statement names a column by its index here.
  package let columns: [MappedColumn]

  private let attributeColumns: [Int: Int]
  private let keyColumns: [Int: Int]

  package init(
    entity: Int, root: Int, number: Int64, table: String, keyColumn: String, versionColumn: String,
    typeColumn: String?, numberColumn: String? = nil, columns: [MappedColumn]
  ) {
    self.entity = entity
    self.root = root
    self.number = number
    self.table = table
    self.keyColumn = keyColumn
    self.versionColumn = versionColumn
    self.typeColumn = typeColumn
    self.numberColumn = numberColumn ?? typeColumn
    self.columns = columns
    var attributes: [Int: Int] = [:]
    var keys: [Int: Int] = [:]
    for (index, column) in columns.enumerated() {
      switch column.role {
      case .attribute: attributes[column.property] = index
      case .key: keys[column.property] = index
      case .entity, .position: break
      }
    }
    attributeColumns = attributes
    keyColumns = keys
  }

  /// The index of the column of an attribute or of a to-one relationship's key, or `nil`.
  package func column(ofProperty property: Int) -> Int? {
    attributeColumns[property] ?? keyColumns[property]
  }

  /// The index of the column that a relationship's key has beside it, or `nil`.
  package func column(_ role: MappedColumn.Role, ofProperty property: Int) -> Int? {
    columns.firstIndex { $0.role == role && $0.property == property }
  }
}

/// One column of an entity's table.
package struct MappedColumn: Hashable, Sendable {
  /// What the column says of its property.
  package enum Role: Hashable, Sendable {
    /// The value of an attribute.
    case attribute
    /// The key of a to-one relationship's object.
    case key
    /// The entity of that object, where it can be of several.
    case entity
    /// The position of this object in the order of that object's inverse relationship.
    case position
  }

  package let name: String
  package let role: Role

  /// The property index, and the slot of the value in a row; -1 for positions.
  package let property: Int
  package let slot: Int
  package let codec: ColumnCodec

  /// Whether the model requires a value.
  package let isRequired: Bool

  /// Whether the column is declared `NOT NULL`: no column of a sub-entity can be.
  package let isDeclaredRequired: Bool

  package init(
    name: String, role: Role, property: Int, slot: Int, codec: ColumnCodec, isRequired: Bool,
    isDeclaredRequired: Bool
  ) {
    self.name = name
    self.role = role
    self.property = property
    self.slot = slot
    self.codec = codec
    self.isRequired = isRequired
    self.isDeclaredRequired = isDeclaredRequired
  }
}

/// A table of links.
package struct JoinMapping: Hashable, Sendable {
  package let table: String
  package let ownerColumn: String
  package let memberColumn: String

  /// The member's position in the owner's order, and the owner's in the member's.
  package let memberPositionColumn: String?
  package let ownerPositionColumn: String?

  /// The root entities of both ends.
  package let ownerRoot: Int
  package let memberRoot: Int

  /// Whether the table is that of the members, whose rows have the key of their owner: a member has
  /// one owner.
  package let isMemberKey: Bool

  package init(
    table: String, ownerColumn: String, memberColumn: String, memberPositionColumn: String?,
    ownerPositionColumn: String?, ownerRoot: Int, memberRoot: Int, isMemberKey: Bool = false
  ) {
    self.table = table
    self.ownerColumn = ownerColumn
    self.memberColumn = memberColumn
    self.memberPositionColumn = memberPositionColumn
    self.ownerPositionColumn = ownerPositionColumn
    self.ownerRoot = ownerRoot
    self.memberRoot = memberRoot
    self.isMemberKey = isMemberKey
  }

  /// The table seen from one end.
  package struct End: Hashable, Sendable {
    package let table: String
    /// The column of the object that one looks from, and of the objects that one sees.
    package let column: String
    package let otherColumn: String
    /// The order of the objects that one sees.
    package let positionColumn: String?
    /// Whether the rows are those of objects, and no more than a key is removed from them.
    package let isMemberKey: Bool
  }

  package var fromOwner: End {
    End(
      table: table, column: ownerColumn, otherColumn: memberColumn,
      positionColumn: memberPositionColumn, isMemberKey: isMemberKey)
  }

  package var fromMember: End {
    End(
      table: table, column: memberColumn, otherColumn: ownerColumn,
      positionColumn: ownerPositionColumn, isMemberKey: isMemberKey)
  }
}
