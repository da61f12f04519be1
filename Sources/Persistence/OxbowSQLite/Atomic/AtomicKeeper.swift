// A store in memory whose contents a store of the program's own keeps.
//
// The database in memory is filled when it is opened. Triggers note which objects a transaction
// touches, whatever statement does it: a save, a batch, a row that another one pushes aside. Before
// the commit these objects are read and handed over; if that is refused, the transaction is rolled
// back. So nothing but the commit in memory can fail once the save is kept.

internal import OxbowFoundation
internal import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational
internal import OxbowStore

/// Keeps what is in memory in a store of the program's own.
///
/// Except for opening and closing, its calls come in transactions of the only connection, one after
/// the other.
final class AtomicKeeper: Sendable {
  let name: String
  let isReadOnly: Bool

  private let store: any AtomicStore
  private let registration: OpenAtomicStores.Registration
  private let facts = Lock(Facts())

  /// The number of the thread that saves, or 0.
  private let savingThread = Lock<UInt>(0)

  /// Its knowledge of the store.
  private struct Facts {
    /// The metadata that was kept last.
    var metadata: AtomicStoreMetadata?

    /// Whether the store has a save that memory does not have yet.
    var isAhead = false

    /// Whether the store has, for good, a save that memory does not have.
    var isOutOfStep = false
  }

  /// Takes a store over.
  ///
  /// - Throws: ``PersistenceError`` with `storeLocked` when another coordinator has it.
  init(_ store: any AtomicStore, isReadOnly: Bool) throws {
    self.store = store
    name = store.name
    self.isReadOnly = isReadOnly || store.isReadOnly
    registration = try OpenAtomicStores.register(store)
  }

  /// Returns what the store has, or what a new one has.
  func load(_ part: ModelPart, createsStore: Bool) throws -> AtomicStoreContents {
    let expected = AtomicStoreMetadata(for: part.source)
    guard let contents = try loaded(part.source) else {
      guard createsStore, !isReadOnly else { throw nothingThere() }
      return AtomicStoreContents(metadata: expected)
    }
    try checkModel(contents.metadata, expected)
    try registration.add(contents.metadata.identifier, name)
    facts.withLock { $0.metadata = contents.metadata }
    return contents
  }

  private func loaded(_ model: ManagedObjectModel) throws -> AtomicStoreContents? {
    do { return try store.load(model) } catch {
      throw PersistenceError.storeFailed(
        name, "cannot be loaded, and was left as it is; see what its store says", error)
    }
  }

  /// Puts what the store has into memory; a new store is saved.
  func fill(
    _ database: Database, _ mapping: StoreMapping, _ contents: AtomicStoreContents
  ) throws {
    try database.write { connection in
      try connection.transaction(.write) {
        var filling = AtomicFilling(mapping, connection, name)
        try filling.fill(contents)
        try TouchedObjects.observe(mapping, connection)
        let isNew = facts.withLock { facts in
          defer { facts.metadata = contents.metadata }
          return facts.metadata == nil
        }
        if isNew {
          try registration.add(contents.metadata.identifier, name)
          try keep(connection, mapping)
        }
      }
    }
    facts.withLock { $0.isAhead = false }
  }

  /// Releases the store.
  func close() {
    store.close()
    registration.end()
  }
}

// MARK: - Saving

extension AtomicKeeper {
  /// So many keys beyond the last one are kept as handed out, so that most blocks of keys do not
  /// cost a save.
  private static var keysAhead: Int64 { 1024 }

  /// Hands a transaction over, which is to be committed next.
  func keep(_ connection: Connection, _ mapping: StoreMapping) throws {
    guard var metadata = facts.withLock({ $0.metadata }) else { return }
    metadata.lastKeys = try lastKeys(connection, mapping)
    metadata.values = try connection.ownMetadata().compactMapValues(\.plainAttribute)
    let reader = AtomicReader(mapping: mapping, connection: connection)
    let changes = try reader.changes(metadata)
    try TouchedObjects.forget(connection)
    guard hasNews(changes) else { return }
    savingThread.withLock { $0 = currentThreadNumber() }
    defer { savingThread.withLock { $0 = 0 } }
    do {
      try store.save(changes) {
        AtomicStoreContents(metadata: metadata, objects: try reader.objects(.all))
      }
    } catch {
      throw PersistenceError.storeFailed(
        name, "refused a save, and nothing was saved; see what its store says, and save again",
        error)
    }
    facts.withLock { [metadata] in
      $0.metadata = metadata
      $0.isAhead = true
    }
  }

