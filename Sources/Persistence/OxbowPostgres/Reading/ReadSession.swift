#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// One read on a connection, with the objects that conditions in memory have asked for.
  ///
  /// What a condition follows is read for all objects of a slab at once.
  final class ReadSession {
    let store: PostgresStore
    let connection: ServerConnection
    private let cancellation: ReadCancellation?

    /// Whether a save reads, in its transaction: what decides whether it may is locked.
    private let isOfSave: Bool
    private var isGuarded: Bool

    /// What a program's own SQL still needs before it: the tables' schema.
    private var ownSettings: [ServerStatement] = []

    /// What the server has refused, whatever became of it on its way.
    private(set) var failure: ServerFailure?

    private var objects: [ObjectKey: StoredObject] = [:]
    private var missing: Set<ObjectKey> = []
    private var members: [MembersKey: [StoredObject]] = [:]

    private struct MembersKey: Hashable {
      let relationship: RelationshipID
      let owner: Int64
    }

    /// A read looks at the model with its first statement; a save and a view have done so.
    init(
      _ store: PostgresStore, _ connection: ServerConnection, _ cancellation: ReadCancellation?,
      isOfSave: Bool = false
    ) {
      self.store = store
      self.connection = connection
      self.cancellation = cancellation
      (self.isOfSave, isGuarded) = (isOfSave, isOfSave || store.view != nil)
    }

    /// Lets go of all objects, which refer to the session.
    func forget() {
      objects = [:]
      members = [:]
    }

    /// Runs a statement that reads.
    func run(_ statement: ServerStatement) throws -> ServerResult {
      counted(try run(beginning, statement))
    }

    private var beginning: [ServerStatement] {
      guard !isGuarded else { return [] }
      return ownSettings.isEmpty ? store.beginsReads ? [.begin] : [] : store.beginning
    }

    /// Makes a program's own SQL see the tables by their names, in a transaction that reads.
    func useOwnSQL() { ownSettings = PostgresStore.ownSettings(store.names) }

    /// Runs a statement of a program.
    ///
    /// - Throws: ``PersistenceError`` with code `invalidSQL` for what the server says of it.
    func answer(_ sql: SQLText) throws -> ServerResult {
      let fragment = try store.mapping.reading(sql, store: store.identifier)
      useOwnSQL()
      return try saying(sql) { try run(ServerScript.statement(fragment.text, fragment.values)) }
    }

    /// Says of what the server refuses what it means for a text of a program.
    func saying<R>(_ sql: SQLText, _ body: () throws -> R) throws -> R {
      do { return try body() } catch let refusal as ServerFailure {
        guard let error = store.invalidSQL(refusal, sql) else { throw refusal }
        failure = nil
        throw error
      }
    }

    private func counted(_ result: ServerResult) -> ServerResult {
      store.pool.count(rows: result.count)
      return result
    }

    /// Begins a transaction that reads one moment, with its first statement.
    ///
    /// The moment is that of the first statement, even if that waits for the lock of a migration,
    /// whose tables would be empty to it. So the lock comes first, which is of no moment.
    func begin(_ statement: ServerStatement) throws -> ServerResult {
      counted(try run(store.beginning, statement))
    }

    /// Runs a statement that reads; `body` gets its rows, each as a row of a result.
    ///
    /// They come as they arrive if many did last time; the next one changes the result then.
    ///
    /// After the first error of `body`, the other rows are let go of, and the error is thrown.
    ///
    /// - Returns: A result with the columns.
    func stream(
      _ statement: ServerStatement, _ body: (ServerResult, Int) throws -> Void
    ) throws -> ServerResult {
      var (count, refusal) = (0, (any Error)?.none)
      let rest = try withoutActuallyEscaping(body) { body in
        let take = { (result: ServerResult, row: Int) in
          guard refusal == nil else { return }
          do { try body(result, row) } catch { refusal = error }
          count += 1
        }
        let rest = try run(beginning, statement) { take($0, 0) }
        for row in 0..<rest.count { take(rest, row) }
        return rest
      }
      store.pool.count(rows: count)
      if let refusal { throw refusal }
      return rest
    }

    private func run(
      _ before: [ServerStatement], _ statement: ServerStatement,
      rows: ((ServerResult) -> Void)? = nil
    ) throws -> ServerResult {
      let guards = isGuarded ? [] : [store.modelGuard]
      let results: [ServerResult]
      do {
        results = try connection.run(
          before + guards + ownSettings + [statement],
          stoppingWhen: cancellation.map { cancellation in { cancellation.isCancelled } },
          rows: rows)
      } catch {
        failure = error
        throw error
      }
      (isGuarded, ownSettings) = (true, [])
      return results[results.count - 1]
    }
  }

  // MARK: - Objects

  extension ReadSession {
    /// Takes objects in whose rows have come; of one that is known, the first row stays.
    func note(_ slabs: [RowSlab]) -> [StoredObject] {
      slabs.flatMap { slab in
        (0..<slab.count).map { row in note(StoredObject(session: self, slab: slab, row: row)) }
      }
    }

    private func note(_ object: StoredObject) -> StoredObject {
      let key = ObjectKey(root: store.root(object.entity), key: object.key)
      if let known = objects[key] { return known }
      objects[key] = object
      return object
    }

    /// The object of a reference in a row; with it, those of the same relationship in the slab.
    func object(
      _ reference: ObjectReference, _ property: CompiledProperty, of slab: RowSlab
    ) throws(PersistenceError) -> StoredObject? {
      let key = ObjectKey(root: store.root(reference.entity), key: reference.key)
      if let known = objects[key] { return known }
      guard !missing.contains(key), let destination = property.relationship?.destination else {
        return nil
      }
      let keys = Set(
        rows(of: property, in: slab).compactMap { slab.reference($0, property)?.key }
      )
      .filter { objects[ObjectKey(root: key.root, key: $0)] == nil }
      try load(Array(keys), of: store.model.entities[destination].root)
      return objects[key]
    }

    private func load(_ keys: [Int64], of root: Int) throws(PersistenceError) {
      do {
        let shape = store.shape(root)
        let result = try run(locking(store.rowsStatement(shape, keys)))
        _ = note(try RowDecoder(store, shape).rows(result))
      } catch { throw PersistenceError(error, "reading", store.place) }
      for key in keys where objects[ObjectKey(root: root, key: key)] == nil {
        missing.insert(ObjectKey(root: root, key: key))
      }
    }

    /// The objects of a to-many relationship; with them, those of all rows in the slab.
    func members(
      of property: CompiledProperty, _ owner: Int64, in slab: RowSlab
    ) throws(PersistenceError) -> [StoredObject] {
      guard let relationship = property.relationship else { return [] }
      let key = MembersKey(relationship: relationship.id, owner: owner)
      if let known = members[key] { return known }
      let owners = rows(of: property, in: slab).map { slab._key($0) }
      do {
        let related = try store.related(relationship, to: owners, self)
        for owner in owners {
          members[MembersKey(relationship: relationship.id, owner: owner)] =
            (related.members[owner] ?? []).map {
              note(StoredObject(session: self, slab: related.slabs[$0.slab], row: $0.row))
            }
        }
      } catch { throw PersistenceError(error, "reading", store.place) }
      return members[key] ?? []
    }

    /// A statement of rows "t0" that stay as they are until the save is committed.
    func locking(_ statement: ServerStatement) -> ServerStatement {
      guard isOfSave else { return statement }
      return ServerStatement(statement.text + " FOR SHARE OF t0", statement.parameters)
    }

    /// The rows of a slab whose entity has a property.
    private func rows(of property: CompiledProperty, in slab: RowSlab) -> [Int] {
      let subtree = Set(store.model.entities[property.declaringEntity].subtree)
      return (0..<slab.count).filter { subtree.contains(slab._entity($0)) }
    }
  }

  /// A row as the memory executor sees it.
  struct StoredObject: PredicateTarget {
    let session: ReadSession
    let slab: RowSlab
    let row: Int

    var entity: Int { slab._entity(row) }
    var key: Int64 { slab._key(row) }

    var predicateEntity: CompiledEntity { predicateModel.entities[entity] }
    var predicateModel: CompiledModel { session.store.model }
    var predicateID: ManagedObjectID { session.store.id(slab.reference(at: row)) }

    func predicateValue(of property: CompiledProperty) -> AttributeValue? {
      slab.storedValue(row, property)
    }

    func predicateReference(of property: CompiledProperty) -> ManagedObjectID? {
      slab.reference(row, property).map { session.store.id($0) }
    }

    func predicateObject(of property: CompiledProperty) throws(PersistenceError) -> StoredObject? {
      guard let reference = slab.reference(row, property) else { return nil }
      return try session.object(reference, property, of: slab)
    }

    func predicateObjects(of property: CompiledProperty) throws(PersistenceError) -> [StoredObject]
    {
      try session.members(of: property, key, in: slab)
    }
  }
#endif
