#if PostgreSQL
  // Derived attributes are computed by the save, behind its changes and before its COMMIT. The
  // objects are locked first, and what a path leads to as well, so that a save that changes the
  // same values at the same time waits, and computes from what this one has left. Values come from
  // the server, and are counted there; sums, forms of texts and rules are those of the memory
  // executor.

  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// The derived values of a save, in three steps: what leads to its changes, what their values
  /// are made of, and the values.
  struct DerivedValues {
    private let store: PostgresStore
    private var affected: AffectedDerivations
    private let generator: DerivationGenerator

    /// `nil` if the changes concern no derived attribute.
    init?(_ changes: ChangeSet, _ store: PostgresStore) {
      affected = AffectedDerivations(changes, store.model)
      guard !affected.isEmpty else { return nil }
      self.store = store
      let names = store.names
      generator = DerivationGenerator(mapping: store.mapping) { names.table($0) }
    }

    // MARK: What is affected

    /// Which objects lead to what changes: one statement for each step to it.
    var origins: [ServerStatement] {
      places.map { index, step in
        let steps = affected.derivations[index].steps[...step]
        let found = steps.reversed().reduce("SELECT unnest($1::int8[])") {
          generator.origins(of: $1, in: $0)
        }
        return ServerStatement(found, [Parameter(keys: affected.ends[index][step].sorted())])
      }
    }

    private var places: [(index: Int, step: Int)] {
      affected.ends.enumerated().flatMap { index, steps in
        steps.indices.filter { !steps[$0].isEmpty }.map { (index, $0) }
      }
    }

    /// Takes the answers to ``origins``.
    mutating func note(_ results: some Sequence<ServerResult>) {
      for (place, result) in zip(places, results) {
        for row in 0..<result.count { affected.keys[place.index].insert(result.integer(row, 0)) }
      }
    }

    // MARK: What values are made of

    private var computed: [(computation: DerivedComputation, keys: [Int64], ends: [Int64])] {
      affected.keys.indices.compactMap { index in
        guard !affected.keys[index].isEmpty else { return nil }
        return DerivedComputation(affected.derivations[index], generator, store.names).map {
          ($0, affected.keys[index].sorted(), affected.ends[index].first?.sorted() ?? [])
        }
      }
    }

    /// Locks the objects, and then reads the value of each and what it is made of.
    var inputs: [ServerStatement] {
      computed.flatMap { $0.computation.locks($0.keys, ends: $0.ends) }
        + computed.map { $0.computation.question($0.keys) }
    }

    // MARK: Values

    /// Takes the answers to ``inputs``.
    ///
    /// - Returns: The values that are others than before, and the statements that write them.
    /// - Throws: ``PersistenceError`` with `validation` for a value that the attribute cannot have.
    func settled(_ results: [ServerResult]) throws -> ([DerivedValue], [ServerStatement]) {
      let now = Date()
      let computed = computed
      var values: [DerivedValue] = []
      var statements: [ServerStatement] = []
      for ((computation, _, _), result) in zip(computed, results.suffix(computed.count)) {
        let changed = try changed(computation, result, now)
        guard !changed.isEmpty else { continue }
        values += changed.map(\.value)
        statements.append(computation.update(changed))
      }
      return (values, statements)
    }

    private func changed(
      _ computation: DerivedComputation, _ result: ServerResult, _ now: Date
    ) throws -> [DerivedComputation.Changed] {
      try computation.outcomes(result, now).compactMap { outcome in
        switch outcome {
        case .changed(let changed): return changed
        case .same: return nil
        case .unfit(let object, let seen):
          throw PersistenceError.underivable(computation.derivation, seen, [store.id(object)])
        }
      }
    }
  }

  extension PostgresStore {
    /// Runs statements that make changes, and computes what is derived from what they change.
    ///
    /// - Returns: The values that are others than before, and the statements that are still to be
    ///   run.
    func derived(
      _ changes: ChangeSet, _ statements: [ServerStatement], _ transaction: WriteTransaction
    ) throws -> ([DerivedValue], [ServerStatement]) {
      guard !model.derivations.isEmpty, var derived = DerivedValues(changes, self) else {
        return ([], statements)
      }
      let opening = transaction.takeOpening()
      let origins = derived.origins
      let results = try transaction.connection.run(opening + origins + statements + origins)
      derived.note(results.dropFirst(opening.count).prefix(origins.count))
      derived.note(results.suffix(origins.count))
      return try derived.settled(transaction.connection.run(derived.inputs))
    }
  }
#endif
