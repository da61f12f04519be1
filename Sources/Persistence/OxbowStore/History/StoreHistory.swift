public import OxbowFoundation
package import OxbowModel

/// The history of a store, or of several ones as one, for those who read it.
///
/// The tokens that a store gives have its place only. It takes a token that has other places too.
package protocol StoreHistory: AnyObject, Sendable {
  /// The identifier of the store; of several stores, the first one's.
  var identifier: UUID { get }

  /// The history of a store by its identifier: this one, or one of several.
  ///
  /// - Throws: ``PersistenceError``: `historyForeign`.
  func history(of store: UUID) throws(PersistenceError) -> any StoreHistory

  /// The place after the last save.
  ///
  /// - Throws: ``PersistenceError``: `historyOff` where the store has no history.
  func currentToken() throws(PersistenceError) -> HistoryToken

  /// The place before the first save that is kept.
  func firstToken() throws(PersistenceError) -> HistoryToken

  /// What comes after a place, up to a number of saves and of bytes, in order; nothing at the end.
  ///
  /// - Throws: ``PersistenceError``: `historyForeign` for a place in another history,
  ///   `invalidStoredValue` for a row that is damaged.
  func elements(
    after token: HistoryToken, _ limits: HistoryBatchLimits
  ) throws(PersistenceError) -> [HistoryElement]

  /// Removes the saves before a place.
  ///
  /// - Returns: How many were removed.
  /// - Throws: ``PersistenceError``: `historyNeeded` where a consumer has not seen all of them and
  ///   it is not forced.
  func delete(before token: HistoryToken, force: Bool) throws(PersistenceError) -> Int

  /// Removes the saves before a moment that no consumer needs.
  func delete(before date: Date) throws(PersistenceError) -> Int

  /// All consumers, by name.
  func consumers() throws(PersistenceError) -> [HistoryConsumerState]

  /// Registers a consumer unless there is one of that name.
  func register(
    _ name: String, at start: HistoryStart
  ) throws(PersistenceError) -> HistoryConsumerState

  /// Takes the right to work as a consumer, which ends with the value that is returned.
  ///
  /// - Throws: ``PersistenceError``: `consumerInUse`.
  func own(_ consumer: String) throws(PersistenceError) -> any ConsumerRight

  /// Whether a program works as a consumer now.
  func isAtWork(_ consumer: String) throws(PersistenceError) -> Bool

  /// Notes that consumers have seen everything up to a place, all of them or none.
  ///
  /// - Throws: ``PersistenceError``: `conflict` where one is not at `old` any more,
  ///   `consumerUnknown`.
  func acknowledge(_ acknowledgments: [HistoryAcknowledgment]) throws(PersistenceError)

  /// Checks that consumers are where acknowledgments begin.
  ///
  /// - Throws: ``PersistenceError`` as ``acknowledge(_:)``.
  func check(_ acknowledgments: [HistoryAcknowledgment]) throws(PersistenceError)

  /// Removes a consumer.
  ///
  /// - Throws: ``PersistenceError``: `consumerUnknown`.
  func forget(_ consumer: String) throws(PersistenceError)

  /// Calls `body` when there are saves that it may not know, of this process or another one, until
  /// the value that is returned is gone; also when the store cannot be looked at, or is closed.
  ///
  /// `body` learns whether something may have happened that the history does not say: a program
  /// that counts no saves has written, another server has taken over. It returns
  /// whether it has to be called again soon. It is called on a thread of the store, or of all
  /// stores in files.
  func watch(
    _ body: @escaping @Sendable (_ isForeign: Bool) -> Bool
  ) -> any Sendable & AnyObject

  /// The session of this opening of each store.
  var historySessions: Set<UUID> { get }

  /// The session whose saves are announced by those who make them alone, where a save does not
  /// learn its number; `nil` where it does.
  var announcedSession: UUID? { get }
}

extension StoreHistory {
  package var announcedSession: UUID? { nil }

  /// Takes the right for a moment, which is refused where a program has it.
  package func isAtWork(_ consumer: String) throws(PersistenceError) -> Bool {
    do throws(PersistenceError) {
      _ = try own(consumer)
      return false
    } catch {
      guard error.code == .consumerInUse else { throw error }
      return true
    }
  }
}

/// The right to work as a consumer, which ends with this object.
package protocol ConsumerRight: AnyObject, Sendable {
  /// Makes sure that the right is still there, and takes it again if it was lost.
  ///
  /// - Throws: ``PersistenceError``: `consumerInUse` where another program has it by now.
  func renew() throws(PersistenceError)
}

/// How much is read of a history at once.
package struct HistoryBatchLimits: Sendable {
  package var saves = 1000
  package var bytes = 256 << 10

  /// Saves with more objects come without their changes.
  package var objects = Int.max

  package init() {}
}

/// Where a new consumer begins.
public enum HistoryStart: Sendable, Hashable {
  /// After the last save.
  case now
  /// Before the first save that is kept.
  case beginning
  /// After a place.
  case token(HistoryToken)
}

/// A consumer of a store's history, as the store knows it.
public struct HistoryConsumerState: Sendable, Hashable {
  /// Its name.
  public let name: String

  /// The place up to which it has seen the history.
  public let token: HistoryToken

  /// When it was registered.
  public let since: Date

  /// When it has last acknowledged something.
  public let seen: Date

  /// How many saves it has not seen yet.
  public let lag: Int

  package init(name: String, token: HistoryToken, since: Date, seen: Date, lag: Int) {
    self.name = name
    self.token = token
    self.since = since
    self.seen = seen
    self.lag = lag
  }

  /// The same consumer in two stores.
  func joined(with other: Self) -> Self {
    Self(
      name: name, token: token.moved(to: other.token), since: min(since, other.since),
      seen: max(seen, other.seen), lag: lag + other.lag)
  }
}
