package import OxbowFoundation
package import OxbowModel
package import OxbowStore

extension HistoryToken {
  /// The place of a token in a history, of which `own` is a place.
  ///
  /// - Throws: ``PersistenceError``: `historyForeign` for a token of other histories.
  package func place(
    inHistoryOf own: HistoryPlace, _ path: String
  ) throws(PersistenceError) -> HistoryPlace {
    let place = place(in: own.store)
    if let place, place.instance == own.instance { return place }
    let stores = places.map(\.store.uuidString).joined(separator: " and ")
    let reason =
      place != nil
      ? "the store was restored from a backup since, and may have other saves under the same numbers"
      : "the token belongs to the store \(stores)"
    throw PersistenceError(
      .historyForeign,
      "the place '\(self)' is not in the history of the store '\(path)': \(reason); read the store "
        + "as a whole, and begin at its current token")
  }
}

extension PersistenceError {
  package static func noHistory(_ path: String) -> PersistenceError {
    PersistenceError(
      .historyOff,
      "the store '\(path)' has no history: it was never opened with one; open it with 'history: .keys' "
        + "or 'history: .values', and its saves are noted from then on")
  }

  /// A store that is to announce what others save, and would not learn of it.
  package static func nothingToFollow(_ path: String) -> PersistenceError {
    PersistenceError(
      .historyOff,
      "the store '\(path)' is opened with 'followsOtherProcesses' and has no history, by which it would "
        + "learn of their saves; open it with 'history: .keys' or 'history: .values' too, once for "
        + "writing")
  }

  package static func unknownConsumer(_ name: String, _ path: String) -> PersistenceError {
    PersistenceError(
      .consumerUnknown,
      "the store '\(path)' has no consumer '\(name)' of its history; register it with "
        + "'historyConsumer(named:from:)'")
  }

  /// A consumer that is at a number, and was to go on from another one.
  package static func acknowledged(
    _ consumer: String, at number: Int64, notFrom old: Int64, _ path: String
  ) -> PersistenceError {
    PersistenceError(
      .conflict,
      "nothing was saved: the consumer '\(consumer)' of the store '\(path)' has seen the saves up to "
        + "\(number), and was to go on from \(old); another worker "
        + "has acknowledged it meanwhile: read the next batch")
  }

  /// Saves that a consumer has not seen, and that were to go.
  package static func needed(
    by consumer: String, at seen: Int64, before number: Int64, _ path: String
  ) -> PersistenceError {
    PersistenceError(
      .historyNeeded,
      "no history was removed from the store '\(path)': the consumer '\(consumer)' has "
        + "seen the saves up to \(seen), and those up to \(number) were to go; let it run, forget it, "
        + "or remove them with 'force', and it gets a gap")
  }

  package static var namelessConsumer: PersistenceError {
    PersistenceError(.validation, "a consumer of a history needs a name that is not empty")
  }

  /// A save of another store, which is asked for its history.
  package static func notHere(
    _ store: UUID, _ path: String, _ identifier: UUID
  ) -> PersistenceError {
    PersistenceError(
      .historyForeign,
      "the save is in the history of the store \(store), and '\(path)' is \(identifier); use the "
        + "coordinator that it was read from")
  }

  /// A store whose history has no instance.
  package static func historyWithoutInstance(_ path: String) -> PersistenceError {
    PersistenceError(
      .notAStore,
      "'\(MetadataTables.metadata.name)' of the store '\(path)' has no usable "
        + "'\(HistoryTables.Fact.instance.rawValue)', which every store with a history has; restore "
        + "a backup")
  }
}