  /// Whether the store has anything to save: a batch may find no object.
  private func hasNews(_ changes: AtomicStoreChanges) -> Bool {
    !changes.changed.isEmpty || !changes.deleted.isEmpty
      || facts.withLock { $0.metadata != changes.metadata }
  }

  /// Ensures that keys are never handed out again.
  func keep(
    keysBelow end: Int64, of root: Int, _ connection: Connection, _ mapping: StoreMapping
  ) throws {
    let kept = facts.withLock { $0.metadata?.lastKeys[mapping.model.entities[root].name] ?? 0 }
    if end - 1 > kept { try keep(connection, mapping) }
  }

  private func lastKeys(
    _ connection: Connection, _ mapping: StoreMapping
  ) throws -> [String: Int64] {
    var keys: [String: Int64] = [:]
    for root in mapping.roots {
      let sql = MetadataTables.readKeys(table: root.table, keyColumn: root.keyColumn)
      let row = try connection.rows(sql, [.integer(root.number)]).first ?? []
      let last = row.reduce(Int64(0)) { last, value in
        if case .integer(let key) = value { max(last, key) } else { last }
      }
      let name = mapping.model.entities[root.entity].name
      keys[name] = last < .max - 1 - Self.keysAhead ? last + Self.keysAhead : last
    }
    return keys
  }

  /// Refuses a call of a store to its own coordinator in its save, which would wait for itself.
  func requireOutside() throws {
    guard savingThread.withLock({ $0 }) == currentThreadNumber() else { return }
    throw PersistenceError(
      .insideHook,
      "the store '\(name)' asks its own coordinator for something while it saves; what it needs is in "
        + "'changes' and 'contents'")
  }

  /// Refuses changes while memory and store differ.
  func requireInStep() throws {
    let isOutOfStep = facts.withLock { facts in
      facts.isAhead = false
      return facts.isOutOfStep
    }
    guard isOutOfStep else { return }
    throw PersistenceError(
      .commitUnknown,
      "nothing was saved: an earlier save of the store '\(name)' was kept and could not be taken over "
        + "in memory; close the store, and open it again")
  }

  /// The error of a failed transaction, which says what the store has.
  func explained(_ error: any Error) -> any Error {
    let isAhead = facts.withLock { facts in
      if facts.isAhead { facts.isOutOfStep = true }
      return facts.isAhead
    }
    guard isAhead else { return error }
    return PersistenceError(
      .commitUnknown,
      "the store '\(name)' has kept a save that could not be taken over in memory; close the store, "
        + "and open it again", details: [.init(label: "cause", text: "\(error)")])
  }
}

// MARK: - Refusing

extension AtomicKeeper {
  private func nothingThere() -> PersistenceError {
    PersistenceError(
      .notAStore,
      "the store '\(name)' has no contents yet, and opening it "
        + (isReadOnly ? "read-only " : "without 'createsStore' ") + "does not create a store")
  }

  private func checkModel(_ found: AtomicStoreMetadata, _ model: AtomicStoreMetadata) throws {
    let (stored, own) = (found.versionHashes, model.versionHashes)
    guard stored != own else { return }
    var error = PersistenceError(
      .modelMismatch,
      "the store '\(name)' was saved for another model; open it with that model, and copy its objects "
        + "into a store of this one, or let its 'load' convert them and return the hashes of "
        + "the model that it is given")
    for (label, names) in [
      ("changed", own.keys.filter { stored[$0] != nil && stored[$0] != own[$0] }),
      ("only in the store", stored.keys.filter { own[$0] == nil }),
      ("only in the model", own.keys.filter { stored[$0] == nil }),
    ] where !names.isEmpty {
      error = error.adding(label, PersistenceError.listed(names.sorted()))
    }
    throw error
  }
}

extension StoreMapping {
  /// The root entities that the store keeps.
  var roots: [EntityMapping] { entities.filter { $0.root == $0.entity && !$0.table.isEmpty } }
}

extension SQLValue {
  /// The value as an attribute without a type of its own would have it.
  fileprivate var plainAttribute: AttributeValue? {
    switch self {
    case .null: nil
    case .integer(let number): .integer(number)
    case .real(let number): .double(number)
    case .text(let text): .string(text)
    case .blob(let bytes): .data(Data(bytes))
    }
  }
}
