/// A change of a store's tables from those of one model to those of another, decided and not run.
///
/// It says what each table is made of, and nothing about how: whether a table is changed in place
/// or written anew is the backend's choice, because engines differ in what they can alter.
package struct TableMigration: Hashable, Sendable {
  /// The tables that the store must have before.
  package var before: [TableSchema]

  /// The tables after, each with its origin, in the order of their creation.
  package var targets: [TableTarget] = []

  /// The tables that go, with their rows.
  package var removedTables: [String] = []

  /// What the rows must be like; a check that finds rows refuses the migration.
  package var checks: [DataCheck] = []

  /// Links that are looked up while rows are written.
  package var lookups: [LinkLookup] = []

  /// What is lost.
  package var losses: [DataLoss] = []

  /// Whether places in an order go, also where objects have one link at most.
  package var forgetsPlaces = false

  /// The entities that the store keeps numbers for, afterwards.
  package var entities: [EntityRecord] = []

  /// The numbers of the root entities, afterwards: each has a row in the key table.
  package var roots: [Int64] = []

  /// The roots that have another number afterwards; their next keys move with them.
  package var movedRoots: [MovedRoot] = []

  /// The objects that go although their table stays.
  package var removals: [RemovedObjects] = []

  /// The links that go although their relationship stays.
  package var clearings: [ClearedLinks] = []

  /// The search indexes that the model before asks for, and that after.
  package var searchIndexesBefore: [SearchIndex] = []
  package var searchIndexes: [SearchIndex] = []

  package init(
    before: [TableSchema], targets: [TableTarget] = [], removedTables: [String] = []
  ) {
    (self.before, self.targets, self.removedTables) = (before, targets, removedTables)
  }

  package var after: [TableSchema] { targets.map(\.table) }
}

/// A hierarchy that has another root after a migration, by the numbers of both.
package struct MovedRoot: Hashable, Sendable {
  package var from: Int64
  package var to: Int64

  package init(from: Int64, to: Int64) {
    self.from = from
    self.to = to
  }
}

/// A table after a migration and what it is made of.
package struct TableTarget: Hashable, Sendable {
  package enum Origin: Hashable, Sendable {
    /// There are none yet.
    case none
    /// From the table of that name, which becomes this one.
    case table(String)
    /// The rows of some entities of the table of that name, which becomes another one.
    case rows(String, types: [Int64])
    /// From links that other tables keep before; the sources name the columns of ``LinkSet``.
    case links(LinkSet)
  }

  package var table: TableSchema
  package var origin: Origin

  /// What each column is made of, by the column's name; a column without an entry is NULL.
  package var sources: [String: ColumnSource]

  package init(
    table: TableSchema, origin: Origin = .none, sources: [String: ColumnSource] = [:]
  ) {
    (self.table, self.origin, self.sources) = (table, origin, sources)
  }
}

/// Links that other tables have before, and from which keys are looked up while rows are written.
package struct LinkLookup: Hashable, Sendable {
  /// The name of the table that exists during the migration only.
  package var table: String

  /// The links; each owner has at most one.
  package var links: LinkSet

  package init(table: String, links: LinkSet) {
    self.table = table
    self.links = links
  }

  /// The statements that make the table; they run while all earlier tables are there.
  package func definition(in dialect: any Dialect) -> [String] {
    let columns: [LinkSet.Column] = [.owner, .member, .memberEntity, .ownerPosition]
    let number = dialect.name(of: .integer)
    return [
      "CREATE TABLE \(quoted(table)) (\"owner\" \(number) PRIMARY KEY, "
        + "\"member\" \(number) NOT NULL, \"member_entity\" \(number), \"owner_position\" \(number)) "
        + dialect.options(of: TableSchema(name: table)),
      "INSERT INTO \(quoted(table)) \(links.select(columns, in: dialect))",
    ]
  }
}

/// Data that no table has any more after a migration.
package struct DataLoss: Hashable, Sendable {
  package var condition: DataCheck.Condition

  /// Describes it: "values of 'File.kind'".
  package var subject: String

  package init(_ condition: DataCheck.Condition, _ subject: String) {
    self.condition = condition
    self.subject = subject
  }
}

/// An entity as a store keeps it: its number, its name, its version hash.
package struct EntityRecord: Hashable, Sendable {
  package var number: Int64
  package var name: String
  package var hash: String

  /// Whether the model has it no more: its number is kept for an entity of its name, and never
  /// given to another one.
  package var isPast: Bool

  package init(number: Int64, name: String, hash: String, isPast: Bool = false) {
    (self.number, self.name, self.hash, self.isPast) = (number, name, hash, isPast)
  }
}
